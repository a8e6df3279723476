"""Weighted reciprocal rank fusion of the channels."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from operator import itemgetter
from typing import NamedTuple

from sonde.model import Evidence
from sonde.retrieve.channel import Channel, Hit

RRF_K = 60


class Fused(NamedTuple):
    """A candidate id with its fused score and what each channel said."""

    id: int
    score: float
    evidence: tuple[Evidence, ...]


Found = Sequence[tuple[Channel, Sequence[Hit]]]


def totals(found: Found) -> dict[int, float]:
    """The fused score of each candidate, best first.

    Equal scores by first evidence, then in the order of the channels, which no id decides.
    """
    scores: dict[int, float] = {}
    for channel, hits in found:
        weight = channel.weight
        for place, (id, _, _) in enumerate(hits, RRF_K + 1):
            scores[id] = scores.get(id, 0.0) + weight / place
    return dict(sorted(scores.items(), key=itemgetter(1), reverse=True))


def shares(found: Found, only: Container[int]) -> dict[str, dict[int, float]]:
    """What each channel says of some of its hits, relative to its best."""
    said = {}
    for channel, hits in found:
        best = max((hit.score for hit in hits), default=0.0) or 1.0
        said[channel.name] = {id: score / best for id, score, _ in hits if id in only}
    return said


def fuse(found: Found, only: Mapping[int, float] | None = None) -> dict[int, Fused]:
    """Candidates by id, best first. Evidence scores are relative to the channel's best hit.

    With `only`, some of the totals, those alone: the evidence of the many that nobody will see is
    not written down.
    """
    sums = totals(found) if only is None else only
    evidence: dict[int, list[Evidence]] = {id: [] for id in sums}
    for channel, hits in found:
        best = max((hit.score for hit in hits), default=0.0) or 1.0
        for rank, (id, score, reason) in enumerate(hits, 1):
            if (proofs := evidence.get(id)) is not None:
                proofs.append(Evidence(channel.name, rank, score / best, reason))
    return {id: Fused(id, sums[id], tuple(proofs)) for id, proofs in evidence.items()}


def by_score(fused: Mapping[int, Fused]) -> list[Fused]:
    """Best first; equal scores by first evidence, then id-free order of insertion."""
    return sorted(fused.values(), key=lambda one: -one.score)
