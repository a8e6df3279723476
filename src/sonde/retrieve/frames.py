"""Stack frames and tool output: the symbol at each file and line, innermost first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sonde.retrieve.channel import Channel, Hit, ranked

if TYPE_CHECKING:
    from sonde.model import Frame, Query
    from sonde.retrieve.view import View

_LIMIT = 30
_FRAMES = 20


def find(query: Query, view: View) -> list[Hit]:
    """Symbols that the frames of a trace run through, and the error types raised."""
    hits: list[Hit] = []
    for depth, frame in enumerate(query.frames[:_FRAMES]):
        score = 1.0 / (1.0 + 0.25 * depth)
        hits.extend(Hit(id, score, reason) for id, reason in at_frame(frame, view))
    for error in query.errors:
        name = error.rpartition(".")[2]
        ids = view.ids_named(name.lower())[:3]
        hits.extend(Hit(id, 0.3, f"error type {name}") for id in ids)
    return ranked(hits, _LIMIT)


def at_frame(frame: Frame, view: View) -> list[tuple[int, str]]:
    """The symbols that a frame refers to, each with the reason in words."""
    name = frame.function.replace("::", ".").rpartition(".")[2].lower()
    for path in view.paths_ending(frame.file)[:2]:
        records = view.records(view.index.ids_in_file(path))
        inside = [r for r in records if r.start_line <= frame.line <= r.end_line and r.parent]
        by_name = [r for r in records if name and r.name.lower() == name]
        chosen = [r for r in inside if r.name.lower() == name] or by_name or inside[-1:]
        if chosen:
            file = path.rpartition("/")[2]  # the folders are shown with the symbol anyway
            where = f"frame {file}:{frame.line}" if frame.line else f"frame in {file}"
            return [(record.id, where) for record in chosen[:2]]
    if name and not frame.file:
        return [(id, f"frame in {frame.function}") for id in view.ids_named(name)[:3]]
    return []


CHANNEL = Channel("frames", 3.0, find)
