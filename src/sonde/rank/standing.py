"""How a candidate stands among the others by the sum of the rules, and in the code by its links.

The rules judge one candidate at a time. What a list needs as a whole (a type beside its methods,
not the fifth member of a type before the first of another) only shows once all are summed up; the
trees learn it from these features. Equal sums stand equal: the order of candidates decides nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import NamedTuple

import numpy
from numpy.typing import NDArray

from sonde.model import EdgeKind
from sonde.rank.rule import DIGITS, Field, Values
from sonde.rank.rules.neighbours import uses_among
from sonde.rank.rules.popularity import arriving
from sonde.retrieve.name_shapes import LETTERS, OWNERS, WORDS

_NOBODY = 9.0  # further behind than any candidate: of those without an owner or members
_LEADING = 15  # places that count as good company
_FADING = 10.0  # places over which the weight of a neighbour falls to 1/e

# Links that tell a symbol's part in the code: a contract is implemented and hinted at, a helper is
# called, an entry point calls.
_LINKS = (
    EdgeKind.CALLS,
    EdgeKind.REFERENCES,
    EdgeKind.TYPE_HINT_OF,
    EdgeKind.IMPORTS,
    EdgeKind.EXTENDS,
    EdgeKind.IMPLEMENTS,
    EdgeKind.OVERRIDES,
    EdgeKind.TESTS,
    EdgeKind.TESTED_BY,
    EdgeKind.DOCUMENTS,
    EdgeKind.ACCESSES_FIELD,
    EdgeKind.SIMILAR_TO,
    EdgeKind.CO_TESTED_WITH,
    EdgeKind.THROWS,
    EdgeKind.CONTAINS,
)

Places = NDArray[numpy.int64]


class Standing:
    """The candidates of a field with their sums; what several features share is made once."""

    def __init__(self, field: Field, totals: Values) -> None:
        """Round the sums as the final order does, so that what is equal there is equal here."""
        self.field = field
        self.totals = totals.round(DIGITS)
        self.behind = self.totals.max(initial=0.0) - self.totals

    @cached_property
    def place(self) -> Values:
        """How many have a higher sum."""
        place: Values = numpy.sort(self.behind).searchsorted(self.behind).astype(float)
        return place

    @cached_property
    def fading(self) -> Values:
        """What a candidate's company is worth: 1 for the best."""
        return numpy.exp(-self.place / _FADING)

    @cached_property
    def owner(self) -> Places:
        """The position of each candidate's owner among the candidates, -1 for none."""
        parents = self._parents
        return numpy.where(parents > 0, self.field.place[parents], -1).astype(numpy.int64)

    @cached_property
    def siblings(self) -> Places:
        """A number for each owner; what has none belongs to its file."""
        return numpy.where(self._parents > 0, self._parents, -1 - self.field.files[1])

    @cached_property
    def shapes(self) -> Values:
        """Of what each candidate's name is made, a row for each number."""
        return self.field.view.name_shapes.of(self.field.rows, self.field.records)

    @cached_property
    def arrived(self) -> Values:
        """How many links of each kind arrive, on a log scale: a row per kind."""
        counts: Values = numpy.log1p(arriving(self.field).T)
        return counts

    @cached_property
    def left(self) -> Values:
        """How many links of each kind leave, on a log scale: a row per kind."""
        counts: Values = numpy.log1p(self.field.view.leaving(self.field.rows).T)
        return counts

    @property
    def _parents(self) -> Places:
        return self.field.view.index.graph.columns.parent[self.field.rows].astype(numpy.int64)


class Feature(NamedTuple):
    """What the trees look at beside the values of the rules."""

    name: str
    values: Callable[[Standing], Values]


def _spread(standing: Standing) -> Values:
    """The sum, measured by the mean and the spread of all candidates."""
    totals = standing.totals
    spread: Values = (totals - totals.mean()) / (totals.std() + 1e-6)
    return spread


