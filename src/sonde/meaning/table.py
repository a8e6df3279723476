"""The table of word vectors that ships with the package, memory-mapped."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import NamedTuple

import numpy
from numpy.typing import NDArray

from sonde.lately import forgotten_by
from sonde.understand.words import stem

DIMENSIONS = 128
_DATA = Path(__file__).with_name("data")


class Rows(dict[str, int]):
    """Word → row, -1 if it is unknown; another form of a known word counts as that word."""

    def __missing__(self, word: str) -> int:
        base = stem(word)
        row = self.get(base, -1) if base else -1
        if len(self) < 400_000:  # identifiers are countless
            self[word] = row
        return row


class Table(NamedTuple):
    """One row per word: int8 times its scale. Tasks are turned by `turn` to meet code.

    A gate says how much a word of a task counts; in code all count alike.
    """

    rows: Rows
    vectors: NDArray[numpy.int8]
    scales: NDArray[numpy.float32]
    turn: NDArray[numpy.float32]
    gates: NDArray[numpy.float16]


_held: list[Table] = []


def table() -> Table:
    """The table, read on first use."""
    if not _held:
        _held.append(_read())
    return _held[0]


def _read() -> Table:
    words = (_DATA / "words.txt").read_text().split()
    return Table(
        Rows(dict(zip(words, range(len(words)), strict=True))),  # a third of a loop's time
        # As a plain array: the rows of a task's words took five times as long from a memmap object.
        numpy.asarray(numpy.load(_DATA / "vectors.npy", mmap_mode="r")),
        numpy.load(_DATA / "scales.npy"),
        numpy.load(_DATA / "turn.npy"),
        numpy.load(_DATA / "gates.npy"),
    )


def _forget_met() -> None:
    """Forget words that are not in the table: 10,000 questions left 10,000 such behind.

    Whoever is encoding continues with the rows it has. The numbers stay where they are: new ones
    would lie among what was just forgotten, and hold 6 MB of it after 2,000 questions.
    """
    if _held and len(_held[0].rows) > len(_held[0].scales):
        entered = islice(_held[0].rows.items(), len(_held[0].scales))  # the table's own came first
        _held[0] = _held[0]._replace(rows=Rows(entered))


forgotten_by(_forget_met)
