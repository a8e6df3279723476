"""Graph arrays: splicing gives what building anew gives."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import numpy
import pytest

from sonde.model import EdgeKind
from sonde.store.graph import LAST_LINE, Columns, Graph, load, save
from sonde.store.graph_edit import Edges, build, grown_columns, splice, with_mirrors


def columns(size: int) -> Columns:
    return Columns(**grown_columns(None, size))


def some_edges(seed: int, count: int, low: int, high: int) -> Edges:
    chance = numpy.random.default_rng(seed)
    edges = numpy.empty((count, 5), numpy.int32)
    edges[:, 0] = chance.integers(low, high, count)
    edges[:, 1] = chance.integers(1, high, count)
    edges[:, 2] = chance.integers(0, 20, count)
    edges[:, 3] = chance.integers(1, 4, count)  # few, so that equal edges occur
    edges[:, 4] = chance.integers(0, 8, count)
    return edges


def assert_equal(left: Graph, right: Graph) -> None:
    for part in ("outgoing", "incoming", "columns"):
        for field in fields(getattr(left, part)):
            one = getattr(getattr(left, part), field.name)
            other = getattr(getattr(right, part), field.name)
            assert numpy.array_equal(one, other), (part, field.name)


@pytest.mark.parametrize("seed", range(12))
def test_splicing_equals_building_anew(seed: int, tmp_path: Path) -> None:
    size = 60
    edges = some_edges(seed, 400, 1, size)
    chance = numpy.random.default_rng(seed + 100)
    owned = numpy.isin(edges[:, 0], chance.integers(1, size, 5))
    added = numpy.concatenate(
        [some_edges(seed + 1, 30, 1, size), some_edges(seed + 2, 8, size, size + 6), edges[:7]]
    )
    save(build(edges, columns(size)), tmp_path / "1")
    after = splice(load(tmp_path / "1"), edges[owned], added, columns(size + 6))
    anew = build(numpy.concatenate([edges[~owned], added]), columns(size + 6))
    assert_equal(after, anew)


def test_nothing_to_splice_leaves_the_graph_as_it_is() -> None:
    graph = build(some_edges(1, 50, 1, 20), columns(20))
    nothing = some_edges(1, 0, 1, 20)
    assert_equal(splice(graph, nothing, nothing, columns(20)), graph)


def test_containment_and_tests_can_be_walked_both_ways() -> None:
    edges = numpy.array(
        [[1, 2, EdgeKind.CONTAINS, 9, 0], [3, 2, EdgeKind.TESTS, 4, 1]], numpy.int32
    )
    graph = build(with_mirrors(edges), columns(4))
    assert (1, EdgeKind.MEMBER_OF, 9, 0) in graph.out_edges(2)
    assert (3, EdgeKind.TESTED_BY, 4, 1) in graph.out_edges(2)
    assert (1, EdgeKind.CONTAINS, 9, 0) in graph.in_edges(2)


def test_a_line_beyond_the_last_that_fits_is_stored_as_that() -> None:
    edges = numpy.array([[1, 2, EdgeKind.CALLS, 70_000, 0]], numpy.int32)
    assert build(with_mirrors(edges), columns(3)).out_edges(1)[0][2] == LAST_LINE


def test_an_empty_graph_is_saved_and_loaded(tmp_path: Path) -> None:
    save(build(some_edges(1, 0, 1, 2), columns(1)), tmp_path / "1")
    graph = load(tmp_path / "1")
    assert (graph.edges, graph.out_edges(0), graph.in_edges(7)) == (0, [], [])
