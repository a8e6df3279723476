"""Candidates that stand together: the same owner, the same file, the same folder."""

from __future__ import annotations

from collections.abc import Callable

import numpy

from sonde.model import FileKind, SymbolRecord
from sonde.rank.rule import Field, Rule
from sonde.retrieve.columns import Values, of_file_kind
from sonde.retrieve.history import votes

_NAMED = 0.7  # of the best name match
_DEFINING_FILES = 4  # a name defined in more files points nowhere
_TESTS = frozenset({FileKind.TEST})
_BEST = 4  # of a place; more would favour large files


def _together(place: Callable[[SymbolRecord], str]) -> Callable[[Field], Values]:
    def values(field: Field) -> Values:
        numbers: dict[str, int] = {}
        places = numpy.fromiter(
            (numbers.setdefault(place(record), len(numbers)) for record in field.records),
            numpy.int64,
            len(field.records),
        )
        merits = numpy.maximum(field.merits, 0.0)
        counted = numpy.flatnonzero(of_file_kind(field.view, field.rows, _TESTS) == 0.0)
        counted = counted[numpy.lexsort((-merits[counted], places[counted]))]
        groups = places[counted]
        best = counted[numpy.arange(len(groups)) - groups.searchsorted(groups) < _BEST]
        sums = numpy.bincount(places[best], merits[best], minlength=len(numbers))
        together: Values = sums[places] / (sums.max(initial=0.0) or 1.0)
        return together

    return values


def _file_says(field: Field) -> list[float]:
    """The share of the task that the names in a candidate's file say together."""
    said: dict[str, frozenset[str]] = {}
    for record in field.records:
        if record.file_kind is not FileKind.TEST:
            words = field.matches[record.id].words
            said[record.file] = said.get(record.file, words) | words
    shares = {file: field.matcher.share(words) for file, words in said.items()}
    return [shares.get(record.file, 0.0) for record in field.records]


def _sibling(field: Field) -> list[float]:
    """The standing of the best other candidate of the same owner."""
    first: dict[int, tuple[float, float]] = {}  # best and second best of each owner
    for record in field.records:
        merit = field.own[record.id]
        best, second = first.get(record.parent, (0.0, 0.0))
        first[record.parent] = (merit, best) if merit > best else (best, max(second, merit))
    most = max((best for best, _ in first.values()), default=0.0) or 1.0
    return [
        (second if field.own[record.id] >= best else best) / most
        for record in field.records
        for best, second in [first[record.parent]]
    ]


def _defining(field: Field) -> list[float]:
    """In a file that defines what the task names: definitions before mentions."""
    named = field.channel("names")
    files = {
        record.file
        for record, score in zip(field.records, named, strict=True)
        if score > _NAMED and record.file_kind is not FileKind.TEST
    }
    if len(files) > _DEFINING_FILES:
        return [0.0] * len(field.records)
    return [1.0 if record.file in files else 0.0 for record in field.records]


def _history(field: Field) -> list[float]:
    """In a file that commits about the task changed."""
    files = votes(field.query, field.view).files
    return [files.get(record.file, 0.0) for record in field.records]


RULES = (
    Rule("definition-boost", 0.07, _defining),
    Rule("history-file", 0.15, _history),
    Rule("file-says", 0.16, _file_says),
    Rule("sibling", 0.08, _sibling),
    Rule("same-file", 0.08, _together(lambda record: record.file)),
    Rule("same-folder", 0.10, _together(lambda record: record.file.rpartition("/")[0])),
)
