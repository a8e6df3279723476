"""How much of a task each symbol says anywhere: in its own text, its path, its owner's name."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy
from numpy.typing import NDArray

if TYPE_CHECKING:
    from sonde.retrieve.match import Matcher
    from sonde.retrieve.view import View

_WORDS = 24  # heaviest of a long text: the others say little and cost as much
_SHORTEST = 4  # letters of a word that is inflected
_DIGITS = 4  # the engine sums in the order of its segments, which shows in the last digits
_MOST = 3_000  # symbols of the candidates' files, those that say most first


class Anywhere:
    """What the symbols of some files say of one task; no symbol is asked for twice."""

    def __init__(self, matcher: Matcher, view: View) -> None:
        heaviest = sorted(matcher.words.items(), key=lambda item: (-item[1], item[0]))[:_WORDS]
        words = [(_forms(word, matcher.forms[word]), weight) for word, weight in heaviest]
        self._total = sum(weight for _, weight in heaviest)
        self._homes = view.index.graph.columns.file
        self._covered = view.index.fulltext.coverage(words, _MOST)
        self._found: dict[int, float] = {}
        self._known: set[int] = set()  # files in which no other symbol says anything

    def shares(self, ids: NDArray[numpy.int64]) -> NDArray[numpy.float64]:
        """The share of the task's words that each symbol says, rare ones counting more."""
        if not self._total:
            return numpy.zeros(len(ids))
        symbols, files = ids.tolist(), self._homes[ids].tolist()
        new = {file for id, file in zip(symbols, files, strict=True) if id not in self._found}
        new -= self._known
        if new:
            found, whole = self._covered(sorted(new))
            self._found.update(found)
            if whole:
                self._known |= new
        said = numpy.array([self._found.get(id, 0.0) for id in symbols]) / self._total
        return said.round(_DIGITS)


def _forms(base: str, asked: list[str]) -> list[str]:
    """A word as the task has it, and its usual inflections: code says "evicted", "eviction"."""
    if len(base) < _SHORTEST or not base.isalpha():
        return asked
    stem = base.removesuffix("e")
    forms = [base, f"{base}s", f"{stem}ed", f"{stem}ing", f"{stem}er", f"{stem}ion", f"{stem}or"]
    return list(dict.fromkeys([*asked, *forms]))
