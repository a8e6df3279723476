"""The restart walk against a dense computation, its limits, and HITS."""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy
import pytest

from sonde.link.weights import PROVENANCE_FACTORS, WALK_WEIGHTS
from sonde.model import EdgeKind, Provenance
from sonde.retrieve import walk as walking
from sonde.retrieve.walk import RESTART, Transitions, hits, transitions, walk
from sonde.store.graph import Columns, Graph, PlacedRows, Rows

Arc = tuple[int, int, EdgeKind, Provenance]


def call(source: int, target: int) -> Arc:
    return source, target, EdgeKind.CALLS, Provenance.IMPORT


def guess(source: int, target: int) -> Arc:
    return source, target, EdgeKind.CALLS, Provenance.AMBIGUOUS


def graph_of(arcs: Sequence[Arc], size: int) -> Transitions:
    """The arrays of a generation with just these edges."""

    def arrays(at: int, other: int) -> dict[str, numpy.ndarray]:
        ordered = sorted(arcs, key=lambda arc: (arc[at], arc[other]))
        counts = numpy.bincount([arc[at] for arc in ordered] or [0], minlength=size)
        counts = counts if ordered else numpy.zeros(size, dtype=int)
        return {
            "indptr": numpy.concatenate(([0], numpy.cumsum(counts))).astype(numpy.int32),
            "other": numpy.asarray([arc[other] for arc in ordered], dtype=numpy.int32),
            "kind": numpy.asarray([int(arc[2]) for arc in ordered], dtype=numpy.uint8),
            "provenance": numpy.asarray([int(arc[3]) for arc in ordered], dtype=numpy.uint8),
        }

    lines = numpy.zeros(len(arcs), dtype=numpy.uint16)
    column = numpy.ones(size, dtype=numpy.int32)
    byte = numpy.zeros(size, dtype=numpy.uint8)
    columns = Columns(column, byte, column, byte, byte, column, column)
    graph = Graph(PlacedRows(**arrays(0, 1), line=lines), Rows(**arrays(1, 0)), columns)
    return transitions(graph, lambda ids, first: ids[numpy.lexsort((ids, first))].tolist())


def dense(arcs: Sequence[Arc], size: int, seeds: dict[int, float]) -> numpy.ndarray:
    """The same walk by power iteration on a full matrix, until nothing moves."""
    matrix = numpy.zeros((size, size))
    for source, target, kind, provenance in arcs:
        weight = WALK_WEIGHTS[kind] * PROVENANCE_FACTORS[provenance]
        matrix[source, target] += weight
        matrix[target, source] += 0.5 * weight
    restart = numpy.zeros(size)
    for id, weight in seeds.items():
        restart[id] = weight
    restart /= restart.sum()
    totals = matrix.sum(axis=1)
    matrix[totals == 0] = restart  # dead ends return to the seeds
    matrix /= matrix.sum(axis=1, keepdims=True)
    share = restart.copy()
    for _ in range(500):
        share = RESTART * restart + (1 - RESTART) * share @ matrix
    return share / share.max()


