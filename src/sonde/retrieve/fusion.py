"""Weighted reciprocal rank fusion of the channels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sonde.model import Evidence
from sonde.retrieve.channel import Channel, Hit

RRF_K = 60


@dataclass(frozen=True, slots=True)
class Fused:
    """A candidate id with its fused score and what each channel said."""

    id: int
    score: float
    evidence: tuple[Evidence, ...]

    def channel_score(self, name: str) -> float:
        """The channel's own score relative to its best, 0 when it did not propose this."""
        return next((e.score for e in self.evidence if e.channel == name), 0.0)


def fuse(found: Sequence[tuple[Channel, Sequence[Hit]]]) -> dict[int, Fused]:
    """Candidates by id. Evidence scores are relative to the channel's best hit."""
    scores: dict[int, float] = {}
    evidence: dict[int, list[Evidence]] = {}
    for channel, hits in found:
        best = max((hit.score for hit in hits), default=0.0) or 1.0
        for rank, hit in enumerate(hits):
            scores[hit.id] = scores.get(hit.id, 0.0) + channel.weight / (RRF_K + rank + 1)
            proof = Evidence(channel.name, rank + 1, hit.score / best, hit.reason)
            evidence.setdefault(hit.id, []).append(proof)
    return {id: Fused(id, score, tuple(evidence[id])) for id, score in scores.items()}


def by_score(fused: Mapping[int, Fused]) -> list[Fused]:
    """Best first; equal scores by first evidence, then id-free order of insertion."""
    return sorted(fused.values(), key=lambda one: -one.score)
