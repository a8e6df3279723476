"""Implementors: a matched interface brings the types that implement it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy

from sonde.model import TYPE_KINDS, EdgeKind
from sonde.retrieve.channel import Channel, Hit

if TYPE_CHECKING:
    from sonde.retrieve.view import View

CHANNEL_NAME = "implementors"
_TYPES = 8  # best matched types that are considered
_MOST = 12  # a base shared by more types is plumbing
_LIMIT = 24
_KINDS = numpy.zeros(256, dtype=bool)
_KINDS[[EdgeKind.IMPLEMENTS, EdgeKind.EXTENDS]] = True


def implementors(best: list[int], view: View) -> tuple[Channel, list[Hit]]:
    """Types that implement or extend the best matched types, in their order."""
    hits: list[Hit] = []
    seen = 0
    for record in view.records(best):
        if record.kind not in TYPE_KINDS or seen >= _TYPES:
            continue
        seen += 1
        rows = view.index.graph.incoming
        part = slice(int(rows.indptr[record.id]), int(rows.indptr[record.id + 1]))
        # a popular type is mentioned by thousands: only what remains becomes a list
        others = rows.other[part][_KINDS[rows.kind[part]]].tolist()
        sources = [id for id in others if not view.is_test(id)]
        if len(sources) <= _MOST:
            placed = view.by_place(sources)
            hits.extend(Hit(id, 1.0 / seen, f"implements {record.name}") for id in placed)
    return Channel(CHANNEL_NAME, 0.5, lambda *_: []), hits[:_LIMIT]
