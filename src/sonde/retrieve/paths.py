"""Path context: files the task names, and types of packages whose name the task mentions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sonde.model import TYPE_KINDS
from sonde.retrieve.channel import Channel, Hit, ranked
from sonde.retrieve.view import name_words

if TYPE_CHECKING:
    from sonde.model import Query
    from sonde.retrieve.view import View

_LIMIT = 30
_PER_TERM = 15
_SHORTEST = 4
_NAMED_FILE = 4.0  # a path written in the task
_METHOD_MATCH = 0.5  # more for a type one of whose members is named as the task says


def find(query: Query, view: View) -> list[Hit]:
    """Symbols of files and packages that the task's words name."""
    hits: list[Hit] = []
    words = frozenset(query.components)
    for path in query.paths:
        for file in view.paths_ending(path)[:3]:
            for record in view.records(view.index.ids_in_file(file)):
                if record.parent:
                    bonus = 1.0 if record.kind in TYPE_KINDS else 0.0
                    hits.append(Hit(record.id, _NAMED_FILE + bonus, f"in {file}"))
    for word in query.components[:12]:
        if len(word) >= _SHORTEST:
            hits.extend(_types_of_package(word, words, view))
    return ranked(hits, _LIMIT)


def _types_of_package(word: str, words: frozenset[str], view: View) -> list[Hit]:
    """A type counts more when a member of it is named with a word of the task."""
    hits: list[Hit] = []
    for record in view.records(view.types_under(word, _PER_TERM)):
        own = len(words.intersection(name_words(record.name)))
        members = view.records(view.index.members(record.id))
        named = any(words.intersection(name_words(member.name)) for member in members)
        score = 1.0 + own + (_METHOD_MATCH if named else 0.0)
        hits.append(Hit(record.id, score, f"type of package {word}"))
    return hits


CHANNEL = Channel("paths", 1.5, find)
