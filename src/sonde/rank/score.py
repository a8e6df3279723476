"""The one scoring function: a weighted sum of all rules, corrected by trees that saw them all.

The terms of the sum, and what each feature changes in the trees, are the explanation.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy

from sonde.model import Kind, Ranked, SymbolRecord
from sonde.rank import correction, diversity
from sonde.rank.learned import LEARNED
from sonde.rank.rule import DIGITS, Field, Values, telling
from sonde.rank.rules import COMPANY, LAST, OWN
from sonde.rank.table import Table, contributions
from sonde.retrieve.columns import of_kind

_BEST = 10  # candidates whose ties count
_MODULES = frozenset({Kind.MODULE})


def own_table(field: Field, without: frozenset[str]) -> Table:
    """What the rules that judge a candidate by itself say."""
    return Table.of(field, OWN, without)


def rank(
    field: Field, own: Table, without: frozenset[str], *, told: bool = True
) -> tuple[list[Ranked], Field]:
    """Candidates best first, equal ones by path, line and name; and the field as judged."""
    table = own.above(Table.of(field, COMPANY, without))
    field = replace(field, best=_best(field, table.totals))
    table = table.above(Table.of(field, LAST, without))
    judged = None if without & {LEARNED, correction.RULE} else correction.corrected(field, table)
    scored = judged or table
    parts = contributions(scored.names, scored.parts) if told else [()] * len(field.records)
    totals, order = scored.totals.tolist(), _order(scored.totals, field.records)
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
        for at in order
    ]
    return (ranked if diversity.RULE in without else diversity.spread(ranked)), field


def _order(totals: Values, records: Sequence[SymbolRecord]) -> list[int]:
    """The candidates' places, best first. Few are equal, and only those are compared by path."""
    scores = totals.round(DIGITS)
    order = (-scores).argsort(kind="stable")
    places: list[int] = order.tolist()
    starts = numpy.flatnonzero(numpy.diff(scores[order], prepend=numpy.inf, append=-numpy.inf))
    several = numpy.flatnonzero(numpy.diff(starts) > 1)
    for start, end in zip(starts[several].tolist(), starts[several + 1].tolist(), strict=True):
        places[start:end] = sorted(places[start:end], key=lambda at: where(records[at]))
    return places


def where(symbol: SymbolRecord) -> tuple[str, int, str]:
    """By what symbols of the same score are ordered."""
    return symbol.file, symbol.start_line, symbol.qualname


def _place(score: float, symbol: SymbolRecord) -> tuple[float, str, int, str]:
    return -telling(score), *where(symbol)


def _best(field: Field, totals: Values) -> dict[int, float]:
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
