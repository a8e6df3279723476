"""Answers for people: aligned columns that fit the terminal."""

from __future__ import annotations

from collections.abc import Sequence

from sonde.cli.console import Console, cut, safe
from sonde.model import SymbolRecord

_GAP = "  "
_NARROWEST = 8
_NARROWEST_PROSE = 16


def place(record: SymbolRecord) -> str:
    """Where a symbol is: file and lines."""
    last = f"-{record.end_line}" if record.end_line != record.start_line else ""
    return f"{record.file}:{record.start_line}{last}"


def table(
    console: Console, rows: Sequence[Sequence[str]], indent: int = 0, *, prose: bool = False
) -> None:
    """Rows in aligned columns that fit the terminal; `prose` marks the last column as words."""
    cells = [[safe(cell) for cell in row] for row in rows]
    if not cells:
        return
    widths = [max(len(row[column]) for row in cells) for column in range(len(cells[0]))]
    room = console.width - indent - len(_GAP) * (len(widths) - 1)
    if prose:
        left = room - sum(widths[:-1])
        # Names and places come first; where few columns are left, the words are not shown.
        widths[-1] = min(widths[-1], left if left >= _NARROWEST_PROSE else 0)
    _shrink(widths, room, len(widths) - prose)
    for row in cells:
        parts = [_front_cut(cell, width) for cell, width in zip(row, widths, strict=True)]
        if prose:
            parts[-1] = cut(row[-1], widths[-1])
        padded = [part.ljust(width) for part, width in zip(parts, widths, strict=True)]
        console.line(" " * indent + _GAP.join(padded).rstrip())


def _shrink(widths: list[int], room: int, columns: int) -> None:
    """Take from the widest of the first columns until all fit."""
    while sum(widths) > room:
        widest = max(range(columns), key=lambda column: (widths[column], -column))
        if widths[widest] <= _NARROWEST:
            return
        widths[widest] -= 1


def _front_cut(cell: str, width: int) -> str:
    """A cell that fits. Names and paths differ most at their ends, so the front is cut."""
    return cell if len(cell) <= width else "…" + cell[len(cell) - width + 1 :]


def heading(console: Console, title: str) -> None:
    """A line above a group."""
    console.line(console.paint(title, "bold"))


def wrapped(console: Console, text: str, indent: int) -> None:
    """One line of repository text, cut to the terminal."""
    if text:
        console.line(" " * indent + cut(text, console.width - indent))
