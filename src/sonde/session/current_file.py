"""The file in the editor: whole where it fits, else the parts that matter, marked as such."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Sequence
from dataclasses import dataclass

from sonde.model import CALLABLE_KINDS, TYPE_KINDS, Ranked
from sonde.pack.tokens import TokenCounter
from sonde.retrieve.view import View
from sonde.session.editor import Editor
from sonde.session.trimmed import beginning
from sonde.store.source import Stale, read_source

SMALLEST = 48  # tokens: a few lines around what matters always stay
_AROUND = 4  # lines around a selection or diagnostic outside of any definition
_OPENING = 12  # lines; imports tell what the rest means
_LARGEST = 2_000_000  # bytes; nobody edits more by hand
_COUNTED = 8  # characters of a token at most: what is far too long is not counted


@dataclass(frozen=True, slots=True)
class FilePart:
    """Text of the current file; `note` says which lines if it is not all of them."""

    text: str = ""
    note: str = ""
    spans: tuple[tuple[int, int], ...] = ()  # first and last line of what is shown


class CurrentFile:
    """Reads the file once and cuts it to any room."""

    def __init__(
        self, view: View, editor: Editor, ranked: Sequence[Ranked], counter: TokenCounter
    ) -> None:
        workspace = view.index.workspace
        data = read_source(str(workspace.root), editor.current_file, workspace.overlay, _LARGEST)
        text = "" if isinstance(data, Stale) else data.decode("utf-8", "replace")
        self.problem = data.reason if isinstance(data, Stale) else ""
        self._lines = text.split("\n")
        self._counter = counter
        self._wanted = _wanted(view, editor, ranked, len(self._lines))
        self.text = text.strip("\n")

    def part(self, room: int) -> FilePart:
        """As much as fits: everything, or whole ranges in order of importance."""
        if not self.text.strip():
            return FilePart("", self.problem)
        if len(self.text) <= room * _COUNTED and self._counter.count(self.text) <= room:
            return FilePart(self.text, "", ((1, len(self._lines)),))
        room = max(room, SMALLEST)
        spans = _joined(self._chosen(room))
        pieces = []
        for first, last in spans:
            pieces += [f"… line {first}", *self._lines[first - 1 : last]]
        listed = ", ".join(f"{first}-{last}" for first, last in spans)
        note = f"lines {listed} of {len(self._lines)}: the rest has no room"
        if len(pieces) == 2 and self._cost(*spans[0]) > room:  # a whole program on one line
            return FilePart(beginning("\n".join(pieces), room, self._counter), note)
        return FilePart("\n".join(pieces), note, tuple(spans))

    def _chosen(self, room: int) -> list[tuple[int, int]]:
        chosen: list[tuple[int, int]] = []
        for first, last, key in self._wanted:
            cost = self._cost(first, last)
            if cost > room and not chosen:
                # Even the most important range is too long: take what lies around its key line.
                first, last = self._clipped(first, last, key, room)
                cost = self._cost(first, last)
            if cost <= room or not chosen:
                chosen.append((first, last))
                room -= cost
        return chosen

    def _cost(self, first: int, last: int) -> int:
        text = "\n".join(self._lines[first - 1 : last])
        if len(text) > 400_000:
            return len(text)
        return self._counter.count(text) + 4 + (last - first) // 2

    def _clipped(self, first: int, last: int, key: int, room: int) -> tuple[int, int]:
        """The widest range around the key line that has room; the key line at least."""

        def around(reach: int) -> tuple[int, int]:
            return max(first, key - reach), min(last, key + reach)

        reaches = range(1, last - first + 1)
        return around(bisect(reaches, room, key=lambda reach: self._cost(*around(reach))))


def _wanted(
    view: View, editor: Editor, ranked: Sequence[Ranked], count: int
) -> list[tuple[int, int, int]]:
    """(first, last, key line) of what matters in the file, most important first."""
    path = editor.current_file
    spans: list[tuple[int, int, int]] = []
    if editor.selection is not None:
        first, last = editor.selection
        spans.append((first - _AROUND, last + _AROUND, (first + last) // 2))
    lines = [each.line for each in editor.diagnostics if each.file == path]
    if editor.selection is not None:
        lines.append(editor.selection[0])
    for line in lines:
        id = view.running(path, line) if view.index.file_record(path) else None
        for record in view.records([id]) if id is not None else ():
            spans.append((record.start_line, record.end_line, line))
        spans.append((line - _AROUND, line + _AROUND, line))
    for one in ranked:
        if one.symbol.file == path and one.symbol.kind in CALLABLE_KINDS | TYPE_KINDS:
            spans.append((one.symbol.start_line, one.symbol.end_line, one.symbol.start_line))
    spans.append((1, _OPENING, 1))
    kept = []
    for first, last, key in spans:
        first, last = max(1, min(first, count)), max(1, min(last, count))
        kept.append((first, last, max(first, min(key, last))))
    return list(dict.fromkeys(kept))


def _joined(spans: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Ranges in order of appearance, with those that touch joined."""
    found: list[tuple[int, int]] = []
    for first, last in sorted(spans):
        if found and first <= found[-1][1] + 1:
            found[-1] = (found[-1][0], max(found[-1][1], last))
        else:
            found.append((first, last))
    return found
