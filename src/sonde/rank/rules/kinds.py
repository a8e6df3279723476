"""What a candidate is: definitions before data, product before tests."""

from __future__ import annotations

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


RULES = (
    Rule("type", 0.15, _type),
    Rule("callable", 0.1, _callable),
    Rule("data", -0.4, _data),
    Rule("module", -1.0, _module),
    Rule("test", -1.0, _test),
    Rule("aside", -0.5, _aside),
    Rule("double", -0.3, _double),
)
