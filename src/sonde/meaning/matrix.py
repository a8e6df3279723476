"""All vectors of one generation, searched exactly."""

from __future__ import annotations

from collections.abc import Iterable

import numpy
from numpy.typing import NDArray

from sonde.meaning.table import DIMENSIONS

# Rows turned to floats at a time: they stay in the processor's cache, and the product is too small
# for the numeric library to start threads, which cost ten times as much as they save.
_PART = 512


class Matrix:
    """Symbols and the directions of their vectors."""

    def __init__(self, parts: Iterable[tuple[bytes, bytes]]) -> None:
        symbols, rows = [], []
        for some, vectors in parts:
            symbols.append(some)
            rows.append(vectors)
        self.symbols = numpy.frombuffer(b"".join(symbols), numpy.int32)
        self._rows = numpy.frombuffer(b"".join(rows), numpy.int8).reshape(-1, DIMENSIONS)
        squares = numpy.einsum("ij,ij->i", self._rows, self._rows, dtype=numpy.int32)
        self._length = numpy.maximum(numpy.sqrt(squares.astype(numpy.float32)), 1e-9)

    def cosines(self, direction: NDArray[numpy.float32]) -> NDArray[numpy.float32]:
        """How near each symbol's meaning is to a unit vector: 1 the same, 0 unrelated."""
        products = numpy.empty(len(self._rows), numpy.float32)
        for start in range(0, len(self._rows), _PART):
            part = self._rows[start : start + _PART].astype(numpy.float32)
            products[start : start + _PART] = part @ direction
        cosines: NDArray[numpy.float32] = products / self._length
        return cosines
