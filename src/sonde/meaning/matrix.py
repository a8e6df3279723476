"""Searching vectors: all of them or, where there are very many, those likely to be near."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy
from numpy.typing import NDArray

from sonde.meaning.table import DIMENSIONS

Rows = NDArray[numpy.int8]
Direction = NDArray[numpy.float32]
Places = NDArray[numpy.intp]
# Rows turned to floats at a time: they stay in the processor's cache, and the product is too small
# for the numeric library to start threads, which cost ten times as much as they save.
_PART = 512
EXACT_UP_TO = 500_000  # vectors; beyond this, a search looks only at likely ones
# The largest numbers of a vector nearly decide what is near it. By that eighth alone a sixteenth
# of the rows is chosen and compared in full: of 182,175 vectors of 52 repositories it held 99 %
# of the nearest 60. No index has to be kept, and equal rows stay equal.
_LEADING = 1 / 8
_LIKELY = 1 / 16
_SMALL = 1 << 17  # numbers in a product that is too small for threads, see above
_LARGEST = 128  # of int8
_EXACT = 1 << 24  # whole numbers up to here are exact as float32


class Directions:
    """Rows of int8; only their direction counts."""

    def __init__(self, rows: Rows, exact_up_to: int = EXACT_UP_TO) -> None:
        self.rows = rows
        squares = numpy.einsum("ij,ij->i", rows, rows, dtype=numpy.int32)
        self._length = numpy.maximum(numpy.sqrt(squares.astype(numpy.float32)), 1e-9)
        # a column's numbers side by side, so that some columns are read without the others
        self._columns = numpy.ascontiguousarray(rows.T) if len(rows) > exact_up_to else None

    def cosines(self, direction: Direction, some: Places | None = None) -> Direction:
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

    def likely(self, direction: Direction, limit: int) -> Places | None:
        """Rows that should contain the `limit` nearest, ascending; None if all may be looked at."""
        if self._columns is None:
            return None
        leading = numpy.argsort(-numpy.abs(direction), kind="stable")
        leading = leading[: math.ceil(len(leading) * _LEADING)]
        halves = _halves(direction[leading]).T
        products = numpy.empty((2, len(self.rows)), numpy.float32)
        step = _SMALL // len(leading)
        for start in range(0, len(self.rows), step):
            at = slice(start, start + step)
            products[:, at] = halves @ self._columns[leading, at].astype(numpy.float32)
        roughly = (products[0] + products[1]) / self._length
        least = -min(len(roughly), max(limit, math.ceil(len(roughly) * _LIKELY)))
        return numpy.flatnonzero(roughly >= numpy.partition(roughly, least)[least])


def _halves(direction: Direction) -> Direction:
    """A coarse part of the vector and the rest of it, as columns.

    Each is short enough for its products with rows of int8 to be summed without rounding.
    Rounded sums depend on a row's position among the others: equal rows would get different
    scores, and different ones in each index of the same files.
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
