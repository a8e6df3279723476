"""Shortest paths through the graph, by breadth-first search one layer at a time."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy
from numpy.typing import NDArray

from sonde.answers.dispatch import satisfied, satisfying
from sonde.answers.edges import Ids, edge_between, expand
from sonde.answers.results import Step
from sonde.model import CONFIDENCE, EdgeKind, Provenance
from sonde.retrieve.view import View

_DEEPEST = 12
_WIDEST = 200_000  # symbols visited; beyond that a path explains nothing
_BRANCHES = 20  # equally short ways back followed from one symbol
_COMPARED = 30  # equally short paths of which the surest are shown

Distances = NDArray[numpy.int16]


def shortest_paths(
    view: View,
    starts: Sequence[int],
    ends: Sequence[int],
    kinds: Sequence[EdgeKind],
    *,
    against: Sequence[EdgeKind] = (),
    unnamed: bool = False,
    limit: int = 3,
    deepest: int = _DEEPEST,
    without_tests: bool = False,
) -> list[tuple[Step, ...]]:
    """At most `limit` shortest paths, the surest of them first.

    They go along resolved edges of `kinds`, and backwards along those of `against`; with `unnamed`
    from methods of interfaces to those that satisfy them; with `without_tests` none leads through
    a test."""
    goals = set(ends) - set(starts)
    edges = _Edges(view, tuple(kinds), tuple(against), unnamed)
    distance = _distances(edges, starts, goals, deepest, without_tests)
    reached = [id for id in view.by_place(goals) if distance[id] >= 0]
    if not reached:
        return []
    nearest = min(int(distance[id]) for id in reached)
    found: list[tuple[int, ...]] = []
    for goal in reached:
        if int(distance[goal]) == nearest:
            found += _ways_back(edges, goal, distance, _COMPARED - len(found))
    return sorted((_steps(edges, ids) for ids in found), key=_doubt)[:limit]


class _Edges(NamedTuple):
    """Which edges paths follow."""

    view: View
    kinds: tuple[EdgeKind, ...]
    against: tuple[EdgeKind, ...]
    unnamed: bool

    def after(self, layer: Ids) -> Ids:
        """What the edges of some symbols lead to."""
        graph = self.view.index.graph
        parts = [expand(graph.outgoing, layer, self.kinds)[1]]
        if self.against:
            parts.append(expand(graph.incoming, layer, self.against)[1])
        if self.unnamed:
            parts.append(_firsts(satisfying(self.view, layer.tolist())))
        return numpy.unique(numpy.concatenate(parts))

    def before(self, id: int) -> Ids:
        """What has edges that lead to a symbol."""
        graph = self.view.index.graph
        here = numpy.asarray([id], numpy.int64)
        parts = [expand(graph.incoming, here, self.kinds)[1]]
        if self.against:
            parts.append(expand(graph.outgoing, here, self.against)[1])
        if self.unnamed:
            parts.append(_firsts(satisfied(self.view, [id])))
        return numpy.unique(numpy.concatenate(parts))


def _firsts(pairs: Sequence[tuple[int, int]]) -> Ids:
    return numpy.asarray([first for first, _ in pairs], numpy.int64)


def _distances(
    edges: _Edges, starts: Sequence[int], goals: set[int], deepest: int, without_tests: bool
) -> Distances:
    view = edges.view
    distance = numpy.full(view.index.graph.size, -1, numpy.int16)
    layer: Ids = numpy.unique(numpy.asarray(list(starts), numpy.int64))
    distance[layer] = 0
    seen = len(layer)
    wanted = numpy.asarray(sorted(goals), numpy.int64)
    for depth in range(1, deepest + 1):
        if not len(layer) or seen > _WIDEST or (distance[wanted] >= 0).any():
            break
        others = edges.after(layer)
        layer = others[distance[others] < 0]
        if without_tests:
            tests = numpy.asarray([view.is_test(id) for id in layer.tolist()], bool)
            layer = layer[~tests | numpy.isin(layer, wanted)]
        distance[layer] = depth
        seen += len(layer)
    return distance


def _ways_back(edges: _Edges, goal: int, distance: Distances, limit: int) -> list[tuple[int, ...]]:
    """Paths that end at the goal, each symbol one layer nearer to the start than the next."""
    found: list[tuple[int, ...]] = []
    waiting: list[tuple[int, ...]] = [(goal,)]
    while waiting and len(found) < limit:
        path = waiting.pop()
        layer = int(distance[path[0]])
        if layer == 0:
            found.append(path)
            continue
        before = edges.before(path[0])
        nearer = edges.view.by_place(before[distance[before] == layer - 1].tolist())[:_BRANCHES]
        waiting.extend((id, *path) for id in reversed(nearer))
    return found


def _doubt(path: Sequence[Step]) -> float:
    return 1.0 - math.prod(CONFIDENCE[step.provenance] for step in path)


def _steps(edges: _Edges, ids: Sequence[int]) -> tuple[Step, ...]:
    records = {record.id: record for record in edges.view.records(list(ids))}
    graph = edges.view.index.graph
    steps = []
    for left, right in pairwise(ids):
        edge = edge_between(graph, left, right, edges.kinds)
        back = None if edge else edge_between(graph, right, left, edges.against)
        satisfies = (EdgeKind.OVERRIDES, records[right].start_line, Provenance.INFERRED)
        kind, line, provenance = edge or back or satisfies
        steps.append(Step(records[left], kind, records[right], line, provenance, edge is not None))
    return tuple(steps)
