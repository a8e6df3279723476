"""The one scoring function: a weighted sum of all rules, whose terms are the explanation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby, pairwise
from typing import NamedTuple

import numpy
from numpy.typing import NDArray

from sonde.model import Kind, Ranked, SymbolRecord
from sonde.rank import diversity
from sonde.rank.rule import Field, Rule, telling
from sonde.rank.rules import COMPANY, LAST, OWN
from sonde.retrieve.columns import of_kind

_BEST = 10  # candidates whose ties count
_MODULES = frozenset({Kind.MODULE})


class Table(NamedTuple):
    """What each rule contributes to each candidate: one row per rule, one column per candidate."""

    names: tuple[str, ...]
    values: NDArray[numpy.float64]

    @property
    def totals(self) -> NDArray[numpy.float64]:
        """The sum over all rules for each candidate."""
        totals: NDArray[numpy.float64] = self.values.sum(axis=0)
        return totals

    def contributions(self) -> list[tuple[tuple[str, float], ...]]:
        """Each candidate's non-zero contributions, by rule name."""
        columns = self.values.T
        owners, rules = columns.nonzero()
        names = map(self.names.__getitem__, rules.tolist())
        pairs = list(zip(names, columns[owners, rules].tolist(), strict=True))
        ends = numpy.searchsorted(owners, numpy.arange(len(columns)), side="right").tolist()
        return [tuple(pairs[start:end]) for start, end in pairwise((0, *ends))]

    def beside(self, further: Table) -> Table:
        """Append columns: the same rules over further candidates."""
        return Table(self.names, numpy.hstack((self.values, further.values)))

    def above(self, further: Table) -> Table:
        """Append rows: further rules over the same candidates."""
        return Table(self.names + further.names, numpy.vstack((self.values, further.values)))


def own_table(field: Field, without: frozenset[str]) -> Table:
    """Contributions of the rules that judge a candidate by itself."""
    return _table(field, OWN, without)


def _table(field: Field, rules: Sequence[Rule], without: frozenset[str]) -> Table:
    weights = {rule: field.weights.get(rule.name, rule.weight) for rule in rules}
    used = [rule for rule, weight in weights.items() if weight and rule.name not in without]
    values = numpy.empty((len(used), len(field.records)))
    for row, rule in enumerate(used):
        values[row] = rule.values(field)
    values *= numpy.array([weights[rule] for rule in used]).reshape(-1, 1)
    return Table(tuple(rule.name for rule in used), values)


def rank(
    field: Field, own: Table, without: frozenset[str], *, told: bool = True
) -> tuple[list[Ranked], Field]:
    """Candidates best first, equal ones by path, line and name; and the field as judged."""
    table = own.above(_table(field, COMPANY, without))
    field = replace(field, best=_best(field, table.totals))
    table = table.above(_table(field, LAST, without))
    parts = table.contributions() if told else [()] * len(field.records)
    totals = table.totals.tolist()
    records, ids = field.records, field.ids
    evidence, seeds, walked = field.evidence, field.seeds, field.walked
    ranked = [
        Ranked(
            records[at],
            totals[at],
            parts[at],
            tuple(evidence.get(ids[at], ())),
            1.0 if ids[at] in seeds else walked.get(ids[at], 0.0),
        )
        for at in _order(totals, records)
    ]
    return (ranked if diversity.RULE in without else diversity.spread(ranked)), field


def _order(totals: Sequence[float], records: Sequence[SymbolRecord]) -> Iterator[int]:
    """The candidates' places, best first. Few are equal, and only those are compared by path."""
    scores = list(map(telling, totals))
    order = sorted(range(len(scores)), key=scores.__getitem__, reverse=True)
    for _, same in groupby(order, scores.__getitem__):
        equal = list(same)
        if len(equal) > 1:
            equal.sort(key=lambda at: _where(records[at]))
        yield from equal


def _where(symbol: SymbolRecord) -> tuple[str, int, str]:
    return symbol.file, symbol.start_line, symbol.qualname


def _place(score: float, symbol: SymbolRecord) -> tuple[float, str, int, str]:
    return -telling(score), *_where(symbol)


def _best(field: Field, totals: NDArray[numpy.float64]) -> dict[int, float]:
    """The best candidates so far, each with its share of the best one's score."""
    some = numpy.flatnonzero(of_kind(field.view, field.rows, _MODULES) == 0.0)
    if len(some) > _BEST:
        # keep only what may tie with the last by score: computing the place of all took longer
        least = numpy.partition(totals[some], -_BEST)[-_BEST] - 0.001
        some = some[totals[some] >= least]
    scored = zip(totals[some].tolist(), some.tolist(), strict=True)
    best = sorted(
        [(score, field.records[at]) for score, at in scored], key=lambda one: _place(*one)
    )
    best = best[:_BEST]
    top = best[0][0] if best else 0.0
    return {symbol.id: score / top for score, symbol in best if score > 0.0}
