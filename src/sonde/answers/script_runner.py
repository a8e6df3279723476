"""The command that runs JavaScript and TypeScript tests, taken from the nearest package.json."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from itertools import pairwise

from sonde.answers.folders import folders_above, in_folder, quoted
from sonde.frozen import frozen
from sonde.retrieve.view import View
from sonde.store.source import Stale

_MANIFEST = "package.json"
_PLAIN = re.compile(r"[\w./:=@ -]+")  # nothing that a shell would interpret
_NOT_ONCE = frozenset({"run", "watch", "dev", "--watch", "--watchAll", "--coverage"})
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
        command = _named(text, script) or _built_in(script)
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


def _named(manifest: bytes, script: str) -> str:
    """A runner that the manifest mentions, with the options that the script gives it."""
    name = next((each for each in _RUNNERS if f'"{each}"'.encode() in manifest), "")
    if not name or not _PLAIN.fullmatch(script):
        return _RUNNERS.get(name, "")
    first, *options = script.split() or [""]
    kept = [each for each in options if each not in _NOT_ONCE] if first == name else []
    return " ".join([_RUNNERS[name], *kept])


def _built_in(script: str) -> str:
    """A runner that comes with the language: `node --import=tsx --test`, `bun test`."""
    for part in _COMMANDS.split(script):
        words = part.split()
        if words[:2] in _BUILT_IN:
            return " ".join(words[:2])
        at = next((at for at, word in enumerate(words) if word in ("node", "tsx")), -1)
        if at >= 0 and "--test" in words:
            return " ".join(_options(words[at:]))
    return ""


def _options(words: Sequence[str]) -> list[str]:
    """A command without the files it names."""
    kept = [words[0]]
    for before, word in pairwise(words):
        value = before.startswith("-") and "=" not in before and before not in ("--test", "--watch")
        if (word.startswith("-") or value) and word not in _NOT_ONCE and _PLAIN.fullmatch(word):
            kept.append(word)
    return kept
