"""Candidates beside each other in the graph: what uses a candidate, and what it uses.

Unlike ties to the best, all candidates count, each with its own merit.
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
    """Each candidate with each neighbour once, both by their place among the candidates."""

    candidate: NDArray[numpy.int64]
    neighbour: NDArray[numpy.int64]
    others: NDArray[numpy.int64]  # how many neighbours of each candidate are none themselves


def _pairs(field: Field, *, users: bool) -> _Pairs:
    paths = field.view.paths
    rows = paths.incoming if users else paths.outgoing
    edges, counts = edges_of(rows, field.rows)
    candidate = numpy.arange(len(field.rows)).repeat(counts)
    wanted = KINDS[rows.kind[edges]]
    keys = numpy.unique(candidate[wanted] * paths.size + rows.other[edges[wanted]])
    candidate, other = keys // paths.size, keys % paths.size
    place = numpy.full(paths.size, -1, numpy.int64)
    place[field.rows] = numpy.arange(len(field.rows))
    neighbour = place[other]
    known = (neighbour >= 0) & (neighbour != candidate)
    others = numpy.bincount(candidate[neighbour < 0], minlength=len(field.rows))
    return _Pairs(candidate[known], neighbour[known], others)


def _best_user(field: Field) -> Floats:
    """The standing of the best candidate that uses it."""
    pairs = _pairs(field, users=True)
    own = numpy.array([field.own[record.id] for record in field.records])
    found = numpy.zeros(len(field.rows))
    numpy.maximum.at(found, pairs.candidate, own[pairs.neighbour])
    return found / (float(own.max(initial=0.0)) or 1.0)


def _users_found(field: Field) -> Floats:
    """The share of what uses it that are candidates: hardly anything else needs it."""
    pairs = _pairs(field, users=True)
    found = numpy.bincount(pairs.candidate, minlength=len(field.rows))
    share: Floats = found / numpy.maximum(found + pairs.others, 1)
    return share


def _uses_found(field: Field) -> Floats:
    """How many candidates it uses, on a log scale up to 1: it leads through the matter."""
    found = numpy.bincount(_pairs(field, users=False).candidate, minlength=len(field.rows))
    return numpy.minimum(1.0, numpy.log1p(found) / _MANY)


RULES = (
    Rule("best-user", 0.1, _best_user),
    Rule("users-found", 0.13, _users_found),
    Rule("uses-found", 0.15, _uses_found),
)
