"""Weighted reciprocal rank fusion of the channels."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from operator import itemgetter
from typing import Any

from sonde.model import Evidence
from sonde.retrieve.channel import Channel, Hit

RRF_K = 60


Found = Sequence[tuple[Channel, Sequence[Hit]]]
Shares = dict[str, dict[int, float]]  # each channel's scores by symbol, relative to its best
_new: Any = tuple.__new__  # half the cost of calling the class
_score = itemgetter(1)  # of a hit


def totals(found: Found, before: Mapping[int, float] | None = None) -> dict[int, float]:
    """The fused score of each candidate, added to the scores `before` from earlier channels.

    Ordered by first evidence, then by channel, so that the order never depends on ids.
    """
    scores = dict(before or {})
    for channel, hits in found:
        weight = channel.weight
        for place, (id, _, _) in enumerate(hits, RRF_K + 1):
            scores[id] = scores.get(id, 0.0) + weight / place
    return scores


def best_of(scores: Mapping[int, float], most: int) -> list[int]:
    """The candidates with the highest scores, best first; ties stay in the order given."""
    return sorted(scores, key=scores.__getitem__, reverse=True)[:most]


def opinions(found: Found, ids: Iterable[int]) -> tuple[dict[int, list[Evidence]], Shares]:
    """What the channels say of some candidates, by id, and each channel's scores for them."""
    evidence: dict[int, list[Evidence]] = {id: [] for id in ids}
    shares: Shares = {}
    for channel, hits in found:
        name, said = channel.name, shares.setdefault(channel.name, {})
        best = max(map(_score, hits), default=0.0) or 1.0
        for rank, (id, score, reason) in enumerate(hits, 1):
            if (known := evidence.get(id)) is not None:
                said[id] = share = score / best
                known.append(_new(Evidence, (name, rank, share, reason)))
    return evidence, shares
