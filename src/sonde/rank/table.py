"""What each rule says of each candidate, and what that adds to its score."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy

from sonde.rank.rule import Field, Rule, Values


class Table(NamedTuple):
    """One row per rule, one column per candidate."""

    names: tuple[str, ...]
    weights: Values
    values: Values

    @classmethod
    def of(cls, field: Field, rules: Sequence[Rule], without: frozenset[str]) -> Table:
        """The rules that are not switched off and have a weight in this field."""
        weights = {rule: field.weights.get(rule.name, rule.weight) for rule in rules}
        used = [rule for rule, weight in weights.items() if weight and rule.name not in without]
        values = numpy.empty((len(used), len(field.records)))
        for row, rule in enumerate(used):
            values[row] = rule.values(field)
        names = tuple(rule.name for rule in used)
        return cls(names, numpy.array([weights[rule] for rule in used]), values)

    @property
    def parts(self) -> Values:
        """What each rule adds to the score of each candidate."""
        return self.weights.reshape(-1, 1) * self.values

    @property
    def totals(self) -> Values:
        """The sum over all rules for each candidate."""
        totals: Values = self.parts.sum(axis=0)
        return totals

    def beside(self, further: Table) -> Table:
        """Append columns: the same rules over further candidates."""
        return self._replace(values=numpy.hstack((self.values, further.values)))

    def above(self, further: Table) -> Table:
        """Append rows: further rules over the same candidates."""
        return Table(
            self.names + further.names,
            numpy.concatenate((self.weights, further.weights)),
            numpy.vstack((self.values, further.values)),
        )


def contributions(names: Sequence[str], parts: Values) -> list[tuple[tuple[str, float], ...]]:
    """Each candidate's parts other than 0, by name; parts have one row per name."""
    columns = parts.T
    owners, rows = columns.nonzero()
    named = map(names.__getitem__, rows.tolist())
    pairs = list(zip(named, columns[owners, rows].tolist(), strict=True))
    ends = numpy.searchsorted(owners, numpy.arange(len(columns)), side="right").tolist()
    return [tuple(pairs[start:end]) for start, end in pairwise((0, *ends))]
