"""Evidence that passes between a type and its members."""

from __future__ import annotations

from sonde.model import TYPE_KINDS
from sonde.rank.rule import Field, Rule


def _from_owner(field: Field) -> list[float]:
    """A member of a type that the task is about."""
    scores = dict(zip((r.id for r in field.records), field.channel("fulltext"), strict=True))
    return [scores.get(record.parent, 0.0) for record in field.records]


def _from_members(field: Field) -> list[float]:
    """A type several of whose members the task is about."""
    scores = field.channel("fulltext")
    sums: dict[int, list[float]] = {}
    for record, score in zip(field.records, scores, strict=True):
        if record.parent and score:
            sums.setdefault(record.parent, []).append(score)
    values = []
    for record in field.records:
        best = sorted(sums.get(record.id, ()), reverse=True)[:3]
        values.append(sum(best) / 3.0 if record.kind in TYPE_KINDS else 0.0)
    return values


RULES = (
    Rule("from-owner", 0.3, _from_owner),
    Rule("from-members", 0.5, _from_members),
)
