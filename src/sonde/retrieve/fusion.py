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
    scores: Mapping[str, float]  # by channel, relative to the channel's best
    evidence: tuple[Evidence, ...]


def extended(fused: dict[int, Fused], channel: Channel, hits: Sequence[Hit]) -> dict[int, Fused]:
    """The candidates with those of one more channel."""
    more = fuse([(channel, hits)])
    joined = dict(fused)
    for id, new in more.items():
        old = fused.get(id)
        joined[id] = (
            new
            if old is None
            else Fused(
                id, old.score + new.score, {**old.scores, **new.scores}, old.evidence + new.evidence
            )
        )
    return joined


def fuse(found: Sequence[tuple[Channel, Sequence[Hit]]]) -> dict[int, Fused]:
    """Candidates by id. Evidence scores are relative to the channel's best hit."""
    totals: dict[int, float] = {}
    scores: dict[int, dict[str, float]] = {}
    evidence: dict[int, list[Evidence]] = {}
    for channel, hits in found:
        best = max((hit.score for hit in hits), default=0.0) or 1.0
        for rank, hit in enumerate(hits, 1):
            totals[hit.id] = totals.get(hit.id, 0.0) + channel.weight / (RRF_K + rank)
            scores.setdefault(hit.id, {})[channel.name] = hit.score / best
            proof = Evidence(channel.name, rank, hit.score / best, hit.reason)
            evidence.setdefault(hit.id, []).append(proof)
    return {id: Fused(id, total, scores[id], tuple(evidence[id])) for id, total in totals.items()}


def by_score(fused: Mapping[int, Fused]) -> list[Fused]:
    """Best first; equal scores by first evidence, then id-free order of insertion."""
    return sorted(fused.values(), key=lambda one: -one.score)
