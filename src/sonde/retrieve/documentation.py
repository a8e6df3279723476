"""Documentation: prose that matches the task names the code that does it.

A project's guides connect plain words to identifiers, in the project's own vocabulary. Sections
are found by full text and vote for the symbols they name.
"""

from __future__ import annotations

import re
from array import array
from typing import TYPE_CHECKING

from sonde.retrieve.channel import Channel, Hit, best_hits
from sonde.retrieve.fulltext import query_words
from sonde.store.documents import FIELDS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from sonde.model import Query
    from sonde.retrieve.view import View
    from sonde.store.records import ChunkRecord

_SECTIONS = 7
_NAMES = 30  # per section
_REMEMBERED = 2_000  # cached sections with the symbols they name, a quarter of a kilobyte each
_MEANT = 4_000  # cached names with the symbols they may mean: sections repeat the same names
_HOMONYMS = 6
_LIMIT = 40
_FIELD_WEIGHTS = {"name": 2.0, "concepts": 1.0, "path": 1.0, "body": 1.0}
# Names as written in prose: in backticks, in camel case, with underscores, called, dotted. Other
# words are skipped whole, in half the time of trying every letter. The alternatives after the
# names always match, so that a skip never fails and is retried at the next letter.
_NAME = re.compile(
    rb"(?:(?:[a-z]++|[A-Z][a-z0-9]*+|[0-9]++)(?![\w.(])[^\w`]*+)*+"
    rb"(?:`+~?\.?([A-Za-z_][\w.]{2,80})(?:\(\))?`+"
    rb"|\b(?:([A-Z][a-z0-9]+(?:[A-Z][a-z0-9]*)+(?:\.[a-z_]\w+)?)\b"
    rb"|([a-z]+(?:_[a-z0-9]+)+)\b"
    rb"|(?:\w+\.)?([a-z_]\w{3,})\(\))"
    rb"|\w++|\Z|.)",
    re.DOTALL,
)


def find(query: Query, view: View) -> list[Hit]:
    """Symbols that the best-matching sections of the documentation name."""
    fulltext = view.index.fulltext
    terms: dict[str, list[tuple[str, float]]] = {field: [] for field in _FIELD_WEIGHTS}
    for word, weight in query_words(query, expand=False).items():
        for field, somewhere in zip(FIELDS, fulltext.document_frequencies(word), strict=True):
            if somewhere and field in _FIELD_WEIGHTS:
                terms[field].append((word, weight * _FIELD_WEIGHTS[field]))
    found = fulltext.search(terms, _SECTIONS, chunks=True)
    if not found:
        return []
    best = found[0][1] or 1.0
    scores: dict[int, float] = {}
    reasons: dict[int, str] = {}
    sections = {chunk.id: chunk for chunk in view.index.chunks([id for id, _ in found])}
    texts: dict[str, bytes] = {}
    for id, score in found:
        chunk = sections[id]
        weight, reason = (score / best) ** 2, f"named in {chunk.file}:{chunk.start_line}"
        for symbol, share in _votes(chunk, view, texts):
            scores[symbol] = scores.get(symbol, 0.0) + share * weight
            reasons.setdefault(symbol, reason)
    return best_hits(scores, reasons, _LIMIT)


def _votes(chunk: ChunkRecord, view: View, texts: dict[str, bytes]) -> Iterable[tuple[int, float]]:
    """The symbols a section names, each with its share; cached, as many tasks find the section.

    `texts` holds the files read so far: several sections are often in one file.
    """
    known = view.votes_of_section.get(chunk.id)
    if known is None:
        if chunk.file not in texts:
            texts[chunk.file] = view.text(chunk.file)
        names = names_in(texts[chunk.file][chunk.start_byte : chunk.end_byte])
        meant = _meant(names, view)
        votes = [(id, 1.0 / len(ids)) for ids in map(meant.__getitem__, names) for id in ids]
        known = (array("i", [id for id, _ in votes]), array("d", [share for _, share in votes]))
        if len(view.votes_of_section) >= _REMEMBERED:
            view.votes_of_section.clear()
        view.votes_of_section[chunk.id] = known
    return zip(*known, strict=True)


def names_in(section: bytes) -> list[str]:
    """The first names written in a section."""
    found: dict[str, None] = {}
    for match in _NAME.finditer(section):
        if match.lastindex is None:
            continue
        found[match[match.lastindex].decode("utf-8", "replace").strip(".")] = None
        if len(found) == _NAMES:
            break
    return list(found)


def _meant(names: list[str], view: View) -> Mapping[str, tuple[int, ...]]:
    """The symbols that each of these names can mean; the cache also holds earlier names."""
    known = view.meant_in_prose
    if len(known) >= _MEANT:
        known.clear()
    new = [name for name in names if name not in known]
    if new:
        defined = view.defined_by_name([name.rpartition(".")[2] for name in new])
        known.update((name, _symbols(name, defined, view)) for name in new)
    return known


def _symbols(name: str, defined: Mapping[str, list[int]], view: View) -> tuple[int, ...]:
    """Symbols a name in prose can mean, by place."""
    head, _, last = name.rpartition(".")
    ids = defined.get(last, [])
    owner = head.rpartition(".")[2]
    if owner and len(ids) > 1:
        owned = f"{owner}.{last}"
        qualnames = zip(ids, view.index.qualnames(ids), strict=True)
        ids = [id for id, qualname in qualnames if qualname.endswith(owned)] or ids
    if len(ids) > _HOMONYMS:
        return ()
    return tuple(view.by_place(ids) if len(ids) > 1 else ids)


CHANNEL = Channel("documentation", 1.0, find)