def _owner_behind(standing: Standing) -> Values:
    owner = standing.owner
    return numpy.where(owner >= 0, standing.behind[owner], _NOBODY)


def _owner_place(standing: Standing) -> Values:
    owner = standing.owner
    return numpy.where(owner >= 0, numpy.log1p(standing.place[owner]), _NOBODY)


def _member_behind(standing: Standing) -> Values:
    """How far the best of a type's members is behind."""
    owner = standing.owner
    best = numpy.full(len(owner), _NOBODY)
    numpy.minimum.at(best, owner[owner >= 0], standing.behind[owner >= 0])
    return best


def _members_leading(standing: Standing) -> Values:
    owner = standing.owner
    counted = owner[(owner >= 0) & (standing.place < _LEADING)]
    return numpy.bincount(counted, minlength=len(owner)).astype(float)


def _siblings_better(standing: Standing) -> Values:
    """How many with the same owner have a higher sum."""
    groups = standing.siblings * len(standing.place)
    ranks = groups + standing.place.astype(numpy.int64)  # by owner, then by sum; equals are equal
    ordered = numpy.sort(ranks)
    return (ordered.searchsorted(ranks) - ordered.searchsorted(groups)).astype(float)


def _siblings_leading(standing: Standing) -> Values:
    groups = standing.siblings
    leading = numpy.sort(groups[standing.place < _LEADING])
    return (leading.searchsorted(groups, "right") - leading.searchsorted(groups)).astype(float)


def _used_by_leading(standing: Standing) -> Values:
    uses = uses_among(standing.field)
    return _sums(uses.used, standing.fading[uses.user], len(standing.behind))


def _uses_leading(standing: Standing) -> Values:
    uses = uses_among(standing.field)
    return _sums(uses.user, standing.fading[uses.used], len(standing.behind))


def _sums(places: Places | NDArray[numpy.int16], worth: Values, count: int) -> Values:
    return numpy.bincount(places, worth, count).astype(float)


def _arriving(standing: Standing) -> Values:
    arrived: Values = numpy.log1p(arriving(standing.field).sum(axis=1))
    return arrived


def _lines(standing: Standing) -> Values:
    columns, rows = standing.field.view.index.graph.columns, standing.field.rows
    lines: Values = numpy.log1p(columns.end_line[rows] - columns.start_line[rows] + 1.0)
    return lines


def _folders(standing: Standing) -> Values:
    paths, places = standing.field.files
    return numpy.array([float(path.count("/")) for path in paths])[places]


def _shape(row: int) -> Callable[[Standing], Values]:
    """One of the numbers that names are made of."""

    def values(standing: Standing) -> Values:
        numbers: Values = standing.shapes[row]
        return numbers

    return values


def _links_in(kind: EdgeKind) -> Feature:
    return Feature(f"{_spelled(kind)}-in", lambda standing: standing.arrived[kind])


def _links_out(kind: EdgeKind) -> Feature:
    return Feature(f"{_spelled(kind)}-out", lambda standing: standing.left[kind])


def _spelled(kind: EdgeKind) -> str:
    return kind.name.lower().replace("_", "-")


FEATURES = (
    Feature("behind-best", lambda standing: standing.behind),
    Feature("place", lambda standing: numpy.log1p(standing.place)),
    Feature("spread", _spread),
    Feature("owner-behind", _owner_behind),
    Feature("owner-place", _owner_place),
    Feature("member-behind", _member_behind),
    Feature("members-leading", _members_leading),
    Feature("siblings-better", _siblings_better),
    Feature("siblings-leading", _siblings_leading),
    Feature("used-by-leading", _used_by_leading),
    Feature("uses-leading", _uses_leading),
    Feature("arriving", _arriving),
    Feature("lines", _lines),
    Feature("folders", _folders),
    Feature("owners", _shape(OWNERS)),
    Feature("name-words", _shape(WORDS)),
    Feature("name-length", _shape(LETTERS)),
    *map(_links_in, _LINKS),
    *map(_links_out, _LINKS),
)
