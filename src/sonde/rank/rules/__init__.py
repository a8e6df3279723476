"""All ranking rules, in the order in which explanations list them."""

from __future__ import annotations

from sonde.rank.rule import Rule
from sonde.rank.rules import channels, cohesion, coverage, kinds, structure, walked

ALL: tuple[Rule, ...] = (
    *channels.RULES,
    *coverage.RULES,
    *walked.RULES,
    *structure.RULES,
    *cohesion.RULES,
    *kinds.RULES,
)
