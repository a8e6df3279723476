"""What each channel thought of a candidate."""

from __future__ import annotations

from sonde.rank.rule import Field, Rule


def _exactly_named(field: Field) -> list[float]:
    """Named by the task in so many words, and hardly anything else has that name."""
    return [1.0 if value > 0.7 else 0.0 for value in field.channel("names")]


RULES = (
    Rule("fulltext", 0.20, lambda field: field.channel("fulltext")),
    Rule("names", 0.01, lambda field: field.channel("names")),
    Rule("exactly-named", 0.03, _exactly_named),
    Rule("frames", 0.42, lambda field: field.channel("frames")),
    Rule("text", 0.19, lambda field: field.channel("text")),
    Rule("aliases", 0.04, lambda field: field.channel("aliases")),
    Rule("documentation", 0.06, lambda field: field.channel("documentation")),
    Rule("tested", 0.06, lambda field: field.channel("tested")),
    Rule("history", 0.15, lambda field: field.channel("history")),
    Rule("concepts", 0.12, lambda field: field.channel("concepts")),
)
