"""Documentation: prose that answers the task names the code that does it.

A project's guides bridge plain words and identifiers in its own vocabulary:
sections are found by full text, and vote for the symbols they name.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sonde.retrieve.channel import Channel, Hit, ranked
from sonde.retrieve.fulltext import query_words

if TYPE_CHECKING:
    from sonde.model import Query
    from sonde.retrieve.view import View
    from sonde.store.index import ChunkRecord

_SECTIONS = 7
_NAMES = 30  # of a section
_REMEMBERED = 500  # sections with their names
_HOMONYMS = 6
_LIMIT = 40
_FIELD_WEIGHTS = {"name": 2.0, "concepts": 1.0, "path": 1.0, "body": 1.0}
# names as prose writes them: in backticks, with humps, with underscores, called, dotted
_NAME = re.compile(
    rb"`+~?\.?([A-Za-z_][\w.]{2,80})(?:\(\))?`+"
    rb"|\b([A-Z][a-z0-9]+(?:[A-Z][a-z0-9]*)+(?:\.[a-z_]\w+)?)\b"
    rb"|\b([a-z]+(?:_[a-z0-9]+)+)\b"
    rb"|\b(?:\w+\.)?([a-z_]\w{3,})\(\)"
)


def find(query: Query, view: View) -> list[Hit]:
    """Symbols that the best-matching sections of the documentation name."""
    words = query_words(query, expand=False)
    terms = {
        field: [(word, weight * factor) for word, weight in words.items()]
        for field, factor in _FIELD_WEIGHTS.items()
    }
    found = view.index.fulltext.search(terms, _SECTIONS, chunks=True)
    if not found:
        return []
    best = found[0][1] or 1.0
    scores: dict[int, float] = {}
    reasons: dict[int, str] = {}
    sections = {chunk.id: chunk for chunk in view.index.chunks([id for id, _ in found])}
    for id, score in found:
        chunk = sections[id]
        for name in _names(chunk, view):
            for symbol, share in _symbols(name, view):
                scores[symbol] = scores.get(symbol, 0.0) + share * (score / best) ** 2
                reasons.setdefault(symbol, f"named in {chunk.file}:{chunk.start_line}")
    return ranked([Hit(id, score, reasons[id]) for id, score in scores.items()], _LIMIT)


def _names(chunk: ChunkRecord, view: View) -> list[str]:
    """The first names that a section writes; remembered, as many tasks find the same sections."""
    known = view.names_in_section.get(chunk.id)
    if known is None:
        text = view.text(chunk.file)[chunk.start_byte : chunk.end_byte]
        found: dict[str, None] = {}
        for match in _NAME.finditer(text):
            found[match[match.lastindex or 0].decode("utf-8", "replace").strip(".")] = None
            if len(found) == _NAMES:
                break
        if len(view.names_in_section) >= _REMEMBERED:
            view.names_in_section.clear()
        known = view.names_in_section[chunk.id] = list(found)
    return known


def _symbols(name: str, view: View) -> list[tuple[int, float]]:
    """Symbols a name in prose can mean, each with its share of the vote."""
    head, _, last = name.rpartition(".")
    records = view.defined(last)
    owner = head.rpartition(".")[2]
    if owner:
        owned = [r for r in records if r.qualname.endswith(f"{owner}.{last}")]
        records = owned or records
    if len(records) > _HOMONYMS:
        return []
    return [(record.id, 1.0 / len(records)) for record in records]


CHANNEL = Channel("documentation", 1.0, find)
