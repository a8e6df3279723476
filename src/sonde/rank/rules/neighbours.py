"""Candidates adjacent in the graph: those that use a candidate, and those it uses.

Unlike in `ties`, all candidates count, each by its own merit.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy
from numpy.typing import NDArray

from sonde.rank.rule import Field, Rule
from sonde.rank.rules.ties import KINDS
from sonde.retrieve.walk import edges_of

Floats = NDArray[numpy.float64]
_MANY = 3.0  # log1p of 19 candidates; more says nothing new


class _Pairs(NamedTuple):
    """Pairs of candidates of which one uses the other, one per edge."""

    candidate: NDArray[numpy.int64]
    neighbour: NDArray[numpy.int16]
    edges: NDArray[numpy.int64]  # number per candidate, wherever they lead


def _pairs(field: Field, *, users: bool) -> _Pairs:
    paths = field.view.paths
    rows = paths.incoming if users else paths.outgoing
    edges, counts = edges_of(rows, field.rows)
    candidate = numpy.arange(len(field.rows)).repeat(counts)
    wanted = KINDS[rows.kind[edges]]
    candidate, other = candidate[wanted], rows.other[edges[wanted]]
    neighbour = field.place[other]
    known = (neighbour >= 0) & (neighbour != candidate)
    every = numpy.bincount(candidate, minlength=len(field.rows))
    return _Pairs(candidate[known], neighbour[known], every)


def _users(field: Field) -> _Pairs:
    return field.once("users", lambda: _pairs(field, users=True))


def _best_user(field: Field) -> Floats:
    """The score of the best candidate that uses it."""
    pairs = _users(field)
    found = numpy.zeros(len(field.rows))
    numpy.maximum.at(found, pairs.candidate, field.merits[pairs.neighbour])
    return found / (float(field.merits.max(initial=0.0)) or 1.0)


def _users_found(field: Field) -> Floats:
    """The share of its uses that come from candidates: if high, hardly anything else needs it."""
    pairs = _users(field)
    found = numpy.bincount(pairs.candidate, minlength=len(field.rows))
    share: Floats = found / numpy.maximum(pairs.edges, 1)
    return share


def _uses_found(field: Field) -> Floats:
    """How many candidates it uses, on a log scale up to 1: it ties the subject together."""
    pairs = _pairs(field, users=False)
    distinct = numpy.unique(pairs.candidate * len(field.rows) + pairs.neighbour)
    found = numpy.bincount(distinct // max(len(field.rows), 1), minlength=len(field.rows))
    return numpy.minimum(1.0, numpy.log1p(found) / _MANY)


RULES = (
    Rule("best-user", 0.1, _best_user),
    Rule("users-found", 0.13, _users_found),
    Rule("uses-found", 0.15, _uses_found),
)
