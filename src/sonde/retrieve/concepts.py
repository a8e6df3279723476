"""Concepts: plain-language phrases → names that code commonly gives to the idea."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sonde.retrieve.channel import Channel, Hit, ranked
from sonde.retrieve.vocabulary import Concept, concepts

if TYPE_CHECKING:
    from sonde.model import Query
    from sonde.retrieve.view import View

_LIMIT = 20  # an unbounded channel halved precision where it was tried
_PER_TARGET = 3


def find(query: Query, view: View) -> list[Hit]:
    """Symbols with the usual names for the concepts in the task."""
    text = f" {re.sub(r'[^a-z0-9]+', ' ', query.text[:4000].lower())} "
    languages = view.languages
    hits: list[Hit] = []
    for concept in concepts():
        if concept.language and concept.language not in languages:
            continue
        phrases = _matched(concept, text)
        if not _strong(phrases):
            continue
        for place, target in enumerate(concept.targets):
            ids = view.ids_named(target.lower())[:_PER_TARGET]
            score = len(phrases) / (2.0 + place)
            hits.extend(Hit(id, score, f"usual name for {phrases[0]!r}") for id in ids)
    return ranked(hits, _LIMIT)


def _matched(concept: Concept, text: str) -> list[str]:
    return [phrase for phrase, said in concept.said if said in text]


def _strong(phrases: list[str]) -> bool:
    """Two phrases, or one of several words: a single common word fires everywhere."""
    return len(phrases) >= 2 or any(" " in phrase for phrase in phrases)


CHANNEL = Channel("concepts", 1.0, find)
