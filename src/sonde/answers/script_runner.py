"""The command that runs JavaScript and TypeScript tests, taken from the nearest package.json."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Sequence
from itertools import pairwise

from sonde.answers.folders import folders_above, in_folder, quoted
from sonde.frozen import frozen
from sonde.retrieve.view import View
from sonde.store.source import Stale

_MANIFEST = "package.json"
_PLAIN = re.compile(r"[\w./:=@,-]+")  # nothing that a shell would interpret
_SETTING = re.compile(r"[A-Z_]+=[\w./:=@,-]*")  # of an environment variable
_NOT_ONCE = frozenset({"--watch", "--watchAll", "--coverage", "--run"})
_SWITCHES = """
--test --check-leaks --recursive --exit --bail -b --color --colors --verbose --serial -s --parallel
--silent --ci --runInBand -i --forceExit --detectOpenHandles --forbid-only --full-trace
--inline-diffs --sort --allow-uncaught --passWithNoTests --globals
"""
_FLAGS = _NOT_ONCE | frozenset(_SWITCHES.split())  # a word after them is a file, no value
# runners by the name of their package, the surest sign first, and how they are started
_RUNNERS = {
    "vitest": "npx vitest run",
    "jest": "npx jest",
    "mocha": "npx mocha",
    "ava": "npx ava",
    "jasmine": "npx jasmine",
    "tape": "npx tape",
    "tap": "npx tap",
    "uvu": "npx uvu",
    "@playwright/test": "npx playwright test",
}
_BUILT_IN = (["bun", "test"], ["deno", "test"])
_COMMANDS = re.compile(r"&&|\|\||;")
_NO_TESTS = "no test specified"  # what npm writes into a new manifest


@frozen
class _Runner:
    folder: str  # of the manifest, "" for the workspace root
    command: str
    takes_files: bool = True


def script_commands(view: View, files: Sequence[str]) -> list[str]:
    """One command for each package that these tests belong to; none where no manifest tells."""
    known: dict[str, _Runner | None] = {}
    chosen: dict[tuple[str, str, bool], list[str]] = {}
    for file in sorted(set(files)):
        folder = file.rpartition("/")[0]
        runner = known.setdefault(folder, _runner(view, file))
        if runner is not None:
            key = (runner.folder, runner.command, runner.takes_files)
            chosen.setdefault(key, []).append(file)
    return [
        in_folder(folder, f"{command} {quoted(folder, own)}" if takes_files else command)
        for (folder, command, takes_files), own in sorted(chosen.items())
    ]


def _runner(view: View, file: str) -> _Runner | None:
    """The runner that the nearest manifest names, else its script for tests as it is."""
    whole: _Runner | None = None
    for folder in folders_above(file):
        path = f"{folder}/{_MANIFEST}" if folder else _MANIFEST
        text = view.index.source_bytes(path) if view.index.file_record(path) else b""
        if isinstance(text, Stale) or not text:
            continue
        script = _script(text)
        command = _written(script) or _mentioned(text)
        if command:
            return _Runner(folder, command)
        if whole is None and script and _NO_TESTS not in script:
            whole = _Runner(folder, "npm test", takes_files=False)
    return whole


def _script(manifest: bytes) -> str:
    """The project's own command for tests."""
    try:
        script = json.loads(manifest)["scripts"]["test"]
    except (ValueError, LookupError, TypeError, RecursionError):
        return ""
    return script if isinstance(script, str) else ""


def _written(script: str) -> str:
    """A runner that the project's own command names, with the settings and options it gives."""
    for part in _COMMANDS.split(script):
        words = _words(part)
        at = next((at for at, word in enumerate(words) if word in _RUNNERS), -1)
        if at >= 0:
            settings = [word for word in words[:at] if _SETTING.fullmatch(word)]
            return " ".join([*settings, _RUNNERS[words[at]], *_options(words[at + 1 :])])
        if words[:2] in _BUILT_IN:
            return " ".join(words[:2])
        at = next((at for at, word in enumerate(words) if word in ("node", "tsx")), -1)
        if at >= 0 and "--test" in words:
            return " ".join([words[at], *_options(words[at + 1 :])])
    return ""


def _words(command: str) -> list[str]:
    try:
        return shlex.split(command)
    except ValueError:  # a quote that nothing closes
        return command.split()


def _options(words: Sequence[str]) -> list[str]:
    """The options of a command with their values, without the files it names."""
    kept = []
    for before, word in pairwise(["", *words]):
        value = before.startswith("-") and "=" not in before and before not in _FLAGS
        if (word.startswith("-") or value) and word not in _NOT_ONCE and _PLAIN.fullmatch(word):
            kept.append(word)
    return kept


def _mentioned(manifest: bytes) -> str:
    """A runner among the packages of a manifest."""
    found = (start for name, start in _RUNNERS.items() if f'"{name}"'.encode() in manifest)
    return next(found, "")
