"""User feedback on answers, kept with the index; ranking may learn from it."""

from __future__ import annotations

import errno
import json
import os
import time
from dataclasses import dataclass
from pathlib import Path

from sonde.answers.lookup import find_symbols, not_found
from sonde.answers.results import Refusal
from sonde.answers.state import State

FILE = "feedback.jsonl"
_LARGEST = 4_000_000  # bytes; beyond that, older opinions are dropped
_LONGEST_NOTE = 2_000
_MOST_NAMES = 200


@dataclass(frozen=True, slots=True)
class Opinion:
    """Which symbols of a pack were useful, which were not, and which were missing."""

    pack: str
    useful: tuple[str, ...] = ()
    useless: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    note: str = ""


def keep_opinion(opinion: Opinion, state: State) -> int | Refusal:
    """Append an opinion, refusing names that no symbol has. Returns how many there are."""
    groups = (opinion.useful, opinion.useless, opinion.missing)
    if not opinion.note.strip() and not any(groups):
        return Refusal("an opinion names useful, useless or missing symbols, or says something")
    if sum(map(len, groups)) > _MOST_NAMES:
        return Refusal(f"an opinion names at most {_MOST_NAMES} symbols")
    rows = []
    for names in groups:
        places = []
        for name in names:
            found = find_symbols(state.view, name)
            if not found:
                return not_found(state.view, name)
            places += [[record.file, record.qualname] for record in found]
        rows.append(places)
    line = json.dumps([int(time.time()), opinion.pack, *rows, opinion.note[:_LONGEST_NOTE]])
    return _append(state, line)


def _append(state: State, line: str) -> int | Refusal:
    path = state.view.index.workspace.home / FILE
    try:
        kept = path.read_bytes() if path.is_file() else b""
        if len(kept) > _LARGEST:
            lines = kept.splitlines(keepends=True)
            kept = b"".join(lines[len(lines) // 2 :])
            _replace(path, kept)
        _write_behind(path, len(kept), line.encode() + b"\n")
        return kept.count(b"\n") + 1
    except OSError as error:
        return Refusal(f"the opinion cannot be kept: {error.strerror}")


def _replace(path: Path, content: bytes) -> None:
    """On a full disk the old content stays."""
    temporary = path.with_name(f"{path.name}.{os.getpid()}")
    try:
        temporary.write_bytes(content)
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)


def _write_behind(path: Path, size: int, line: bytes) -> None:
    """On a full disk no half of a line stays, which would spoil the next one as well."""
    with path.open("ab", buffering=0) as file:
        try:
            written = file.write(line)
            if written != len(line):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        except OSError:
            file.truncate(size)
            raise
