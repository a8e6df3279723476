"""What each channel thought of a candidate."""

from __future__ import annotations

from sonde.rank.rule import Field, Rule


def _fusion(field: Field) -> list[float]:
    best = max((fused.score for fused in field.fused.values()), default=0.0) or 1.0
    return [
        field.fused[record.id].score / best if record.id in field.fused else 0.0
        for record in field.records
    ]


RULES = (
    Rule("fusion", 0.5, _fusion),
    Rule("fulltext", 1.0, lambda field: field.channel("fulltext")),
    Rule("names", 0.8, lambda field: field.channel("names")),
    Rule("frames", 1.0, lambda field: field.channel("frames")),
    Rule("text", 0.4, lambda field: field.channel("text")),
    Rule("concepts", 0.1, lambda field: field.channel("concepts")),
    Rule("paths", 0.1, lambda field: field.channel("paths")),
)
