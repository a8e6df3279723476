"""Of how many words, letters and owners each symbol's name is made."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy
from numpy.typing import NDArray

from sonde.understand.identifiers import split_identifier

if TYPE_CHECKING:
    from sonde.model import SymbolRecord

WORDS, LETTERS, OWNERS = range(3)
_MOST = numpy.iinfo(numpy.int16).max


class NameShapes:
    """The shapes of all names of a generation by symbol id, each counted when first asked for.

    Half of a question's candidates were candidates before; splitting their names again, or only
    finding the words of each in a memory of names, took a hundredth of its time.
    """

    def __init__(self, symbols: int) -> None:
        self._known = numpy.zeros((symbols, 3), numpy.int16)

    def of(
        self, ids: NDArray[numpy.int64], records: Sequence[SymbolRecord]
    ) -> NDArray[numpy.float64]:
        """The numbers of words, letters and owners, a row each; a column for each symbol."""
        new = numpy.flatnonzero(self._known[ids, LETTERS] == 0).tolist()
        if new:
            self._known[ids[new]] = [_shape(records[place]) for place in new]
        return self._known[ids].T.astype(float)


def _shape(record: SymbolRecord) -> tuple[int, int, int]:
    name = record.name
    words, owners = len(split_identifier(name)), record.qualname.count(".")
    return min(words, _MOST), min(len(name), _MOST), min(owners, _MOST)
