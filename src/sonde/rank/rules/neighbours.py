"""Candidates adjacent in the graph: those that use a candidate, and those it uses.

Unlike in `ties`, all candidates count, each by its own merit.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy
from numpy.typing import NDArray

from sonde.rank.rule import Field, Rule
from sonde.rank.rules.popularity import arriving
from sonde.rank.rules.ties import KINDS
from sonde.retrieve.walk import edges_of

Floats = NDArray[numpy.float64]
_KINDS = numpy.flatnonzero(KINDS)
_MANY = 3.0  # log1p of 19 candidates; more says nothing new


class _Uses(NamedTuple):
    """Pairs of candidates of which one uses the other, one per edge."""

    user: NDArray[numpy.int64]
    used: NDArray[numpy.int16]


def uses_among(field: Field) -> _Uses:
    return field.once("uses", lambda: _found(field))


def _found(field: Field) -> _Uses:
    """Found by the edges that leave candidates: nearly twice as many arrive at them."""
    rows = field.view.paths.outgoing
    edges, counts = edges_of(rows, field.rows)
    user = numpy.arange(len(field.rows)).repeat(counts)
    wanted = KINDS[rows.kind[edges]]
    user, used = user[wanted], field.place[rows.other[edges[wanted]]]
    known = (used >= 0) & (used != user)
    return _Uses(user[known], used[known])


def _best_user(field: Field) -> Floats:
    """The score of the best candidate that uses it."""
    uses = uses_among(field)
    found = numpy.zeros(len(field.rows))
    numpy.maximum.at(found, uses.used, field.merits[uses.user])
    return found / (float(field.merits.max(initial=0.0)) or 1.0)


def _users_found(field: Field) -> Floats:
    """The share of its uses that come from candidates: if high, hardly anything else needs it."""
    found = numpy.bincount(uses_among(field).used, minlength=len(field.rows))
    every = arriving(field)[:, _KINDS].sum(axis=1)
    share: Floats = found / numpy.maximum(every, 1)
    return share


def _uses_found(field: Field) -> Floats:
    """How many candidates it uses, on a log scale up to 1: it ties the subject together."""
    uses = uses_among(field)
    distinct = numpy.unique(uses.user * len(field.rows) + uses.used)
    found = numpy.bincount(distinct // max(len(field.rows), 1), minlength=len(field.rows))
    return numpy.minimum(1.0, numpy.log1p(found) / _MANY)


RULES = (
    Rule("best-user", 0.1, _best_user),
    Rule("users-found", 0.13, _users_found),
    Rule("uses-found", 0.15, _uses_found),
)
