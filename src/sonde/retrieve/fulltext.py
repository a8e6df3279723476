"""BM25 over the weighted fields of every symbol."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sonde.retrieve.channel import Channel, Hit
from sonde.retrieve.vocabulary import synonyms
from sonde.understand.identifiers import split_identifier

if TYPE_CHECKING:
    from sonde.model import Query
    from sonde.retrieve.view import View

_FIELD_WEIGHTS = {
    "name": 4.0,
    "concepts": 1.5,
    "path": 1.0,
    "qualname": 1.5,
    "doc": 1.5,
    "signature": 0.7,
    "body": 1.0,
}
_WORDS = 40  # of a long issue text; the understood query has the important ones first
_SYNONYM = 0.25  # a synonym is a guess
_COMPOUND = 1.6  # a whole identifier is rarer and surer than its parts
_LIMIT = 300


def find(query: Query, view: View) -> list[Hit]:
    """Symbols whose texts share the task's words, rare words counting more."""
    words = query_words(query)
    if not words:
        return []
    terms = {
        field: [(word, weight * field_weight) for word, weight in words.items()]
        for field, field_weight in _FIELD_WEIGHTS.items()
    }
    found = view.index.fulltext.search(terms, _LIMIT)
    shown = ", ".join(list(words)[:4])
    return [Hit(id, score, f"text matches {shown}") for id, score in found]


def query_words(query: Query, *, expand: bool = True) -> dict[str, float]:
    """Lower-case words to search with their weights, most important first."""
    given = dict(query.weights)
    words: dict[str, float] = {}
    for name in (*query.exact, *query.compounds):
        whole = name.replace("::", ".").rpartition(".")[2].rstrip("()").lower()
        words[whole] = max(words.get(whole, 0.0), _COMPOUND)
        for part in split_identifier(name):
            words.setdefault(part, given.get(part, 0.8))
    for word in query.components:
        words.setdefault(word.lower(), given.get(word, 1.0))
    words = dict(list(words.items())[:_WORDS])
    if not expand:
        return words
    for word, weight in list(words.items()):
        for other in synonyms().get(word, ())[:6]:
            words.setdefault(other, weight * _SYNONYM)
    return words


CHANNEL = Channel("fulltext", 2.0, find)
