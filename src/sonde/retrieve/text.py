"""Text: literals and messages quoted in a task, mapped to the symbols that contain them.

The full-text index says which files can hold a literal: its words must all be in one symbol.
Those few files are read here. ripgrep walks the whole folder (50 ms on django), so it is used
only for words that are everywhere.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from sonde.retrieve.channel import Channel, Hit, ranked
from sonde.store.documents import words_inside

if TYPE_CHECKING:
    from sonde.model import Query
    from sonde.retrieve.view import View

_LIMIT = 20
_LITERALS = 4
_PER_FILE = 3
_LINES = 40
_ROWS = 2000
_HOLDERS = 300  # symbols whose files are read here; beyond, all cores of ripgrep are faster
# A slow disk must not block the answer for ever; the other channels go on. The limit is long enough
# to cut nothing short on a healthy disk, since cutting a channel short changes the answer.
_SECONDS = 5.0


@cache
def ripgrep() -> str | None:
    """Path of the rg binary installed with the package, or else the user's own."""
    beside = Path(sys.executable).with_name("rg")
    return str(beside) if beside.exists() else shutil.which("rg")


def find(query: Query, view: View) -> list[Hit]:
    """Symbols whose source contains a quoted string or error message from the task."""
    hits: list[Hit] = []
    for place, literal in enumerate(query.literals[:_LITERALS]):
        lines = _lines_indexed(view, literal)
        if lines is None:
            lines = matching_lines(view.index.workspace.root, literal)
        if lines is None:
            view.cut_short.add(CHANNEL.name)
        if not lines or len(lines) > _LINES:
            continue  # found everywhere: says nothing
        weight = 1.0 / (1.0 + 0.5 * place) / len(lines) ** 0.5
        for path, line in lines:
            id = view.innermost(path, line)
            if id is not None:
                hits.append(Hit(id, weight, f"contains {literal[:40]!r} at line {line}"))
    return ranked(hits, _LIMIT)


def _lines_indexed(view: View, literal: str) -> list[tuple[str, int]] | None:
    """(path, line) of each occurrence in an indexed file; None if too many files may have one.

    If the inner words are everywhere ("must not be"), the outer ones must appear as whole words.
    """
    surely, together = words_inside(literal)
    homes = _homes(view, surely) if surely else None
    if homes is None:
        homes = _homes(view, together) if together else None
    if homes is None:
        return None
    wanted = literal.encode("utf-8", "replace")
    return [(path, line) for path in homes for line in _lines(view.text(path), wanted)]


def _homes(view: View, words: list[str]) -> list[str] | None:
    """Files of the symbols and chunks that contain all the words; None if there are too many."""
    index = view.index
    symbols = index.fulltext.having(words, _HOLDERS, chunks=False)
    chunks = index.fulltext.having(words, _HOLDERS, chunks=True)
    if _HOLDERS in (len(symbols), len(chunks)):
        return None
    homes = {view.files[int(file)].path for file in index.graph.columns.file[symbols]}
    return sorted(homes.union(chunk.file for chunk in index.chunks(chunks)))


def _lines(data: bytes, wanted: bytes) -> list[int]:
    """The first line numbers at which `wanted` occurs."""
    lines: list[int] = []
    at = data.find(wanted)
    while at >= 0 and len(lines) < _PER_FILE:
        lines.append(data.count(b"\n", 0, at) + 1)
        end = data.find(b"\n", at)
        at = data.find(wanted, end) if end >= 0 else -1
    return lines


def matching_lines(root: Path, literal: str) -> list[tuple[str, int]] | None:
    """(path, line) of each occurrence of a fixed string, at most a few per file.

    None if the search took too long.
    """
    program = ripgrep()
    if program is None:
        return []
    command = [program, "--no-config", "--no-messages", "--no-heading", "-n", "-F", "--null"]
    command += ["--max-count", str(_PER_FILE), "--max-columns", "400", "--sort", "none"]
    try:
        done = subprocess.run(
            [*command, "-e", literal, "."],
            cwd=root,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return None
    except OSError:
        return []
    found = []
    rows = done.stdout.split(b"\n")
    if len(rows) > _ROWS:
        rows = sorted(rows)[:_ROWS]  # threads report them in any order
    for row in rows:
        path, mark, rest = row.partition(b"\0")
        number = rest.partition(b":")[0]
        if mark and number.isdigit():
            found.append((path.decode("utf-8", "replace").removeprefix("./"), int(number)))
    return sorted(found)


CHANNEL = Channel("text", 1.5, find)
