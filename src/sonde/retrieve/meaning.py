"""Meaning: symbols whose words mean the same as the task's, even if they share none."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy
from numpy.typing import NDArray

from sonde.meaning.encode import encode_words
from sonde.retrieve.channel import Channel, Hit
from sonde.retrieve.fulltext import query_words

if TYPE_CHECKING:
    from sonde.model import Query
    from sonde.retrieve.view import View

_LIMIT = 60
_CLOSE = 0.45  # the cosine of a good answer: if none is that near, all count for less
_LEAST = 0.4  # of the nearest or of a good answer; anything further away means something else
_REASON = "means what the task says, in other words"


def nearness(query: Query, view: View) -> NDArray[numpy.float32]:
    """How near each symbol, by id, is to a task, at most 1; cached for the last query."""
    if view.recent_nearness is None or view.recent_nearness[0] != query:
        view.recent_nearness = (query, _nearness(query, view))
    return view.recent_nearness[1]


def _nearness(query: Query, view: View) -> NDArray[numpy.float32]:
    near = numpy.zeros(view.index.graph.size, numpy.float32)
    matrix = view.meanings
    if len(matrix.symbols):
        asked = encode_words(query_words(query, expand=False))
        some = matrix.likely(asked, _LIMIT)
        cosines = matrix.cosines(asked, some)
        best = max(float(cosines.max()), _CLOSE)
        looked_at = matrix.symbols if some is None else matrix.symbols[some]
        near[looked_at] = numpy.maximum(cosines / best, 0.0)
    return near


def find(query: Query, view: View) -> list[Hit]:
    """The symbols nearest to the task, ties by place."""
    near = nearness(query, view)
    some = numpy.flatnonzero(near >= _LEAST)
    if len(some) > _LIMIT:
        least = numpy.partition(near[some], -_LIMIT)[-_LIMIT]
        some = some[near[some] >= least]
    some = numpy.array(view.by_place(some.tolist()), numpy.int64)
    best = (-near[some]).argsort(kind="stable")[:_LIMIT]
    pairs = zip(some[best].tolist(), near[some[best]].tolist(), strict=True)
    return [Hit(id, score, _REASON) for id, score in pairs]


CHANNEL = Channel("meaning", 1.0, find)
