"""The one scoring function: the weighted sum of all rules, kept apart as the explanation."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy
from numpy.typing import NDArray

from sonde.model import Ranked, SymbolRecord
from sonde.rank import diversity
from sonde.rank.rule import Field, Rule
from sonde.rank.rules import COMPANY, OWN


class Table(NamedTuple):
    """What each rule contributes to each candidate: a row a rule, a column a candidate."""

    names: tuple[str, ...]
    values: NDArray[numpy.float64]

    @property
    def totals(self) -> list[float]:
        """The sum over all rules for each candidate."""
        return [float(total) for total in self.values.sum(axis=0).tolist()]

    def contributions(self) -> list[tuple[tuple[str, float], ...]]:
        """What the rules gave each candidate, by name; those that gave nothing are left out."""
        columns = self.values.T
        owners, rules = columns.nonzero()
        names = map(self.names.__getitem__, rules.tolist())
        pairs = list(zip(names, columns[owners, rules].tolist(), strict=True))
        ends = numpy.searchsorted(owners, numpy.arange(len(columns)), side="right").tolist()
        return [tuple(pairs[start:end]) for start, end in pairwise((0, *ends))]

    def beside(self, further: Table) -> Table:
        """The same rules over further candidates."""
        return Table(self.names, numpy.hstack((self.values, further.values)))

    def above(self, further: Table) -> Table:
        """Further rules over the same candidates."""
        return Table(self.names + further.names, numpy.vstack((self.values, further.values)))


def own_table(field: Field, without: frozenset[str]) -> Table:
    """Contributions of the rules that judge a candidate by itself."""
    return _table(field, OWN, without)


def _table(field: Field, rules: Sequence[Rule], without: frozenset[str]) -> Table:
    used = [rule for rule in rules if rule.name not in without]
    values = numpy.empty((len(used), len(field.records)))
    for row, rule in enumerate(used):
        values[row] = rule.values(field)
        values[row] *= rule.weight
    return Table(tuple(rule.name for rule in used), values)


def rank(field: Field, own: Table, without: frozenset[str]) -> list[Ranked]:
    """Candidates best first; equal scores by path, line and name."""
    table = own.above(_table(field, COMPANY, without))
    ranked = [
        _ranked(field, record, score, parts)
        for record, score, parts in zip(
            field.records, table.totals, table.contributions(), strict=True
        )
    ]
    ranked.sort(
        key=lambda one: (-one.score, one.symbol.file, one.symbol.start_line, one.symbol.qualname)
    )
    return ranked if diversity.RULE in without else diversity.spread(ranked)


def _ranked(
    field: Field, record: SymbolRecord, score: float, contributions: tuple[tuple[str, float], ...]
) -> Ranked:
    fused = field.fused.get(record.id)
    return Ranked(
        record,
        score,
        contributions,
        fused.evidence if fused else (),
        1.0 if record.id in field.seeds else field.walked.get(record.id, 0.0),
    )
