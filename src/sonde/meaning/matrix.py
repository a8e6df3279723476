"""Vectors searched exactly."""

from __future__ import annotations

from collections.abc import Iterable

import numpy
from numpy.typing import NDArray

from sonde.meaning.table import DIMENSIONS

Rows = NDArray[numpy.int8]
Direction = NDArray[numpy.float32]
# Rows turned to floats at a time: they stay in the processor's cache, and the product is too small
# for the numeric library to start threads, which cost ten times as much as they save.
_PART = 512


class Directions:
    """Rows of int8, of which only the direction counts."""

    def __init__(self, rows: Rows) -> None:
        self.rows = rows
        squares = numpy.einsum("ij,ij->i", rows, rows, dtype=numpy.int32)
        self._length = numpy.maximum(numpy.sqrt(squares.astype(numpy.float32)), 1e-9)

    def cosines(self, direction: Direction, some: NDArray[numpy.intp] | None = None) -> Direction:
        """How near each row, or each of some, is to a unit vector: 1 the same, 0 unrelated."""
        count = len(self.rows) if some is None else len(some)
        products = numpy.empty(count, numpy.float32)
        for start in range(0, count, _PART):
            at = slice(start, start + _PART)
            part = self.rows[at if some is None else some[at]].astype(numpy.float32)
            products[at] = part @ direction
        cosines: Direction = products / (self._length if some is None else self._length[some])
        return cosines


class Matrix(Directions):
    """All vectors of one generation, and the symbols they belong to."""

    def __init__(self, parts: Iterable[tuple[bytes, bytes]]) -> None:
        symbols, rows = [], []
        for some, vectors in parts:
            symbols.append(some)
            rows.append(vectors)
        self.symbols = numpy.frombuffer(b"".join(symbols), numpy.int32)
        super().__init__(numpy.frombuffer(b"".join(rows), numpy.int8).reshape(-1, DIMENSIONS))
