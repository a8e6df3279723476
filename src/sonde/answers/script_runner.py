"""The command that runs JavaScript and TypeScript tests, taken from the nearest package.json."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Sequence

from sonde.frozen import frozen
from sonde.retrieve.view import View
from sonde.store.source import Stale

_MANIFEST = "package.json"
_PLAIN = re.compile(r"[\w./:=@ -]+")  # nothing that a shell would interpret
_NOT_ONCE = frozenset({"run", "watch", "dev", "--watch", "--watchAll", "--coverage"})


@frozen
class _Runner:
    folder: str  # of the manifest, "" for the workspace root
    command: str


def script_commands(view: View, files: Sequence[str]) -> list[str]:
    """One command for each package that these tests belong to."""
    known: dict[str, _Runner] = {}
    chosen: dict[tuple[str, str], list[str]] = {}
    for file in sorted(set(files)):
        folder = file.rpartition("/")[0]
        runner = known.setdefault(folder, _runner(view, folder))
        chosen.setdefault((runner.folder, runner.command), []).append(file)
    return [
        _written(folder, command, chosen[folder, command]) for folder, command in sorted(chosen)
    ]


def _written(folder: str, command: str, files: Sequence[str]) -> str:
    paths = [file[len(folder) + 1 :] if folder else file for file in files]
    # A path that begins with a dash would be taken for an option.
    shown = " ".join(shlex.quote(f"./{p}" if p.startswith("-") else p) for p in paths)
    return f"(cd {shlex.quote(folder)} && {command} {shown})" if folder else f"{command} {shown}"


def _runner(view: View, folder: str) -> _Runner:
    """The runner named by the nearest manifest that names one; otherwise jest."""
    while True:
        path = f"{folder}/{_MANIFEST}" if folder else _MANIFEST
        text = view.index.source_bytes(path) if view.index.file_record(path) else b""
        if not isinstance(text, Stale) and (name := _named(text)):
            return _Runner(folder, _command(name, text))
        if not folder:
            return _Runner("", "npx jest")
        folder = folder.rpartition("/")[0]


def _named(manifest: bytes) -> str:
    if b'"vitest"' in manifest:
        return "vitest"
    return next((name for name in ("jest", "mocha") if f'"{name}"'.encode() in manifest), "")


def _command(runner: str, manifest: bytes) -> str:
    """The runner with the options that the project's own test script gives it."""
    start = "npx vitest run" if runner == "vitest" else f"npx {runner}"
    try:
        script = json.loads(manifest)["scripts"]["test"]
    except (ValueError, LookupError, TypeError, RecursionError):
        return start
    if not isinstance(script, str) or not _PLAIN.fullmatch(script):
        return start
    first, *options = script.split() or [""]
    kept = [each for each in options if each not in _NOT_ONCE] if first == runner else []
    return " ".join([start, *kept])
