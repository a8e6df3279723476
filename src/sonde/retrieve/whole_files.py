"""How well whole files answer a task: BM25 with a file as the document.

How many of a file's symbols have a word stands for how often the file says it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy
from numpy.typing import NDArray

from sonde.retrieve.anywhere import heaviest

if TYPE_CHECKING:
    from sonde.retrieve.match import Matcher
    from sonde.retrieve.view import View

_SATURATION, _LENGTH = 1.2, 0.75  # the usual constants of BM25


def whole_files(
    matcher: Matcher, view: View, files: NDArray[numpy.int64]
) -> NDArray[numpy.float64]:
    """The score of each of some files, given by id, relative to the best of them."""
    words = heaviest(matcher)
    scores = numpy.zeros(len(files))
    if not words or not len(files):
        return scores
    of_symbol = view.index.graph.columns.file
    count = int(files.max()) + 1
    sizes = numpy.bincount(of_symbol, minlength=count)[files]  # in symbols
    ids, which = view.index.fulltext.saying(
        [forms for forms, _ in words], files.tolist(), int(sizes.sum())
    )
    place = numpy.zeros(count, numpy.int64)
    place[files] = numpy.arange(len(files))
    places = place[of_symbol[ids]]
    resistance = _SATURATION * (1.0 - _LENGTH + _LENGTH * sizes / sizes.mean())
    for bit, (_, weight) in enumerate(words):
        says = numpy.bincount(places[which >> bit & 1 == 1], minlength=len(files))
        scores += weight * says / (says + resistance)
    best: NDArray[numpy.float64] = scores / (scores.max() or 1.0)
    return best
