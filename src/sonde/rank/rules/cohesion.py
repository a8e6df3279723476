"""Candidates that lie together: same owner, same file, same folder."""

from __future__ import annotations

import numpy
from numpy.typing import NDArray

from sonde.model import FileKind
from sonde.rank.rule import Field, Rule, Values
from sonde.retrieve.columns import of_file_kind
from sonde.retrieve.history import votes

_NAMED = 0.7  # of the best name match
_DEFINING_FILES = 4  # a name defined in more files points nowhere
_TESTS = frozenset({FileKind.TEST})
_BEST = 4  # per place; more would favour large files


def _together(field: Field, places: NDArray[numpy.int64]) -> Values:
    """The scores of the best candidates in the same place, not counting tests."""
    merits = numpy.maximum(field.merits, 0.0)
    counted = numpy.flatnonzero(of_file_kind(field.view, field.rows, _TESTS) == 0.0)
    counted = counted[numpy.lexsort((-merits[counted], places[counted]))]
    groups = places[counted]
    best = counted[numpy.arange(len(groups)) - groups.searchsorted(groups) < _BEST]
    sums = numpy.bincount(places[best], merits[best], minlength=int(places.max(initial=0)) + 1)
    together: Values = sums[places] / (sums.max(initial=0.0) or 1.0)
    return together


def _same_file(field: Field) -> Values:
    return _together(field, field.files[1])


def _same_folder(field: Field) -> Values:
    paths, places = field.files
    numbers: dict[str, int] = {}
    folders = [numbers.setdefault(path.rpartition("/")[0], len(numbers)) for path in paths]
    return _together(field, numpy.array(folders, numpy.int64)[places])


def _file_says(field: Field) -> Values:
    """The share of the task covered by all names in a candidate's file together."""
    paths, places = field.files
    said: list[frozenset[str]] = [frozenset()] * len(paths)
    tests = of_file_kind(field.view, field.rows, _TESTS)
    for place, match, test in zip(places.tolist(), field.matches, tests.tolist(), strict=True):
        if match.words and not test and not match.words <= said[place]:
            said[place] |= match.words
    return numpy.array([field.matcher.share(words) for words in said])[places]


def _sibling(field: Field) -> Values:
    """The score of the best other candidate with the same owner."""
    parents, merits = field.view.index.graph.columns.parent[field.rows], field.merits
    order = numpy.lexsort((-merits, parents))
    _, first, owner = numpy.unique(parents[order], return_index=True, return_inverse=True)
    standing = numpy.maximum(merits[order], 0.0)
    following = numpy.append(standing[1:], 0.0)  # an owner's best is followed by its second
    alone = numpy.diff(first, append=len(order)) == 1
    best, second = standing[first], numpy.where(alone, 0.0, following[first])
    found = numpy.empty(len(order))
    found[order] = numpy.where(merits[order] >= best[owner], second[owner], best[owner])
    return found / (best.max(initial=0.0) or 1.0)


def _defining(field: Field) -> Values:
    """In a file that defines a name from the task: definitions rank before mentions."""
    paths, places = field.files
    named = field.channel("names") > _NAMED
    defining = numpy.zeros(len(paths))
    defining[places[named & (of_file_kind(field.view, field.rows, _TESTS) == 0.0)]] = 1.0
    if defining.sum() > _DEFINING_FILES:
        return numpy.zeros(len(field.records))
    return defining[places]


def _history(field: Field) -> Values:
    """In a file that commits about the task changed."""
    votes_of = votes(field.query, field.view).files
    paths, places = field.files
    return numpy.array([votes_of.get(path, 0.0) for path in paths])[places]


RULES = (
    Rule("definition-boost", 0.07, _defining),
    Rule("history-file", 0.15, _history),
    Rule("file-says", 0.16, _file_says),
    Rule("sibling", 0.08, _sibling),
    Rule("same-file", 0.08, _same_file),
    Rule("same-folder", 0.10, _same_folder),
)
