"""Large types lead the walk to their members, then rank behind them."""

from __future__ import annotations

import math

import numpy

from sonde.model import TYPE_KINDS, SymbolRecord
from sonde.rank.rule import Field, Rule, Values
from sonde.retrieve.columns import of_kind

_SMALL = 50  # lines; the penalty grows up to ten times as many


def _large_type(field: Field) -> Values:
    """How large a type is, on a log scale up to 1, reduced the more of its name the task mentions.

    Of the types over 200 lines ranked in the first ten, 6 % were needed in our requests and 10 %
    in the development tasks; of all symbols ranked there, 24 % and 30 %.
    """
    penalty = of_kind(field.view, field.rows, TYPE_KINDS)
    for place in numpy.flatnonzero(penalty).tolist():
        penalty[place] = _size(field.records[place]) * (1.0 - field.matches[place].said)
    return penalty


def _size(record: SymbolRecord) -> float:
    lines = record.end_line - record.start_line + 1
    return min(1.0, max(0.0, math.log10(lines / _SMALL)))


RULES = (Rule("large-type", -0.2, _large_type),)
