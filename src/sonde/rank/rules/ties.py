"""Ties to the best candidates: what they use, and what uses them."""

from __future__ import annotations

from collections.abc import Callable

import numpy
from numpy.typing import NDArray

from sonde.model import EdgeKind
from sonde.rank.rule import Field, Rule
from sonde.retrieve.walk import edges_of

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
    """The summed scores of the best candidates from which (forward) or to which an edge leads.

    Unlike in the walk, it does not matter how many other edges they have.
    """

    def values(field: Field) -> NDArray[numpy.float64]:
        paths = field.view.paths
        rows = paths.outgoing if forward else paths.incoming
        ids = numpy.array(list(field.best), numpy.int64)
        standing = numpy.array(list(field.best.values()))
        edges, counts = edges_of(rows, ids)
        best = numpy.arange(len(ids)).repeat(counts)
        other = field.place[rows.other[edges]]
        wanted = KINDS[rows.kind[edges]] & (other >= 0) & (other != field.place[ids][best])
        # Each counts once, however many edges lead there; sorted best first.
        pairs = numpy.unique(best[wanted] * len(field.rows) + other[wanted])
        tied = numpy.zeros(len(field.rows))
        best, other = numpy.divmod(pairs, max(len(field.rows), 1))
        numpy.add.at(tied, other, standing[best])
        return tied

    return values


RULES = (
    Rule("used-by-best", 0.15, _tied(forward=True)),
    Rule("uses-best", 0.05, _tied(forward=False)),
)
