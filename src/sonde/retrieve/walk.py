"""Restart walk over the symbol graph by forward push, and HITS on what it reached.

Flow follows edges both ways: a caller is near what it calls and the reverse.
All steps are numpy over the arrays of one generation; no SQL.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy
from numpy.typing import NDArray

from sonde.link.weights import PROVENANCE_FACTORS, WALK_WEIGHTS
from sonde.store.graph import Graph, Rows

Floats = NDArray[numpy.float64]
Ids = NDArray[numpy.int64]

RESTART = 0.2
_BACKWARD = 0.5  # against an edge the walk is half as likely
_ROUNDS = 20
_EPSILON = 2e-5  # residual mass left where it is; 1e-6 changed no top ten and cost 4×
_STABLE_ROUNDS = 2  # the top ten must stay equal this often
_HITS_NODES = 200
_HITS_ROUNDS = 10


@dataclass(frozen=True, slots=True)
class Transitions:
    """A graph with the walk weight of every edge in both directions."""

    graph: Graph
    forward: Floats
    backward: Floats
    total: Floats  # weight that leaves each node


def transitions(graph: Graph) -> Transitions:
    """Weights for a generation; made once and shared by all its walks."""
    table = numpy.zeros((256, 256))
    for kind, weight in WALK_WEIGHTS.items():
        for provenance, factor in PROVENANCE_FACTORS.items():
            table[int(kind), int(provenance)] = weight * factor
    forward = table[graph.outgoing.kind, graph.outgoing.provenance]
    backward = table[graph.incoming.kind, graph.incoming.provenance] * _BACKWARD
    total = _row_sums(forward, graph.outgoing) + _row_sums(backward, graph.incoming)
    return Transitions(graph, forward, backward, total)


def _row_sums(weights: Floats, rows: Rows) -> Floats:
    sums = numpy.concatenate(([0.0], numpy.cumsum(weights)))
    return numpy.asarray(sums[rows.indptr[1:]] - sums[rows.indptr[:-1]])


def walk(
    paths: Transitions, seeds: Mapping[int, float], within: NDArray[numpy.bool_] | None = None
) -> dict[int, float]:
    """Share of time a restarting walker spends at each node, largest = 1.

    `within` limits the walk to some nodes. Dead ends return to the seeds.
    """
    size = paths.graph.size
    ids = numpy.fromiter(sorted(seeds), dtype=numpy.int64)
    if not len(ids):
        return {}
    restart = numpy.asarray([seeds[int(id)] for id in ids])
    restart = restart / restart.sum()
    residual = numpy.zeros(size)
    residual[ids] = restart
    settled = numpy.zeros(size)
    top: list[int] = []
    stable = 0
    for _ in range(_ROUNDS):
        active = numpy.flatnonzero(residual > _EPSILON)
        if not len(active):
            break
        mass = residual[active]
        residual[active] = 0.0
        settled[active] += RESTART * mass
        moving = (1.0 - RESTART) * mass
        alive = paths.total[active] > 0.0
        lost = float(moving[~alive].sum())
        nodes, per_weight = active[alive], moving[alive] / paths.total[active[alive]]
        _push(paths.graph.outgoing, paths.forward, nodes, per_weight, residual)
        _push(paths.graph.incoming, paths.backward, nodes, per_weight, residual)
        if within is not None:
            lost += float(residual[~within].sum())
            residual[~within] = 0.0
        residual[ids] += lost * restart
        best = _top(settled, 10)
        stable = stable + 1 if best == top else 0
        top = best
        if stable >= _STABLE_ROUNDS:
            break
    return _normalised(settled)


def _push(rows: Rows, weights: Floats, nodes: Ids, per_weight: Floats, residual: Floats) -> None:
    starts = rows.indptr[nodes].astype(numpy.int64)
    counts = rows.indptr[nodes + 1].astype(numpy.int64) - starts
    total = int(counts.sum())
    if not total:
        return
    offsets = numpy.repeat(starts - numpy.concatenate(([0], numpy.cumsum(counts)[:-1])), counts)
    edges = offsets + numpy.arange(total)
    flow = numpy.repeat(per_weight, counts) * weights[edges]
    residual += numpy.bincount(rows.other[edges], flow, minlength=len(residual))


def _top(scores: Floats, count: int) -> list[int]:
    reached = numpy.flatnonzero(scores)
    if len(reached) > count:
        reached = reached[numpy.argpartition(-scores[reached], count)[:count]]
    return sorted(reached.tolist(), key=lambda id: (-scores[id], id))


def _normalised(scores: Floats) -> dict[int, float]:
    reached = numpy.flatnonzero(scores)
    if not len(reached):
        return {}
    values = scores[reached] / scores[reached].max()
    return dict(zip(reached.tolist(), values.tolist(), strict=True))


def hits(paths: Transitions, scores: Mapping[int, float]) -> dict[int, tuple[float, float]]:
    """(authority, hub) of the best-walked nodes within their own subgraph."""
    nodes = sorted(scores, key=lambda id: (-scores[id], id))[:_HITS_NODES]
    place = {id: at for at, id in enumerate(nodes)}
    sources: list[int] = []
    targets: list[int] = []
    weights: list[float] = []
    rows = paths.graph.outgoing
    for id, at in place.items():
        first, last = int(rows.indptr[id]), int(rows.indptr[id + 1])
        for edge, other in enumerate(rows.other[first:last].tolist(), first):
            found = place.get(other)
            if found is not None and found != at:
                sources.append(at)
                targets.append(found)
                weights.append(float(paths.forward[edge]))
    hub = numpy.ones(len(nodes))
    authority = numpy.ones(len(nodes))
    flow = numpy.asarray(weights)
    for _ in range(_HITS_ROUNDS):
        authority = _unit(numpy.bincount(targets, flow * hub[sources], minlength=len(nodes)))
        hub = _unit(numpy.bincount(sources, flow * authority[targets], minlength=len(nodes)))
    return {id: (float(authority[at]), float(hub[at])) for id, at in place.items()}


def _unit(vector: Floats) -> Floats:
    length = float(numpy.linalg.norm(vector))
    return vector / length if length else vector
