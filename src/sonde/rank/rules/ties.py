"""Ties to the best candidates: what they use, and what uses them."""

from __future__ import annotations

from collections.abc import Callable

import numpy
from numpy.typing import NDArray

from sonde.model import EdgeKind
from sonde.rank.rule import Field, Rule

KINDS = numpy.zeros(256, dtype=bool)
KINDS[
    [
        EdgeKind.CALLS,
        EdgeKind.REFERENCES,
        EdgeKind.TYPE_HINT_OF,
        EdgeKind.EXTENDS,
        EdgeKind.IMPLEMENTS,
        EdgeKind.OVERRIDES,
    ]
] = True


def _tied(forward: bool) -> Callable[[Field], NDArray[numpy.float64]]:
    """The standing of the best candidates from which (forward) or to which an edge leads.

    Unlike the walk, it does not matter how many other edges they have.
    """

    def values(field: Field) -> NDArray[numpy.float64]:
        paths = field.view.paths
        rows = paths.outgoing if forward else paths.incoming
        place = field.place
        tied = numpy.zeros(len(field.rows))
        for id, standing in field.best.items():
            part = slice(rows.indptr[id], rows.indptr[id + 1])
            others = place[rows.other[part][KINDS[rows.kind[part]]]]
            once = numpy.zeros(len(field.rows))  # however many edges lead there
            once[others[(others >= 0) & (others != place[id])]] = standing
            tied += once
        return tied

    return values


RULES = (
    Rule("used-by-best", 0.15, _tied(forward=True)),
    Rule("uses-best", 0.05, _tied(forward=False)),
)
