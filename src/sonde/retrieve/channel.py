"""A channel: (Query, View) → capped, ranked hits with reasons. One module each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from sonde.model import Query
    from sonde.retrieve.view import View


class Hit(NamedTuple):
    """A symbol proposed by a channel; scores are comparable only within that channel."""

    id: int
    score: float
    reason: str


class Channel(NamedTuple):
    """A named source of candidates and its weight in the fusion."""

    name: str
    weight: float
    find: Callable[[Query, View], list[Hit]]


def best_hits(scores: Mapping[int, float], reasons: Mapping[int, str], limit: int) -> list[Hit]:
    """The symbols with the best scores, best first. Ties keep the order given."""
    best = sorted(scores, key=scores.__getitem__, reverse=True)[:limit]
    return [Hit(id, scores[id], reasons[id]) for id in best]


def ranked(hits: list[Hit], limit: int) -> list[Hit]:
    """The best hit for each symbol, best first, capped. Ties keep the order given."""
    best: dict[int, Hit] = {}
    for hit in hits:
        known = best.get(hit.id)
        if known is None or hit.score > known.score:
            best[hit.id] = hit
    return sorted(best.values(), key=lambda hit: -hit.score)[:limit]
