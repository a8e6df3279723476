"""What a candidate is: definitions before data, product before tests."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy

from sonde.lately import remembered
from sonde.model import CALLABLE_KINDS, TYPE_KINDS, FileKind, Kind
from sonde.rank.rule import Field, Rule
from sonde.retrieve.columns import Values, inside, of_file_kind, of_kind, private
from sonde.understand.words import word_set

_DATA = frozenset({Kind.FIELD, Kind.VARIABLE, Kind.CONSTANT, Kind.PROPERTY})
_TESTS = frozenset({FileKind.TEST})
_ASIDE = frozenset({FileKind.GENERATED, FileKind.VENDORED})
_CONSTRUCTORS = frozenset({Kind.CONSTRUCTOR})
_DOUBLES = ("mock", "fake", "stub", "dummy")
_EXAMPLES = word_set("example examples sample samples demo demos tutorial tutorials playground")
_SIZES = numpy.array([min(1.0, math.log1p(lines) / 6.0) for lines in range(404)])  # the last is 1


def _kind(kinds: frozenset[Kind]) -> Callable[[Field], Values]:
    return lambda field: of_kind(field.view, field.rows, kinds)


def _test(field: Field) -> Values:
    if field.query.about_tests:
        return numpy.zeros(len(field.records))
    return of_file_kind(field.view, field.rows, _TESTS)


def _aside(field: Field) -> Values:
    return of_file_kind(field.view, field.rows, _ASIDE)


def _double(field: Field) -> Values:
    found = numpy.zeros(len(field.records))
    if not field.query.about_tests:
        every = "\n".join([record.qualname for record in field.records]).lower()
        # Most fields have few test doubles or none; four searches of the joined names show that.
        for mark in [mark for mark in _DOUBLES if mark in every]:
            found[[mark in record.qualname.lower() for record in field.records]] = 1.0
    return found


def _example(field: Field) -> Values:
    """Inside an examples folder: of 128 in the first ten of our requests, none was needed."""
    if not _EXAMPLES.isdisjoint(field.query.text.lower().split()):
        return numpy.zeros(len(field.records))
    paths, places = field.files
    return numpy.array(list(map(_among_examples, paths)))[places]


@remembered(2_000)
def _among_examples(path: str) -> float:
    return 0.0 if _EXAMPLES.isdisjoint(path.lower().split("/")[:-1]) else 1.0


def _private(field: Field) -> Values:
    return private(field.view, field.rows)


def _special(field: Field) -> Values:
    """Constructors and protocol methods: every class has them."""
    special = of_kind(field.view, field.rows, _CONSTRUCTORS)
    special[[record.name.startswith("__") for record in field.records]] = 1.0
    return special


def _nested(field: Field) -> Values:
    """Defined inside a function."""
    return inside(field.view, field.rows, CALLABLE_KINDS)


def _wrapper(field: Field) -> Values:
    """A namespace around others: of 240 in the first ten of our requests, three were needed."""
    return field.view.wrappers[field.rows].astype(float)


def _size(field: Field) -> Values:
    columns = field.view.index.graph.columns
    lines = columns.end_line[field.rows] - columns.start_line[field.rows]
    sizes: Values = _SIZES[numpy.minimum(lines, len(_SIZES) - 1)]
    return sizes


RULES = (
    Rule("type", -0.39, _kind(TYPE_KINDS)),
    Rule("callable", -0.32, _kind(CALLABLE_KINDS)),
    Rule("data", -0.43, _kind(_DATA)),
    Rule("module", -0.32, _kind(frozenset({Kind.MODULE}))),
    Rule("test", -0.42, _test),
    Rule("aside", -0.46, _aside),
    Rule("double", -0.42, _double),
    Rule("example", -0.6, _example),
    Rule("private", -0.04, _private),
    Rule("special", -0.13, _special),
    Rule("nested", -0.11, _nested),
    Rule("wrapper", -0.4, _wrapper),
    Rule("size", 0.18, _size),
)
