"""How the rest of the code treats a symbol: contracts are used, extended, overridden."""

from __future__ import annotations

from collections.abc import Callable

import numpy
from numpy.typing import NDArray

from sonde.model import EdgeKind
from sonde.rank.rule import ARRIVING, Field, Rule

_SCALE = 6.0  # log1p of 400 uses; more says nothing new


def arriving(field: Field) -> NDArray[numpy.int64]:
    """How many edges arrive at the candidates: a row each, a column for each kind of edge."""
    return field.once(ARRIVING, lambda: field.view.arriving_at(field.rows))


def _arriving(*kinds: EdgeKind) -> Callable[[Field], NDArray[numpy.float64]]:
    """How many edges of some kinds arrive at each candidate, on a log scale up to 1."""

    def values(field: Field) -> NDArray[numpy.float64]:
        counts: NDArray[numpy.int64] = arriving(field)[:, kinds].sum(axis=1)
        return numpy.minimum(1.0, numpy.log1p(counts) / _SCALE)

    return values


RULES = (
    Rule("used", 0.18, _arriving(EdgeKind.CALLS, EdgeKind.REFERENCES, EdgeKind.TYPE_HINT_OF)),
    Rule("imported", 0.02, _arriving(EdgeKind.IMPORTS)),
    Rule("extended", 0.07, _arriving(EdgeKind.EXTENDS, EdgeKind.IMPLEMENTS)),
    Rule("overridden", 0.17, _arriving(EdgeKind.OVERRIDES, EdgeKind.INHERITS)),
)