def random_graph(seed: int) -> tuple[list[Arc], int, dict[int, float]]:
    """Edges among most of forty nodes; the last four are dead ends, and one is a seed."""
    chance = random.Random(seed)
    kinds = [EdgeKind.CALLS, EdgeKind.CONTAINS, EdgeKind.EXTENDS, EdgeKind.REFERENCES]
    arcs = [
        (chance.randrange(1, 36), chance.randrange(1, 36), chance.choice(kinds), Provenance.IMPORT)
        for _ in range(90)
    ]
    seeds = {chance.randrange(1, 36): 1.0 / rank for rank in range(1, 5)}
    return arcs, 40, {**seeds, 38: 0.5}


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Walks that go on after their top ten has settled, and leave little where it is."""
    monkeypatch.setattr(walking, "_STABLE_ROUNDS", 1_000)
    monkeypatch.setattr(walking, "_ROUNDS", 1_000)
    monkeypatch.setattr(walking, "_EPSILON", 5e-4)


@pytest.mark.usefixtures("patient")
@pytest.mark.parametrize("seed", range(6))
def test_forward_push_agrees_with_power_iteration(seed: int) -> None:
    arcs, size, seeds = random_graph(seed)
    walked = walk(graph_of(arcs, size), seeds)
    expected = dense(arcs, size, seeds)
    for id in range(size):
        assert walked.get(id, 0.0) == pytest.approx(expected[id], abs=0.01)


@pytest.mark.parametrize("seed", range(6))
def test_stopping_at_a_stable_top_ten_keeps_nearly_the_same_top_ten(seed: int) -> None:
    arcs, size, seeds = random_graph(seed)
    expected = dense(arcs, size, seeds)
    best = sorted(range(size), key=lambda id: -expected[id])
    walked = list(walk(graph_of(arcs, size), seeds))
    assert len(set(walked[:10]) & set(best[:10])) >= 8
    assert walked[0] == best[0]


def test_the_walk_starts_again_every_fifth_step() -> None:
    assert RESTART == 0.2


def test_the_best_node_has_one_and_the_others_follow() -> None:
    walked = walk(graph_of([call(1, 2), call(2, 3)], 4), {1: 1.0})
    values = list(walked.values())
    assert values[0] == 1.0
    assert values == sorted(values, reverse=True)
    assert walked[1] > walked[3] > 0


def test_a_seed_of_more_weight_gets_more_of_the_walk() -> None:
    walked = walk(graph_of([call(1, 2), call(3, 4)], 5), {1: 0.2, 3: 1.0})
    assert walked[3] > 3 * walked[1]


def test_at_least_the_restart_share_stays_with_a_lone_seed() -> None:
    arcs = [call(1, target) for target in range(2, 42)]
    walked = walk(graph_of(arcs, 42), {1: 1.0})
    share = walked[1] / sum(walked.values())
    assert share > RESTART
    assert max(value for id, value in walked.items() if id != 1) < 0.1


@pytest.mark.usefixtures("patient")
def test_flow_goes_from_a_dead_end_to_the_seeds_by_their_weight() -> None:
    """It neither piles up at the unconnected seed 5 nor goes where no seed is."""
    arcs, seeds = [call(1, 2)], {1: 1.0, 5: 1.0}
    walked = walk(graph_of(arcs, 6), seeds)
    expected = dense(arcs, 6, seeds)
    assert walked[5] / walked[1] == pytest.approx(expected[5] / expected[1], abs=0.01)
    assert sum(walked.values()) == pytest.approx(float(expected.sum()), abs=0.01)


def test_calls_are_followed_both_ways_with_the_direction_and_less_against_it() -> None:
    walked = walk(graph_of([call(1, 2), call(3, 1)], 4), {1: 1.0})
    assert walked[2] > walked[3] > 0


def test_ambiguous_edges_carry_next_to_nothing() -> None:
    walked = walk(graph_of([call(1, 2), guess(1, 3)], 4), {1: 1.0})
    assert 0 < walked[3] < 0.1 * walked[2]


def test_a_walk_within_some_nodes_does_not_leave_them() -> None:
    paths = graph_of([call(1, 2), call(2, 3), call(3, 4)], 5)
    within = numpy.asarray([False, True, True, False, False])
    assert set(walk(paths, {1: 1.0}, within.__getitem__)) == {1, 2}
    assert set(walk(paths, {1: 1.0})) == {1, 2, 3, 4}


def test_the_same_walk_gives_the_same_bytes_whatever_the_order_of_seeds() -> None:
    chance = random.Random(1)
    arcs = [call(chance.randrange(1, 50), chance.randrange(1, 50)) for _ in range(150)]
    paths = graph_of(arcs, 50)
    forth = walk(paths, {3: 1.0, 7: 0.5, 11: 0.25})
    back = walk(paths, {11: 0.25, 7: 0.5, 3: 1.0})
    assert repr(forth) == repr(back)


def test_no_seeds_no_walk() -> None:
    paths = graph_of([call(1, 2)], 3)
    assert walk(paths, {}) == {}
    assert hits(paths, {}) == {}


def test_a_graph_without_edges_keeps_the_walk_at_its_seeds() -> None:
    assert set(walk(graph_of([], 5), {2: 1.0, 3: 0.5})) == {2, 3}


def test_what_all_call_is_the_authority_and_what_calls_all_the_hub() -> None:
    arcs = [call(source, 9) for source in range(1, 6)] + [call(6, t) for t in (7, 8, 9)]
    paths = graph_of(arcs, 10)
    found = hits(paths, dict.fromkeys(range(1, 10), 1.0))
    assert max(found, key=lambda id: found[id][0]) == 9
    assert max(found, key=lambda id: found[id][1]) == 6
    assert all(0.0 <= value <= 1.0 + 1e-9 for pair in found.values() for value in pair)


def test_hits_looks_only_at_edges_among_the_nodes_reached() -> None:
    paths = graph_of([call(1, 2), call(3, 4), call(5, 4), call(6, 4)], 7)
    found = hits(paths, {1: 1.0, 2: 0.5, 4: 0.4})
    assert set(found) == {1, 2, 4}
    assert found[4][0] == pytest.approx(0.0)
    assert found[2][0] == pytest.approx(1.0)
