"""Neighbours among the candidates: who uses one, and how many others it uses."""

from __future__ import annotations

import numpy
import pytest

from sonde.model import EdgeKind
from sonde.rank.pipeline import rank_query
from sonde.rank.rule import Field
from sonde.rank.rules import neighbours
from sonde.retrieve.view import View
from sonde.understand.query import understand

USES = {
    EdgeKind.CALLS,
    EdgeKind.REFERENCES,
    EdgeKind.TYPE_HINT_OF,
    EdgeKind.EXTENDS,
    EdgeKind.IMPLEMENTS,
    EdgeKind.OVERRIDES,
}


@pytest.fixture(scope="module")
def field(judged: View) -> Field:
    return rank_query(understand("how are blobs stored by a storage backend"), judged).field


def values(field: Field, name: str) -> list[float]:
    rule = next(rule for rule in neighbours.RULES if rule.name == name)
    return numpy.asarray(rule.values(field)).tolist()


def used_by(field: Field, id: int) -> set[int]:
    edges = field.view.index.graph.out_edges(id)
    return {target for target, kind, _, _ in edges if kind in USES and target != id}


def users(field: Field, id: int) -> set[int]:
    size = field.view.index.graph.size
    return {other for other in range(1, size) if other != id and id in used_by(field, other)}


def test_the_best_user_is_the_candidate_of_most_merit_that_uses_it(field: Field) -> None:
    own = dict(zip(field.ids, field.merits, strict=True))
    found = values(field, "best-user")
    for id, value in zip(field.ids, found, strict=True):
        merits = [own[other] for other in users(field, id) if other in own]
        assert value == pytest.approx(max([0.0, *merits]) / max(own.values()))
    assert any(found)


def test_users_found_is_the_share_of_uses_that_are_in_candidates(field: Field) -> None:
    graph = field.view.index.graph
    found = values(field, "users-found")
    for id, value in zip(field.ids, found, strict=True):
        using = [
            other
            for other in range(1, graph.size)
            for target, kind, _, _ in graph.out_edges(other)
            if target == id and kind in USES
        ]
        known = [other for other in using if other in field.ids and other != id]
        assert value == pytest.approx(len(known) / max(len(using), 1))
    assert any(found)


def test_what_uses_more_candidates_has_more_of_uses_found(field: Field) -> None:
    found = values(field, "uses-found")
    counts = [len(used_by(field, id) & set(field.ids)) for id in field.ids]
    assert found == pytest.approx([min(1.0, numpy.log1p(count) / 3.0) for count in counts])
    assert any(found)
