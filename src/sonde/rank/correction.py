"""The correction of the sum of the rules by trees, which see all rules and all candidates at once.

The trees are learned from requests, so the longer a text is, the less they count. A corrected score
is brought back to the level of the sums: what is shown depends on the share of the best score.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy

from sonde.rank.learned import report_share
from sonde.rank.rule import Field, Values
from sonde.rank.standing import FEATURES, Standing
from sonde.rank.table import Table
from sonde.rank.trees import learned_trees

RULE = "trees"
LEVEL = "level"  # what all scores have in common after they were brought back
OUTRIGHT = "marked"  # a task that says which symbol it means is not corrected in that
_LEAST, _MANY = 10, 200  # candidates: the trees were learned among many, where standing tells more


class Correction(NamedTuple):
    """The corrected score of each candidate, and how it came about."""

    table: Table
    share: float  # of the trees: 1 for a request with many candidates
    asked: Values  # what the trees were asked with, a row per candidate
    silent: frozenset[str]  # rules that are switched off: what the trees say of them does not count
    stretch: float
    level: float
    totals: Values

    @property
    def names(self) -> tuple[str, ...]:
        """Rules and features, in the order of the parts."""
        return tuple(dict.fromkeys((*self.table.names, *learned_trees().names, LEVEL)))

    @property
    def parts(self) -> Values:
        """What each of them adds to each candidate's score, one row each."""
        trees = learned_trees()
        place = {name: row for row, name in enumerate(self.names)}
        parts = numpy.zeros((len(place), len(self.totals)))
        parts[[place[name] for name in self.table.names]] = self.table.parts
        for name, part in zip(trees.names, trees.contributions(self.asked).T, strict=True):
            if name not in self.silent:
                parts[place[name]] += self.share * part
        parts[[row for name, row in place.items() if name != OUTRIGHT]] *= self.stretch
        parts[place[LEVEL]] = self.level
        return parts


def corrected(field: Field, table: Table) -> Correction | None:
    """The correction of a table's sums; None for a report, or with too few candidates."""
    share = (1.0 - report_share(field.query)) * min(1.0, len(field.records) / _MANY)
    if not share or len(field.records) < _LEAST:
        return None
    trees = learned_trees()
    asked = features(field, table, trees.names)
    silent = frozenset(trees.names) - {*table.names, *(feature.name for feature in FEATURES)}
    outright = _outright(table)
    sums = table.totals - outright
    totals = sums + share * _said(asked, silent)
    stretch, level = _level(sums, totals)
    totals = stretch * totals + level + outright
    return Correction(table, share, asked, silent, stretch, level, totals)


def _outright(table: Table) -> Values:
    """What being named outright adds to each candidate."""
    if OUTRIGHT not in table.names:
        return numpy.zeros(table.values.shape[1])
    row = table.names.index(OUTRIGHT)
    parts: Values = table.weights[row] * table.values[row]
    return parts


def _said(asked: Values, silent: frozenset[str]) -> Values:
    trees = learned_trees()
    if not silent:
        return trees.scores(asked)
    heard = [name not in silent for name in trees.names]
    said: Values = trees.contributions(asked)[:, heard].sum(axis=1)
    return said


def _level(sums: Values, totals: Values) -> tuple[float, float]:
    """What to multiply and add so that the first and the tenth have the scores they had."""
    (first, tenth), (now, then) = _first_and_tenth(sums), _first_and_tenth(totals)
    stretch = (first - tenth) / (now - then) if now > then and first > tenth else 1.0
    return stretch, first - stretch * now


def _first_and_tenth(scores: Values) -> tuple[float, float]:
    ordered = numpy.sort(scores)
    return float(ordered[-1]), float(ordered[-_LEAST])


def features(field: Field, table: Table, names: tuple[str, ...]) -> Values:
    """Rules and standing by name, a row per candidate; what is switched off is 0."""
    standing = Standing(field, table.totals)
    known = dict(zip(table.names, table.values, strict=True))
    known.update((feature.name, feature.values(standing)) for feature in FEATURES)
    rows = numpy.zeros((len(names), len(field.records)))  # as the trees read them
    for row, name in enumerate(names):
        if name in known:
            rows[row] = known[name]
    return rows.T
