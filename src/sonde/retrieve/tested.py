"""Tests as witnesses: a test whose text matches the task calls the code that does it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy

from sonde.model import EdgeKind, Provenance
from sonde.retrieve.channel import Channel, Hit, best_hits
from sonde.retrieve.fulltext import best_tests
from sonde.retrieve.walk import edges_of

if TYPE_CHECKING:
    from sonde.model import Query
    from sonde.retrieve.view import View

_TESTS = 30
_FOLLOWED = numpy.zeros(256, dtype=bool)
_FOLLOWED[[EdgeKind.TESTS, EdgeKind.CALLS, EdgeKind.REFERENCES]] = True
_AMBIGUOUS = int(Provenance.AMBIGUOUS)
_LIMIT = 40


def find(query: Query, view: View) -> list[Hit]:
    """Symbols that the best-matching tests use; each test divides one vote among them."""
    tests = best_tests(query, view, _TESTS)
    scores: dict[int, float] = {}
    reasons: dict[int, str] = {}
    best = tests[0].score if tests else 1.0
    names = {record.id: record.name for record in view.records([hit.id for hit in tests])}
    used_by = _used(view, [hit.id for hit in tests])
    for hit, used in zip(tests, used_by, strict=True):
        if not used:
            continue
        share = (hit.score / best) ** 2 / len(used) ** 0.5
        reason = f"used by {names[hit.id]}"
        for target in used:
            scores[target] = scores.get(target, 0.0) + share
            reasons.setdefault(target, reason)
    return best_hits({id: scores[id] for id in view.by_place(scores)}, reasons, _LIMIT)


def _used(view: View, tests: list[int]) -> list[set[int]]:
    """What each test uses outside tests, by resolved edges."""
    rows = view.index.graph.outgoing
    edges, counts = edges_of(rows, numpy.array(tests, numpy.int64))
    keep = _FOLLOWED[rows.kind[edges]] & (rows.provenance[edges] != _AMBIGUOUS)
    numbers = numpy.arange(len(tests)).repeat(counts)[keep].tolist()
    found: list[set[int]] = [set() for _ in tests]
    in_test = view.in_test
    for number, target in zip(numbers, rows.other[edges[keep]].tolist(), strict=True):
        if not in_test[target]:
            found[number].add(target)
    return found


CHANNEL = Channel("tested", 0.7, find)
