"""The correction of the sum of the rules by trees, which see all rules and all candidates at once.

As with the weights of the rules there are two sets, for requests and for reports: the longer a text
is, the more the second counts. A corrected score is brought back to the level of the sums: what is
shown depends on the share of the best score.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy

from sonde.rank.learned import report_share
from sonde.rank.rule import Field, Values
from sonde.rank.standing import FEATURES, Standing
from sonde.rank.table import Table
from sonde.rank.trees import Trees, learned_trees

RULE = "trees"
LEVEL = "level"  # what all scores have in common after they were brought back
OUTRIGHT = "marked"  # a task that says which symbol it means is not corrected in that
_LEAST, _MANY = 10, 320  # candidates: the trees were learned among many, where standing tells more


class Voice(NamedTuple):
    """A set of trees, and how far it is heard: 1 for a text of its kind with many candidates."""

    trees: Trees
    share: float


class Correction(NamedTuple):
    """The corrected score of each candidate, and how it came about."""

    table: Table
    voices: tuple[Voice, ...]
    asked: Values  # what the trees were asked with, a row per candidate
    silent: frozenset[str]  # rules that are switched off: what the trees say of them does not count
    stretch: float
    level: float
    totals: Values

    @property
    def names(self) -> tuple[str, ...]:
        """Rules and features, in the order of the parts."""
        asked = self.voices[0].trees.names
        return tuple(dict.fromkeys((*self.table.names, *asked, LEVEL)))

    @property
    def parts(self) -> Values:
        """What each of them adds to each candidate's score, one row each."""
        place = {name: row for row, name in enumerate(self.names)}
        parts = numpy.zeros((len(place), len(self.totals)))
        parts[[place[name] for name in self.table.names]] = self.table.parts
        for trees, share in self.voices:
            for name, part in zip(trees.names, trees.contributions(self.asked).T, strict=True):
                if name not in self.silent:
                    parts[place[name]] += share * part
        parts[[row for name, row in place.items() if name != OUTRIGHT]] *= self.stretch
        parts[place[LEVEL]] = self.level
        return parts


def corrected(field: Field, table: Table) -> Correction | None:
    """The correction of a table's sums; None with too few candidates."""
    if len(field.records) < _LEAST:
        return None
    voices = _voices(field)
    names = voices[0].trees.names  # the same for both
    asked = features(field, table, names)
    silent = frozenset(names) - {*table.names, *(feature.name for feature in FEATURES)}
    outright = _outright(table)
    sums = table.totals - outright
    totals = sums + sum(share * _said(trees, asked, silent) for trees, share in voices)
    stretch, level = _level(sums, totals)
    totals = stretch * totals + level + outright
    return Correction(table, voices, asked, silent, stretch, level, totals)


def _voices(field: Field) -> tuple[Voice, ...]:
    """The sets of trees that are heard."""
    most = min(1.0, len(field.records) / _MANY)
    report = report_share(field.query)
    shares = {"request": most * (1.0 - report), "report": most * report}
    return tuple(Voice(learned_trees(texts), share) for texts, share in shares.items() if share)


def _outright(table: Table) -> Values:
    """What being named outright adds to each candidate."""
    if OUTRIGHT not in table.names:
        return numpy.zeros(table.values.shape[1])
    row = table.names.index(OUTRIGHT)
    parts: Values = table.weights[row] * table.values[row]
    return parts


def _said(trees: Trees, asked: Values, silent: frozenset[str]) -> Values:
    if silent.isdisjoint(trees.used):  # asking feature by feature takes ten times as long
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
