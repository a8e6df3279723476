"""What a candidate is: definitions before data, product before tests."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy

from sonde.lately import remembered
from sonde.model import CALLABLE_KINDS, TYPE_KINDS, FileKind, Kind
from sonde.rank.rule import Field, Rule
from sonde.retrieve.columns import Values, inside, of_file_kind, of_kind

_DATA = frozenset({Kind.FIELD, Kind.VARIABLE, Kind.CONSTANT, Kind.PROPERTY})
_TESTS = frozenset({FileKind.TEST})
_ASIDE = frozenset({FileKind.GENERATED, FileKind.VENDORED})
_DOUBLES = ("mock", "fake", "stub", "dummy")


def _kind(kinds: frozenset[Kind]) -> Callable[[Field], Values]:
    return lambda field: of_kind(field.view, field.rows, kinds)


def _test(field: Field) -> Values:
    if field.query.about_tests:
        return numpy.zeros(len(field.records))
    return of_file_kind(field.view, field.rows, _TESTS)


def _aside(field: Field) -> Values:
    return of_file_kind(field.view, field.rows, _ASIDE)


def _double(field: Field) -> list[float]:
    if field.query.about_tests:
        return [0.0] * len(field.records)
    return [_is_double(record.qualname) for record in field.records]


@remembered(4_000)
def _is_double(qualname: str) -> float:
    lowered = qualname.lower()
    return 1.0 if any(mark in lowered for mark in _DOUBLES) else 0.0


def _private(field: Field) -> list[float]:
    return [1.0 if record.visibility == "private" else 0.0 for record in field.records]


def _special(field: Field) -> list[float]:
    """Constructors and protocol methods: every class has them."""
    return [
        1.0 if record.kind is Kind.CONSTRUCTOR or record.name.startswith("__") else 0.0
        for record in field.records
    ]


def _nested(field: Field) -> Values:
    """Defined inside a function."""
    return inside(field.view, field.rows, CALLABLE_KINDS)


def _wrapper(field: Field) -> Values:
    """A namespace around others: of 240 among the first ten of our requests three were needed."""
    return field.view.wrappers[field.rows].astype(float)


def _size(field: Field) -> list[float]:
    return [
        min(1.0, math.log1p(record.end_line - record.start_line) / 6.0) for record in field.records
    ]


RULES = (
    Rule("type", -0.39, _kind(TYPE_KINDS)),
    Rule("callable", -0.32, _kind(CALLABLE_KINDS)),
    Rule("data", -0.43, _kind(_DATA)),
    Rule("module", -0.32, _kind(frozenset({Kind.MODULE}))),
    Rule("test", -0.42, _test),
    Rule("aside", -0.46, _aside),
    Rule("double", -0.42, _double),
    Rule("private", -0.04, _private),
    Rule("special", -0.13, _special),
    Rule("nested", -0.11, _nested),
    Rule("wrapper", -0.4, _wrapper),
    Rule("size", 0.18, _size),
)
