"""Weighted reciprocal rank fusion of the channels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from sonde.model import Evidence
from sonde.retrieve.channel import Channel, Hit

RRF_K = 60


class Fused(NamedTuple):
    """A candidate id with its fused score and what each channel said."""

    id: int
    score: float
    evidence: tuple[Evidence, ...]


Found = Sequence[tuple[Channel, Sequence[Hit]]]
Shares = dict[str, dict[int, float]]  # each channel's scores by symbol, relative to its best
_new: Any = tuple.__new__  # half the cost of calling the class


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


def fuse(found: Found, only: Mapping[int, float] | None = None) -> tuple[dict[int, Fused], Shares]:
    """Candidates by id, best first, and each channel's scores for them.

    With `only`, a subset of the totals, just those: no evidence is recorded for the many
    candidates that nobody will see.
    """
    sums = _sorted_totals(found) if only is None else only
    evidence: dict[int, list[Evidence]] = {id: [] for id in sums}
    shares: Shares = {}
    for channel, hits in found:
        name, said = channel.name, shares.setdefault(channel.name, {})
        best = max([hit[1] for hit in hits], default=0.0) or 1.0
        for rank, (id, score, reason) in enumerate(hits, 1):
            if (proofs := evidence.get(id)) is not None:
                said[id] = share = score / best
                proofs.append(_new(Evidence, (name, rank, share, reason)))
    fused = {id: _new(Fused, (id, sums[id], tuple(each))) for id, each in evidence.items()}
    return fused, shares


def _sorted_totals(found: Found) -> dict[int, float]:
    sums = totals(found)
    return {id: sums[id] for id in best_of(sums, len(sums))}


def by_score(fused: Mapping[int, Fused]) -> list[Fused]:
    """Best first; ties in the order in which `fuse` put them, which does not depend on ids."""
    return sorted(fused.values(), key=lambda one: -one.score)
