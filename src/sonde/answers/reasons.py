"""Why a symbol is in an answer, in a few words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from sonde.answers.edges import Marks, marked, ties
from sonde.answers.source import Sources
from sonde.model import VERBS, EdgeKind, Evidence, Query, Ranked, SymbolRecord
from sonde.rank.rule import Field
from sonde.retrieve.fulltext import REASON, query_words
from sonde.retrieve.match import base_form, stemmed
from sonde.understand.words import STOP_WORDS

_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]+")
_SUREST_FIRST = ("frames", "names", "text", "concepts", "paths", "fulltext")
_WORDS_SHOWN = 4
_PIECE = 3  # letters of a short form at most
# The verbs of edges in the other direction.
_PASSIVE = {
    EdgeKind.CALLS: "called by",
    EdgeKind.IMPORTS: "imported by",
    EdgeKind.REFERENCES: "mentioned by",
    EdgeKind.CONTAINS: "member of",
    EdgeKind.MEMBER_OF: "contains",
    EdgeKind.EXTENDS: "extended by",
    EdgeKind.IMPLEMENTS: "implemented by",
    EdgeKind.OVERRIDES: "overridden by",
    EdgeKind.TYPE_HINT_OF: "named as a type by",
    EdgeKind.DECORATES: "decorates",
    EdgeKind.THROWS: "thrown by",
    EdgeKind.ACCESSES_FIELD: "field used by",
    EdgeKind.TESTS: "tested by",
    EdgeKind.TESTED_BY: "tests",
    EdgeKind.DOCUMENTS: "documented by",
}
_MUTUAL = frozenset({EdgeKind.CO_TESTED_WITH, EdgeKind.SIMILAR_TO})
# The name already shows the owner; being similar or sharing a test does not mean being used.
_WEAK = _MUTUAL | {EdgeKind.CONTAINS, EdgeKind.MEMBER_OF}
_EXPLAINED = 60  # of the ranked symbols; no pack shows more


def explained(ranked: Sequence[Ranked], field: Field, least: float) -> list[Ranked]:
    """The ranked symbols; those of at least this score have their best reason as first evidence."""
    words = _as_written(query_words(field.query, expand=False))
    sources = Sources(field.view.index)
    named = {one.symbol.id: one.symbol for one in ranked[:_EXPLAINED]}
    seeds = marked(field.view.index.graph, [id for id in field.seeds if id in named])
    found = []
    for place, one in enumerate(ranked):
        if place < _EXPLAINED and one.score >= least:
            reason = _reason(one, words, named, field, seeds, sources)
            first = Evidence("reason", place + 1, one.score, reason)
            evidence = (first, *one.evidence)
            one = Ranked(one.symbol, one.score, one.contributions, evidence, one.proximity)
        found.append(one)
    return found


def _as_written(words: Iterable[str]) -> dict[str, str]:
    """Each stem with the longest word that has it: the query also holds truncated forms."""
    found: dict[str, str] = {}
    for word in words:
        if word in STOP_WORDS:
            continue  # part of an identifier; says nothing by itself
        stem = base_form(word)
        found[stem] = max(found.get(stem, ""), word, key=len)
    return found


def _reason(
    one: Ranked,
    words: Mapping[str, str],
    named: Mapping[int, SymbolRecord],
    field: Field,
    seeds: Marks,
    sources: Sources,
) -> str:
    proofs = sorted(one.evidence, key=_sureness)
    if proofs and proofs[0].channel != "fulltext":
        return proofs[0].reason
    if proofs and (said := _matches(_own(one.symbol), words)):
        return said
    # The words of a file or type include those of everything inside it: an edge says more.
    if reached := _reached(one.symbol, named, field, seeds):
        return reached
    owner = named.get(one.symbol.parent)
    if owner is not None:
        return f"member of {owner.name}"
    return shared_words(one.symbol, field.query, sources) if proofs else "near the task"


def shared_words(symbol: SymbolRecord, query: Query, sources: Sources) -> str:
    """The task's words that occur in a symbol's text, or else words that mean the same."""
    text = f"{_own(symbol)} {symbol.qualname} {symbol.file} {sources.text(symbol)}"
    for expand in (False, True):
        if said := _matches(text, _as_written(query_words(query, expand=expand))):
            return said
    return REASON


def _sureness(proof: Evidence) -> tuple[int, int]:
    known = proof.channel in _SUREST_FIRST
    return _SUREST_FIRST.index(proof.channel) if known else len(_SUREST_FIRST), proof.rank


def _own(symbol: SymbolRecord) -> str:
    """The text that belongs to a symbol rather than its file or owner: name, signature and doc."""
    return f"{symbol.name} {symbol.signature} {symbol.doc}"


def _matches(text: str, words: Mapping[str, str]) -> str:
    """The words that occur in a text, in any form; "" if none do."""
    own = set[str]().union(*map(stemmed, set(_WORD.findall(text))))
    said = _unabridged([word for stem, word in words.items() if stem in own])[:_WORDS_SHOWN]
    return f"text matches {', '.join(said)}" if said else ""


def _unabridged(words: Sequence[str]) -> list[str]:
    """The words without the short forms and pieces of others: "regexp", not "reg" and "exp" too."""
    return [
        word
        for word in words
        if len(word) > _PIECE
        or not any(other != word and _is_end_of(word, other) for other in words)
    ]


def _is_end_of(piece: str, word: str) -> bool:
    return word.startswith(piece) or word.endswith(piece)


def _reached(
    symbol: SymbolRecord, named: Mapping[int, SymbolRecord], field: Field, seeds: Marks
) -> str:
    """The edge that connects a symbol to the strongest seed among the ranked symbols."""
    found = ties(field.view.index.graph, symbol.id, seeds)
    if not found:
        return ""
    other, kind, forward = min(
        found,
        key=lambda tie: (
            tie[1] in _WEAK,
            -field.seeds[tie[0]],
            tie[1],
            not tie[2],
            named[tie[0]].qualname,
        ),
    )
    said = named[other]
    return tie_words(kind, said.qualname if said.name == symbol.name else said.name, forward)


def tie_words(kind: EdgeKind, name: str, forward: bool) -> str:
    """An edge to or from a symbol of this name, in words."""
    verb = VERBS[kind]
    if kind in _MUTUAL or forward:
        return f"{verb} {name}"
    passive = _PASSIVE.get(kind)
    return f"{passive} {name}" if passive else f"reached from {name}, which {verb} it"
