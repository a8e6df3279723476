"""Restart walk over the symbol graph by forward push, and HITS on what it reached.

Flow follows edges in both directions: a caller is near its callees and vice versa. All steps are
numpy operations on the arrays of one generation; no SQL. Each step looks only at nodes that the
walk has touched, so its cost does not grow with the graph.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy
from numpy.typing import NDArray

from sonde.frozen import frozen
from sonde.link.weights import PROVENANCE_FACTORS, WALK_WEIGHTS
from sonde.store.graph import Graph, Rows

Floats = NDArray[numpy.float64]
Ids = NDArray[numpy.int64]
Region = Callable[[Ids], NDArray[numpy.bool_]]  # nodes → which of them are inside
InOrder = Callable[[Ids, Floats], list[int]]  # nodes sorted by value, ties by place

RESTART = 0.2
_BACKWARD = 0.5  # the walk is half as likely to go against an edge
_ROUNDS = 20
_EPSILON = 1.5e-3  # residual mass left where it is; 5e-5 changed no figure and cost 5 times as much
_STABLE_ROUNDS = 2  # rounds for which the top ten must stay the same
_KEPT = 400  # nodes a walk returns; the rest have less than a thousandth of the best
_HITS_NODES = 200  # fewer than a byte can tell apart
_HITS_ROUNDS = 10
_DIGITS = 9  # the last digits of sums depend on the order of ids, which is meaningless


@frozen
class Transitions:
    """A graph with the walk weight of every edge in both directions."""

    size: int
    outgoing: Rows
    incoming: Rows
    forward: Floats
    backward: Floats
    total: Floats  # weight that leaves each node
    in_order: InOrder


def transitions(graph: Graph, in_order: InOrder) -> Transitions:
    """Weights for a generation; computed once and shared by all its walks."""
    table = numpy.zeros((64, 256))  # larger than either dimension ever gets
    for kind, weight in WALK_WEIGHTS.items():
        for provenance, factor in PROVENANCE_FACTORS.items():
            table[int(kind), int(provenance)] = weight * factor
    outgoing, incoming = graph.outgoing, graph.incoming
    forward = _weights(table, outgoing)
    backward = _weights(table * _BACKWARD, incoming)
    total = _row_sums(forward, outgoing) + _row_sums(backward, incoming)
    return Transitions(graph.size, outgoing, incoming, forward, backward, total, in_order)


def _weights(table: Floats, rows: Rows) -> Floats:
    """The weight of each edge; one flat lookup takes a fifth of the time of a two-index lookup."""
    place = rows.kind.astype(numpy.uint16) << 8
    place |= rows.provenance
    return table.ravel().take(place)


def _row_sums(weights: Floats, rows: Rows) -> Floats:
    sums = numpy.concatenate(([0.0], numpy.cumsum(weights)))
    return numpy.asarray(sums[rows.indptr[1:]] - sums[rows.indptr[:-1]])


def walk(
    paths: Transitions, seeds: Mapping[int, float], within: Region | None = None
) -> dict[int, float]:
    """Share of time a restarting walker spends at each node, largest first and scaled to 1.

    `within` limits the walk to some nodes. Dead ends return to the seeds.
    """
    ids = numpy.fromiter(sorted(seeds), dtype=numpy.int64)
    if not len(ids):
        return {}
    restart = numpy.asarray([seeds[int(id)] for id in ids])
    restart = restart / restart.sum()
    residual = numpy.zeros(paths.size)  # untouched pages cost nothing
    residual[ids] = restart
    settled = numpy.zeros(paths.size)
    order = numpy.empty(paths.size, dtype=numpy.int32)
    active, visited = ids, ids[:0]
    top: list[int] = []
    stable = 0
    for _ in range(_ROUNDS):
        active = active[residual[active] > _EPSILON]
        if not len(active):
            break
        mass = residual[active]
        residual[active] = 0.0
        visited = numpy.concatenate((visited, active[settled[active] == 0.0]))
        settled[active] += RESTART * mass
        moving, total, nodes = (1.0 - RESTART) * mass, paths.total[active], active
        alive, lost = total > 0.0, 0.0
        if not alive.all():
            lost = float(moving[~alive].sum())
            nodes, moving, total = active[alive], moving[alive], total[alive]
        per_weight = moving / total
        reached = (
            _push(paths.outgoing, paths.forward, nodes, per_weight, residual),
            _push(paths.incoming, paths.backward, nodes, per_weight, residual),
        )
        if within is not None:
            left = numpy.concatenate([each[~within(each)] for each in reached])
            outside = numpy.sort(_distinct(left, order))
            lost += float(residual[outside].sum())
            residual[outside] = 0.0
        if lost:
            residual[ids] += lost * restart
        # A node that received nothing in this round cannot have crossed the limit.
        grown = [each[residual.take(each) > _EPSILON] for each in reached]
        active = numpy.sort(_distinct(numpy.concatenate((ids, *grown)), order))
        best = _leaders(settled, visited, 10)
        stable = stable + 1 if best == top else 0
        top = best
        if stable >= _STABLE_ROUNDS:
            break
    return _normalised(settled, visited, paths.in_order)


def _distinct(nodes: Ids, order: NDArray[numpy.int32]) -> Ids:
    """Each node once. `order` is scratch space by node: numpy.unique takes five times as long."""
    places = numpy.arange(len(nodes), dtype=numpy.int32)
    order[nodes] = places
    last: Ids = nodes[order[nodes] == places]
    return last


def edges_of(rows: Rows, nodes: Ids) -> tuple[Ids, Ids]:
    """(positions of all edges of the nodes, number of edges of each node)."""
    starts = rows.indptr.take(nodes).astype(numpy.int64)
    counts: Ids = rows.indptr.take(nodes + 1) - starts
    starts += counts
    starts -= counts.cumsum()  # the offset to add to a running number
    edges = starts.repeat(counts)
    edges += numpy.arange(len(edges))
    return edges, counts


def _push(rows: Rows, weights: Floats, nodes: Ids, per_weight: Floats, residual: Floats) -> Ids:
    """Let mass flow along all edges of the nodes; returns where it went.

    `take` and in-place operations save a sixth of the time: a node has a hundred edges.
    """
    edges, counts = edges_of(rows, nodes)
    flow = per_weight.repeat(counts)
    flow *= weights.take(edges)
    targets = rows.other.take(edges).astype(numpy.int64)
    numpy.add.at(residual, targets, flow)  # bincount would touch the whole graph
    return targets


def _leaders(scores: Floats, reached: Ids, count: int) -> list[int]:
    """The best nodes; none of those tied at the cutoff, since only their ids would decide."""
    values = scores[reached].round(_DIGITS)
    if len(reached) > count:
        clear = values > numpy.partition(values, -count - 1)[-count - 1]
        reached, values = reached[clear], values[clear]
    found: list[int] = reached[numpy.lexsort((reached, -values))].tolist()
    return found


def _normalised(scores: Floats, reached: Ids, in_order: InOrder) -> dict[int, float]:
    if not len(reached):
        return {}
    shares = scores[reached]
    shares = (shares / shares.max()).round(_DIGITS)
    if len(reached) > _KEPT:
        kept = shares >= numpy.partition(shares, -_KEPT)[-_KEPT]
        reached, shares = reached[kept], shares[kept]
    best = in_order(reached, -shares)[:_KEPT]
    return dict(zip(best, (scores[best] / scores[best[0]]).round(_DIGITS).tolist(), strict=True))


def hits(paths: Transitions, scores: Mapping[int, float]) -> dict[int, tuple[float, float]]:
    """(authority, hub) of the most visited nodes within their own subgraph."""
    nodes = list(scores)[:_HITS_NODES]
    if not nodes:
        return {}
    rows = paths.outgoing
    place = numpy.zeros(paths.size, dtype=numpy.uint8)
    place[nodes] = numpy.arange(1, len(nodes) + 1)
    edges, counts = edges_of(rows, numpy.asarray(nodes))
    sources = numpy.arange(len(nodes)).repeat(counts)
    targets = place.take(rows.other.take(edges)).astype(numpy.int64) - 1
    inside = (targets >= 0) & (targets != sources)
    sources, targets, flow = sources[inside], targets[inside], paths.forward.take(edges[inside])
    hub = authority = numpy.ones(len(nodes))
    for _ in range(_HITS_ROUNDS):
        authority = _unit(numpy.bincount(targets, flow * hub[sources], minlength=len(nodes)))
        hub = _unit(numpy.bincount(sources, flow * authority[targets], minlength=len(nodes)))
    pairs = zip(authority.round(_DIGITS).tolist(), hub.round(_DIGITS).tolist(), strict=True)
    return dict(zip(nodes, pairs, strict=True))


def _unit(vector: NDArray[Any]) -> Floats:
    length = math.sqrt(vector @ vector)
    return vector / length if length else vector
