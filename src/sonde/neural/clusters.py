"""An approximate index for very many vectors: clusters, of which a search looks at the nearest."""

from __future__ import annotations

import math

import numpy
from numpy.typing import NDArray

from sonde.meaning.matrix import Direction, Rows

Numbers = NDArray[numpy.uint16]
Centroids = NDArray[numpy.float32]

_SAMPLES = 40  # rows for each cluster that decide where it lies
_ROUNDS = 8
_LOOKED_AT = 1 / 8  # of the clusters; tests/neural/test_clusters.py measures what that finds
_PART = 4096  # rows at a time
_MOST = 65_535


def train(rows: Rows) -> Centroids:
    """The centres of about √n clusters; the same rows give the same centres."""
    count = min(_MOST, max(1, math.isqrt(len(rows))))
    chance = numpy.random.default_rng(len(rows))
    size = min(len(rows), _SAMPLES * count)
    sample = _unit(rows[numpy.sort(chance.choice(len(rows), size, replace=False))])
    centroids: Centroids = sample[chance.choice(size, count, replace=False)]
    for _ in range(_ROUNDS):
        nearest = _nearest(sample, centroids)
        sums = numpy.zeros_like(centroids)
        numpy.add.at(sums, nearest, sample)
        filled = numpy.bincount(nearest, minlength=count) > 0
        centroids[filled] = _unit(sums[filled])
    return centroids


def assign(rows: Rows, centroids: Centroids) -> Numbers:
    """The number of each row's cluster."""
    parts = [
        _nearest(_unit(rows[start : start + _PART]), centroids)
        for start in range(0, len(rows), _PART)
    ]
    numbers = numpy.concatenate(parts) if parts else numpy.empty(0)
    return numbers.astype(numpy.uint16)


class Clusters:
    """Rows by cluster."""

    def __init__(self, centroids: Centroids, numbers: Numbers) -> None:
        self._centroids = centroids
        self._order = numpy.argsort(numbers, kind="stable")
        counts = numpy.bincount(numbers, minlength=len(centroids))
        self._ends = numpy.cumsum(counts)
        self._starts = self._ends - counts

    def near(self, direction: Direction) -> NDArray[numpy.intp]:
        """The rows of the clusters nearest to a unit vector, ascending."""
        closeness = self._centroids @ direction
        count = max(1, math.ceil(len(closeness) * _LOOKED_AT))
        chosen = numpy.argsort(-closeness, kind="stable")[:count]
        spans = [self._order[self._starts[each] : self._ends[each]] for each in chosen]
        return numpy.sort(numpy.concatenate(spans))


def _unit(rows: NDArray[numpy.float32] | Rows) -> NDArray[numpy.float32]:
    floats = rows.astype(numpy.float32)
    length = numpy.linalg.norm(floats, axis=1, keepdims=True)
    unit: NDArray[numpy.float32] = floats / numpy.maximum(length, 1e-9)
    return unit


def _nearest(unit: NDArray[numpy.float32], centroids: Centroids) -> NDArray[numpy.intp]:
    nearest: NDArray[numpy.intp] = numpy.argmax(unit @ centroids.T, axis=1)
    return nearest
