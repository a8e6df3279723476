"""Path context: files the task names, and types of packages whose name the task mentions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy

from sonde.model import TYPE_KINDS
from sonde.retrieve.channel import Channel, Hit, ranked
from sonde.retrieve.columns import of_kind
from sonde.retrieve.view import name_words

if TYPE_CHECKING:
    from sonde.model import Query
    from sonde.retrieve.view import View

_LIMIT = 30
_WORDS = 8
_PER_WORD = 6
_SHORTEST = 4
_NAMED_FILE = 4.0  # a path written in the task
_IN_NAMED_FILE = "in a file that the task names"  # its path is shown with the symbol anyway


def find(query: Query, view: View) -> list[Hit]:
    """Symbols of files and packages that the task's words name."""
    hits: list[Hit] = []
    for path in query.paths:
        for file in view.paths_ending(path)[:3]:
            hits += _symbols_of(file, view)
    words = frozenset(query.components)
    for word in [word for word in query.components if len(word) >= _SHORTEST][:_WORDS]:
        for record in view.records(view.types_under(word, _PER_WORD)):
            said = len(words.intersection(name_words(record.name)))
            hits.append(Hit(record.id, 1.0 + said, f"its path has {word}"))
    return ranked(hits, _LIMIT)


def _symbols_of(file: str, view: View) -> list[Hit]:
    """All symbols of a file but its module, types first."""
    ids = numpy.array(view.index.ids_in_file(file), numpy.int64)
    ids = ids[view.index.graph.columns.parent[ids] > 0]
    scores = _NAMED_FILE + of_kind(view, ids, TYPE_KINDS)
    pairs = zip(ids.tolist(), scores.tolist(), strict=True)
    return [Hit(id, score, _IN_NAMED_FILE) for id, score in pairs]


CHANNEL = Channel("paths", 1.5, find)
