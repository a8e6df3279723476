"""How much of a task each symbol mentions anywhere: its own text, its path, its owner's name."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy
from numpy.typing import NDArray

if TYPE_CHECKING:
    from sonde.retrieve.match import Matcher
    from sonde.retrieve.view import View

WORDS = 24  # heaviest words of a long text; as scores are float32, no more have a bit each
_SHORTEST = 4  # letters; shorter words are not inflected
_DIGITS = 4  # the engine sums in segment order, which affects the last digits
_MOST = 2_000  # symbols; any that cover less than these count as covering nothing


class Anywhere:
    """How much of one task each symbol mentions; 0 for all but those that mention the most."""

    def __init__(self, matcher: Matcher, view: View) -> None:
        words = heaviest(matcher)
        total = sum(weight for _, weight in words)
        self._shares = numpy.zeros(1)
        self._places = numpy.zeros(view.index.graph.size, numpy.int16)
        if total:
            ids, said = view.index.fulltext.covering(words, _MOST)
            self._shares = numpy.append(0.0, (said / total).round(_DIGITS))
            self._places[ids] = numpy.arange(1, len(ids) + 1)

    def shares(self, ids: NDArray[numpy.int64]) -> NDArray[numpy.float64]:
        """The share of the task's words that each symbol mentions, rare words counting more."""
        found: NDArray[numpy.float64] = self._shares[self._places[ids]]
        return found


def heaviest(matcher: Matcher) -> list[tuple[list[str], float]]:
    """The heaviest words of a task, each in its forms and with its weight."""
    words = sorted(matcher.words.items(), key=lambda item: (-item[1], item[0]))[:WORDS]
    return [(_forms(word, matcher.forms[word]), weight) for word, weight in words]


def _forms(base: str, asked: list[str]) -> list[str]:
    """A word as written in the task, and its usual inflections: code says "evicted", "eviction"."""
    if len(base) < _SHORTEST or not base.isalpha():
        return asked
    stem = base.removesuffix("e")
    forms = [base, f"{base}s", f"{stem}ed", f"{stem}ing", f"{stem}er", f"{stem}ion", f"{stem}or"]
    return list(dict.fromkeys([*asked, *forms]))
