"""Vectors searched exactly."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy
from numpy.typing import NDArray

from sonde.meaning.table import DIMENSIONS

Rows = NDArray[numpy.int8]
Direction = NDArray[numpy.float32]
# Rows turned to floats at a time: they stay in the processor's cache, and the product is too small
# for the numeric library to start threads, which cost ten times as much as they save.
_PART = 512
_LARGEST = 128  # of int8
_EXACT = 1 << 24  # whole numbers up to here are exact as float32


class Directions:
    """Rows of int8, of which only the direction counts."""

    def __init__(self, rows: Rows) -> None:
        self.rows = rows
        squares = numpy.einsum("ij,ij->i", rows, rows, dtype=numpy.int32)
        self._length = numpy.maximum(numpy.sqrt(squares.astype(numpy.float32)), 1e-9)

    def cosines(self, direction: Direction, some: NDArray[numpy.intp] | None = None) -> Direction:
        """How near each row, or each of some, is to a unit vector: 1 the same, 0 unrelated."""
        count = len(self.rows) if some is None else len(some)
        halves = _halves(direction)
        products = numpy.empty((count, 2), numpy.float32)
        for start in range(0, count, _PART):
            at = slice(start, start + _PART)
            part = self.rows[at if some is None else some[at]].astype(numpy.float32)
            numpy.matmul(part, halves, out=products[at])
        lengths = self._length if some is None else self._length[some]
        cosines: Direction = (products[:, 0] + products[:, 1]) / lengths
        return cosines


def _halves(direction: Direction) -> Direction:
    """A coarse part of the vector and the rest of it, as columns.

    Each is short enough for its products with rows of int8 to be summed without rounding.
    Rounded sums depend on where among the others a row stands: equals would come apart, in
    another way in each index of the same files.
    """
    whole = direction.astype(numpy.float64)
    coarse = _shortened(whole)
    columns = numpy.stack((coarse, _shortened(whole - coarse)), axis=1)
    return numpy.asfortranarray(columns, numpy.float32)


def _shortened(vector: NDArray[numpy.float64]) -> NDArray[numpy.float64]:
    """The vector in steps of a power of two, the finest with which no sum leaves `_EXACT`."""
    largest = float(numpy.abs(vector).sum())
    if not largest:
        return vector
    room = _EXACT / _LARGEST - len(vector) / 2  # each step may round up by a half
    steps = 2.0 ** math.floor(math.log2(room / largest))
    shortened: NDArray[numpy.float64] = numpy.round(vector * steps) / steps
    return shortened


class Matrix(Directions):
    """All vectors of one generation, and the symbols they belong to."""

    def __init__(self, parts: Iterable[tuple[bytes, bytes]]) -> None:
        symbols, rows = [], []
        for some, vectors in parts:
            symbols.append(some)
            rows.append(vectors)
        self.symbols = numpy.frombuffer(b"".join(symbols), numpy.int32)
        super().__init__(numpy.frombuffer(b"".join(rows), numpy.int8).reshape(-1, DIMENSIONS))
