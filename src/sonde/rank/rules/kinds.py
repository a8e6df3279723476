"""What a candidate is: definitions before data, product before tests."""

from __future__ import annotations

import math

from sonde.model import CALLABLE_KINDS, TYPE_KINDS, FileKind, Kind
from sonde.rank.rule import Field, Rule

_DATA = frozenset({Kind.FIELD, Kind.VARIABLE, Kind.CONSTANT, Kind.PROPERTY})
_ASIDE = frozenset({FileKind.GENERATED, FileKind.VENDORED})
_DOUBLES = ("mock", "fake", "stub", "dummy")


def _type(field: Field) -> list[float]:
    return [1.0 if record.kind in TYPE_KINDS else 0.0 for record in field.records]


def _callable(field: Field) -> list[float]:
    return [1.0 if record.kind in CALLABLE_KINDS else 0.0 for record in field.records]


def _data(field: Field) -> list[float]:
    return [1.0 if record.kind in _DATA else 0.0 for record in field.records]


def _module(field: Field) -> list[float]:
    return [1.0 if record.kind is Kind.MODULE else 0.0 for record in field.records]


def _test(field: Field) -> list[float]:
    if field.query.about_tests:
        return [0.0] * len(field.records)
    return [1.0 if record.file_kind is FileKind.TEST else 0.0 for record in field.records]


def _aside(field: Field) -> list[float]:
    return [1.0 if record.file_kind in _ASIDE else 0.0 for record in field.records]


def _double(field: Field) -> list[float]:
    if field.query.about_tests:
        return [0.0] * len(field.records)
    return [
        1.0 if any(mark in record.qualname.lower() for mark in _DOUBLES) else 0.0
        for record in field.records
    ]


def _private(field: Field) -> list[float]:
    return [1.0 if record.visibility == "private" else 0.0 for record in field.records]


def _special(field: Field) -> list[float]:
    """Constructors and protocol methods: every class has them."""
    return [
        1.0 if record.kind is Kind.CONSTRUCTOR or record.name.startswith("__") else 0.0
        for record in field.records
    ]


def _nested(field: Field) -> list[float]:
    """Defined inside a function."""
    kinds = {record.id: record.kind for record in field.records}
    missing = {r.parent for r in field.records if r.parent and r.parent not in kinds}
    kinds.update((r.id, r.kind) for r in field.view.records(sorted(missing)))
    return [1.0 if kinds.get(record.parent) in CALLABLE_KINDS else 0.0 for record in field.records]


def _size(field: Field) -> list[float]:
    return [
        min(1.0, math.log1p(record.end_line - record.start_line) / 6.0) for record in field.records
    ]


RULES = (
    Rule("type", -0.30, _type),
    Rule("callable", -0.17, _callable),
    Rule("data", -0.32, _data),
    Rule("module", -0.37, _module),
    Rule("test", -0.50, _test),
    Rule("aside", -0.47, _aside),
    Rule("double", -0.30, _double),
    Rule("private", -0.04, _private),
    Rule("special", -0.07, _special),
    Rule("nested", -0.15, _nested),
    Rule("size", 0.28, _size),
)
