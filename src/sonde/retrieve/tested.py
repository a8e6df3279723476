"""Tests as witnesses: a test that talks about the task calls the code that does it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sonde.model import EdgeKind, Provenance
from sonde.retrieve.channel import Channel, Hit, ranked
from sonde.retrieve.fulltext import best_tests

if TYPE_CHECKING:
    from sonde.model import Query
    from sonde.retrieve.view import View

_TESTS = 30
_FOLLOWED = (EdgeKind.TESTS, EdgeKind.CALLS, EdgeKind.REFERENCES)
_LIMIT = 40


def find(query: Query, view: View) -> list[Hit]:
    """Symbols that the best-matching tests use, each test sharing out one vote."""
    tests = best_tests(query, view, _TESTS)
    scores: dict[int, float] = {}
    reasons: dict[int, str] = {}
    best = tests[0].score if tests else 1.0
    names = {record.id: record.name for record in view.records([hit.id for hit in tests])}
    for hit in tests:
        used = {
            target
            for target, kind, _, provenance in view.index.graph.out_edges(hit.id)
            if kind in _FOLLOWED and provenance != Provenance.AMBIGUOUS and not view.is_test(target)
        }
        for target in used:
            share = (hit.score / best) ** 2 / len(used) ** 0.5
            scores[target] = scores.get(target, 0.0) + share
            reasons.setdefault(target, f"used by {names[hit.id]}")
    hits = [Hit(id, scores[id], reasons[id]) for id in view.by_place(scores)]
    return ranked(hits, _LIMIT)


CHANNEL = Channel("tested", 0.7, find)
