"""The messages of commits, searched word by word."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from sonde.lately import Lately

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

    Found = tuple[NDArray[numpy.int64], NDArray[numpy.float64]]  # commits, and what the word gives

_WORDS = 500  # remembered, most with some hundred commits: with 200 most were asked for anew


class Messages:
    """BM25 over messages is a sum over the words of a task, so what a word gives is remembered.

    One search for all words took 3.0 of a question's 47 ms on django, with other tasks before it.
    """

    def __init__(self, database: sqlite3.Connection) -> None:
        self._found: Lately[str, Found] = Lately(_WORDS, partial(_given, database))
        self._as_of = ""

    def best(self, words: Sequence[str], limit: int, as_of: str) -> dict[int, float]:
        """Scores of the best commits, and of all others as good as the last of them.

        `as_of` changes with the messages, as each affects what every word is worth.
        """
        import numpy

        if as_of != self._as_of:
            self._found.rest()
            self._as_of = as_of
        found = [each for each in map(self._found.__getitem__, words) if len(each[0])]
        if not found:
            return {}
        scores = numpy.zeros(1 + max(int(ids.max()) for ids, _ in found))
        for ids, given in found:
            scores[ids] += given
        some = numpy.flatnonzero(scores)
        if len(some) > limit:
            some = some[scores[some] >= numpy.partition(scores[some], -limit)[-limit]]
        return dict(zip(some.tolist(), scores[some].tolist(), strict=True))

    def rest(self) -> None:
        """Forget what the words gave."""
        self._found.rest()


def _given(database: sqlite3.Connection, word: str) -> Found:
    """The commits whose message has a word, with its score; subjects count twice."""
    import numpy

    rows = database.execute(
        "SELECT rowid, -bm25(messages, 2.0, 1.0) FROM messages WHERE messages MATCH ?",
        (f'"{word}"',),
    ).fetchall()
    ids, given = zip(*rows, strict=True) if rows else ((), ())
    return numpy.array(ids, numpy.int64), numpy.array(given, numpy.float64)
