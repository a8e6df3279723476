"""Shortest paths through the graph, by breadth-first search one layer at a time."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy
from numpy.typing import NDArray

from sonde.answers.edges import Ids, edge_between, expand
from sonde.answers.results import Step
from sonde.model import EdgeKind
from sonde.retrieve.view import View

_DEEPEST = 12
_WIDEST = 200_000  # symbols visited; beyond that a path explains nothing
_BRANCHES = 20  # equally short ways back followed from one symbol

Distances = NDArray[numpy.int16]


def shortest_paths(
    view: View,
    starts: Sequence[int],
    ends: Sequence[int],
    kinds: Sequence[EdgeKind],
    *,
    against: Sequence[EdgeKind] = (),
    limit: int = 3,
    deepest: int = _DEEPEST,
    without_tests: bool = False,
) -> list[tuple[Step, ...]]:
    """At most `limit` shortest paths along resolved edges of `kinds`, and backwards along those of
    `against`; with `without_tests` no path leads through a test."""
    goals = set(ends) - set(starts)
    distance = _distances(view, starts, goals, kinds, against, deepest, without_tests)
    reached = [id for id in view.by_place(goals) if distance[id] >= 0]
    if not reached:
        return []
    nearest = min(int(distance[id]) for id in reached)
    found: list[tuple[int, ...]] = []
    for goal in reached:
        if int(distance[goal]) == nearest:
            found += _ways_back(view, goal, distance, kinds, against, limit - len(found))
    return [_steps(view, ids, kinds, against) for ids in found]


def _distances(
    view: View,
    starts: Sequence[int],
    goals: set[int],
    kinds: Sequence[EdgeKind],
    against: Sequence[EdgeKind],
    deepest: int,
    without_tests: bool,
) -> Distances:
    graph = view.index.graph
    distance = numpy.full(graph.size, -1, numpy.int16)
    layer: Ids = numpy.unique(numpy.asarray(list(starts), numpy.int64))
    distance[layer] = 0
    seen = len(layer)
    wanted = numpy.asarray(sorted(goals), numpy.int64)
    for depth in range(1, deepest + 1):
        if not len(layer) or seen > _WIDEST or (distance[wanted] >= 0).any():
            break
        parts = [expand(graph.outgoing, layer, kinds)[1]]
        if against:
            parts.append(expand(graph.incoming, layer, against)[1])
        others = numpy.unique(numpy.concatenate(parts))
        layer = others[distance[others] < 0]
        if without_tests:
            tests = numpy.asarray([view.is_test(id) for id in layer.tolist()], bool)
            layer = layer[~tests | numpy.isin(layer, wanted)]
        distance[layer] = depth
        seen += len(layer)
    return distance


def _ways_back(
    view: View,
    goal: int,
    distance: Distances,
    kinds: Sequence[EdgeKind],
    against: Sequence[EdgeKind],
    limit: int,
) -> list[tuple[int, ...]]:
    """Paths that end at the goal, each symbol one layer nearer to the start than the next."""
    graph = view.index.graph
    found: list[tuple[int, ...]] = []
    waiting: list[tuple[int, ...]] = [(goal,)]
    while waiting and len(found) < limit:
        path = waiting.pop()
        layer = int(distance[path[0]])
        if layer == 0:
            found.append(path)
            continue
        here = numpy.asarray([path[0]], numpy.int64)
        parts = [expand(graph.incoming, here, kinds)[1]]
        if against:
            parts.append(expand(graph.outgoing, here, against)[1])
        before = numpy.unique(numpy.concatenate(parts))
        nearer = view.by_place(before[distance[before] == layer - 1].tolist())[:_BRANCHES]
        waiting.extend((id, *path) for id in reversed(nearer))
    return found


def _steps(
    view: View, ids: Sequence[int], kinds: Sequence[EdgeKind], against: Sequence[EdgeKind]
) -> tuple[Step, ...]:
    records = {record.id: record for record in view.records(list(ids))}
    graph = view.index.graph
    steps = []
    for left, right in pairwise(ids):
        edge = edge_between(graph, left, right, kinds)
        back = None if edge else edge_between(graph, right, left, against)
        kind, line, provenance = edge or back or (EdgeKind.REFERENCES, 0, None)
        if provenance is not None:
            steps.append(
                Step(records[left], kind, records[right], line, provenance, edge is not None)
            )
    return tuple(steps)
