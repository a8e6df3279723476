"""Neural: symbols that a larger model, chosen by the user, places near the task."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy
from numpy.typing import NDArray

from sonde.model.statistics import NEURAL
from sonde.retrieve.channel import Channel, Hit

if TYPE_CHECKING:
    from sonde.model import Query
    from sonde.neural.vector_store import Nearest
    from sonde.retrieve.view import View

_LIMIT = 60
_JUDGED = 300  # nearest symbols that get a score: models differ in cosines, not in order
LONGEST = 4_000  # characters of a task; models read fewer
_REASON = "near to the task for the embedding model"


def nearness(query: Query, view: View) -> NDArray[numpy.float32]:
    """How near each symbol, by id, is to a task: 1 for the nearest, 0 for the last one judged.

    Cached for the last query until more is embedded.
    """
    known = view.models.known if view.models is not None else None
    recent = view.recent_neural
    if recent is None or recent[0] != query or recent[1] is not known:
        near = _nearness(query, view)
        if NEURAL in view.cut_short:
            return near
        recent = view.recent_neural = (query, known, near)
    return recent[2]


def _nearness(query: Query, view: View) -> NDArray[numpy.float32]:
    near = numpy.zeros(view.index.graph.size, numpy.float32)
    if view.models is None:
        return near
    found = view.models.nearest(query.text[:LONGEST], _JUDGED)
    if not isinstance(found, list):
        view.do_without(NEURAL, loading=found.is_loading)
        return near
    ids, cosines = present(found, view)
    if len(ids):
        least, best = cosines.min(), cosines.max()
        near[ids] = (cosines - least) / max(float(best - least), 1e-6)
    return near


def present(
    found: list[Nearest], view: View
) -> tuple[NDArray[numpy.int64], NDArray[numpy.float32]]:
    """The symbols of the points whose file has not changed since it was embedded."""
    ids, cosines = [], []
    for path, content, ordinal, cosine in found:
        file = view.file_at(path)
        if file is None or file.hash != content:
            continue
        id = view.meant_symbol(file.id, ordinal)
        if id is not None:
            ids.append(id)
            cosines.append(cosine)
    return numpy.array(ids, numpy.int64), numpy.array(cosines, numpy.float32)


def embedded_share(view: View) -> float:
    """Share of the functions and types whose embedding is up to date."""
    models = view.models
    if models is None:
        return 0.0
    if view.recent_share is None or view.recent_share[0] is not models.known:
        known, counts = models.known, view.index.meant_counts()
        done = sum(
            counts.get(file.id, 0)
            for path, content in known.items()
            if (file := view.file_at(path)) is not None and file.hash == content
        )
        view.recent_share = (known, done / max(1, sum(counts.values())))
    return view.recent_share[1]


def find(query: Query, view: View) -> list[Hit]:
    """The symbols nearest to the task, ties by place."""
    if view.models is None:  # the default: do not allocate an empty array as long as the graph
        return []
    near = nearness(query, view)
    some = view.by_place(numpy.flatnonzero(near).tolist())
    hits = [Hit(id, float(near[id]), _REASON) for id in some]
    return sorted(hits, key=lambda hit: -hit.score)[:_LIMIT]


CHANNEL = Channel(NEURAL, 1.0, find)
