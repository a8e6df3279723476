"""All ranking rules, in the order in which explanations list them."""

from __future__ import annotations

from sonde.rank.rule import Rule
from sonde.rank.rules import (
    base,
    bulk,
    channels,
    cohesion,
    coverage,
    kinds,
    neighbours,
    numbered,
    popularity,
    ties,
    walked,
    whole_files,
)

# Rules that judge a symbol by itself choose the seeds of the walk; others judge it by the company
# it keeps. The last ones judge it by its ties to the best candidates, and by its bulk, which makes
# it a poor answer but not a poor seed; and the base of all scores is set.
OWN: tuple[Rule, ...] = (*channels.RULES, *coverage.RULES, *kinds.RULES, *popularity.RULES)
COMPANY: tuple[Rule, ...] = (
    *walked.RULES,
    *cohesion.RULES,
    *whole_files.RULES,
    *neighbours.RULES,
    *numbered.RULES,
)
LAST: tuple[Rule, ...] = (*ties.RULES, *bulk.RULES, *base.RULES)
ALL: tuple[Rule, ...] = (*OWN, *COMPANY, *LAST)
