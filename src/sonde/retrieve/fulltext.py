"""BM25 over the weighted fields of every symbol."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from sonde.lately import remembered
from sonde.retrieve.channel import Channel, Hit
from sonde.retrieve.vocabulary import synonyms
from sonde.store.documents import FIELDS
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
_WORDS = 40  # of a long issue text; the query lists the important ones first
_SYNONYM = 0.25  # a synonym is a guess
# Fields where it counts: in all of them a search took a fifth longer, and found no more of what
# tasks need.
_GUESSED = frozenset({"name", "concepts", "qualname"})
_SYNONYMS = 3  # per word: each costs as much as a word of the task, and more found nothing new
_COMPOUND = 1.6  # a whole identifier is rarer and surer than its parts
_LIMIT = 220
_DEPTH = 450  # hits to read so that `_LIMIT` of them lie outside tests
_TESTS = 40
_RARITIES = 4_000  # remembered: most words are in few documents
# Few of a hundred hits are shown, so which words matched is worked out only for those.
REASON = "text shares words of the task"
_new: Any = tuple.__new__  # half the cost of calling the class


def find(query: Query, view: View) -> list[Hit]:
    """Symbols whose texts share the task's words, rare words counting more."""
    found, tests = _search(query, view)
    if not query.about_tests:
        unwanted = {id for id, _ in tests[_TESTS:]}
        found = [each for each in found if each[0] not in unwanted]
    return _hits(found[:_LIMIT])


def best_tests(query: Query, view: View, limit: int) -> list[Hit]:
    """The tests among the hits: repeating the words of what they test, they would fill the list."""
    return _hits(_search(query, view)[1][:limit])


def _hits(found: Sequence[tuple[int, float]]) -> list[Hit]:
    return [_new(Hit, (id, score, REASON)) for id, score in found]


def _search(query: Query, view: View) -> tuple[list[tuple[int, float]], list[tuple[int, float]]]:
    """All hits, best first, and the tests among them; cached for the last query."""
    recent = view.recent
    if recent is None or recent[0] != query:
        words = query_words(query, expand=False)
        fulltext = view.index.fulltext
        found = fulltext.search(_terms(words, fulltext), _DEPTH) if words else []
        in_test = view.in_test
        recent = (query, found, [each for each in found if in_test[each[0]]])
        view.recent = recent
    return recent[1], recent[2]


def query_words(query: Query, *, expand: bool = True) -> dict[str, float]:
    """Lower-case search words with their weights, most important first."""
    given = dict(query.weights)
    words: dict[str, float] = {}
    for name in (*query.exact, *query.compounds):
        whole = name.replace("::", ".").rpartition(".")[2].rstrip("()").lower()
        words[whole] = max(words.get(whole, 0.0), _COMPOUND)
        for part in split_identifier(name):
            words.setdefault(part, given.get(part, 0.8))
    for word in query.components:
        words.setdefault(word.lower(), given.get(word, 1.0))
    # every "e.g." has single letters; the names channel finds a symbol with such a name
    words = dict([item for item in words.items() if len(item[0]) > 1][:_WORDS])
    return words | _synonyms(words) if expand else words


def _synonyms(words: dict[str, float]) -> dict[str, float]:
    """Other words for some of these, with their weights."""
    found: dict[str, float] = {}
    for word, weight in words.items():
        for other in synonyms().get(word, ())[:_SYNONYMS]:
            if other not in words:
                found.setdefault(other, weight * _SYNONYM)
    return found


def _terms(words: dict[str, float], fulltext: FullText) -> dict[str, list[tuple[str, float]]]:
    """Words and their synonyms by field, weighted by rarity in all code rather than in one field.

    A project's own name is rare as a symbol name, yet says nothing.
    """
    documents = fulltext.documents
    terms: dict[str, list[tuple[str, float]]] = {field: [] for field in _FIELD_WEIGHTS}
    for word, weight in (words | _synonyms(words)).items():
        rarity = _rarity(documents, fulltext.rarity_base(word))
        for field, found in zip(FIELDS, fulltext.document_frequencies(word), strict=True):
            if found and (field in _GUESSED or word in words):
                here = _rarity(fulltext.scored, found)
                terms[field].append((word, weight * _FIELD_WEIGHTS[field] * rarity / here))
    return terms


@remembered(_RARITIES)
def _rarity(documents: int, found: int) -> float:
    return math.log(1.0 + (documents - found + 0.5) / (found + 0.5)) or 1.0


CHANNEL = Channel("fulltext", 2.0, find)
