"""The order of symbols that all indexes of the same files share: path and place, never id."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy
from numpy.typing import NDArray

from sonde.store.file_symbols import FileSymbols
from sonde.store.graph import Columns


class SymbolOrder:
    """Sorts the symbols of one generation."""

    def __init__(
        self, files: Sequence[int], columns: Columns, symbols: Mapping[int, FileSymbols]
    ) -> None:
        """`files` are ids by path; `symbols` are those of each file."""
        ids = numpy.array(files, numpy.int64)
        self._file_order = numpy.zeros(int(ids.max(initial=0)) + 1, numpy.int64)
        self._file_order[ids] = numpy.arange(len(ids))
        self._columns = columns
        self._symbols = symbols

    def sorted(
        self, ids: Sequence[int] | NDArray[numpy.int64], first: NDArray[Any] | None = None
    ) -> list[int]:
        """Symbols by path and position; with `first`, by that value of each before them."""
        if len(ids) < 2:  # most names that a question asks for have no symbol
            return [int(id) for id in ids]
        found = numpy.asarray(ids, numpy.int64)
        columns = self._columns
        places = (self._file_order[columns.file[found]] << 32) + columns.start_line[found]
        keys = (places,) if first is None else (places, first)
        order = places.argsort() if first is None else numpy.lexsort(keys)
        same = numpy.logical_and.reduce([key[order[1:]] == key[order[:-1]] for key in keys])
        if same.any():  # on one line, so that only their positions tell
            tied = order[numpy.append(same, False) | numpy.append(False, same)]
            positions = numpy.zeros(len(found), numpy.int64)
            positions[tied] = [self._position(id) for id in found[tied].tolist()]
            order = numpy.lexsort((positions, *keys))
        ordered: list[int] = found[order].tolist()
        return ordered

    def _position(self, id: int) -> int:
        """The place of a symbol among those of its file."""
        return self._symbols[int(self._columns.file[id])].ids.index(id)
