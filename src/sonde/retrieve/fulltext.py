"""BM25 over the weighted fields of every symbol."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from sonde.retrieve.channel import Channel, Hit
from sonde.retrieve.vocabulary import synonyms
from sonde.understand.identifiers import split_identifier

if TYPE_CHECKING:
    from sonde.model import Query
    from sonde.retrieve.view import View
    from sonde.store.fulltext import FullText

_FIELD_WEIGHTS = {
    "name": 1.0,
    "concepts": 3.0,
    "path": 1.0,
    "qualname": 2.0,
    "doc": 2.0,
    "signature": 0.7,
    "body": 0.8,
}
_WORDS = 40  # of a long issue text; the understood query has the important ones first
_SYNONYM = 0.25  # a synonym is a guess
_COMPOUND = 1.6  # a whole identifier is rarer and surer than its parts
_LIMIT = 220
_DEPTH = 700  # hits read to find that many outside tests
_TESTS = 40


def find(query: Query, view: View) -> list[Hit]:
    """Symbols whose texts share the task's words, rare words counting more."""
    hits = _search(query, view)
    if query.about_tests:
        return hits[:_LIMIT]
    tests = {hit.id for hit in best_tests(query, view)[:_TESTS]}
    return [hit for hit in hits if hit.id in tests or not view.is_test(hit.id)][:_LIMIT]


def best_tests(query: Query, view: View) -> list[Hit]:
    """The tests among the hits. They repeat the words of what they test and would fill the list."""
    return [hit for hit in _search(query, view) if view.is_test(hit.id)]


def _search(query: Query, view: View) -> list[Hit]:
    """All hits, best first; the last query's are remembered, as several channels ask for them."""
    if view.recent is None or view.recent[0] != query:
        words = query_words(query)
        fulltext = view.index.fulltext
        shown = ", ".join(list(words)[:4])
        found = fulltext.search(_terms(words, fulltext), _DEPTH) if words else []
        view.recent = (query, [Hit(id, score, f"text matches {shown}") for id, score in found])
    return view.recent[1]


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


def _terms(words: dict[str, float], fulltext: FullText) -> dict[str, list[tuple[str, float]]]:
    """Words by field. Each counts by how rare it is in all code, not in one field:

    a project's own name is rare as a symbol's name and says nothing all the same.
    """
    documents = fulltext.documents
    terms: dict[str, list[tuple[str, float]]] = {field: [] for field in _FIELD_WEIGHTS}
    for word, weight in words.items():
        rarity = _rarity(documents, fulltext.rarity_base(word))
        for field, field_weight in _FIELD_WEIGHTS.items():
            found = fulltext.document_frequency(field, word)
            if found:
                here = _rarity(documents, found)
                terms[field].append((word, weight * field_weight * rarity / here))
    return terms


def _rarity(documents: int, found: int) -> float:
    return math.log(1.0 + (documents - found + 0.5) / (found + 0.5)) or 1.0


CHANNEL = Channel("fulltext", 2.0, find)
