"""What each channel thought of a candidate."""

from __future__ import annotations

from sonde.rank.rule import Field, Rule


def _fusion(field: Field) -> list[float]:
    best = max((fused.score for fused in field.fused.values()), default=0.0) or 1.0
    return [
        field.fused[record.id].score / best if record.id in field.fused else 0.0
        for record in field.records
    ]


def _exactly_named(field: Field) -> list[float]:
    """Named by the task in so many words, and hardly anything else has that name."""
    return [1.0 if value > 0.7 else 0.0 for value in field.channel("names")]


RULES = (
    Rule("fusion", 0.2, _fusion),
    Rule("fulltext", 1.0, lambda field: field.channel("fulltext")),
    Rule("names", 0.3, lambda field: field.channel("names")),
    Rule("exactly-named", 0.2, _exactly_named),
    Rule("frames", 0.8, lambda field: field.channel("frames")),
    Rule("text", 0.3, lambda field: field.channel("text")),
    Rule("concepts", 0.1, lambda field: field.channel("concepts")),
    Rule("paths", 0.1, lambda field: field.channel("paths")),
)
