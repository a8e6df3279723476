"""Why a symbol is in an answer, in a few words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from sonde.model import EdgeKind, Evidence, Provenance, Ranked, SymbolRecord
from sonde.rank.rule import Field
from sonde.retrieve.fulltext import query_words
from sonde.retrieve.match import base_form, stemmed

_SUREST_FIRST = ("frames", "names", "text", "concepts", "paths", "fulltext")
_WORDS_SHOWN = 4
_EXPLAINED = 60  # of the ranked symbols; no pack shows more


def explained(ranked: Sequence[Ranked], field: Field) -> list[Ranked]:
    """The ranked symbols, each with its best reason as the first evidence."""
    words = {base_form(word): word for word in query_words(field.query, expand=False)}
    named = {one.symbol.id: one.symbol for one in ranked[:_EXPLAINED]}
    found = []
    for place, one in enumerate(ranked):
        if place < _EXPLAINED:
            reason = _reason(one, words, named, field)
            first = Evidence("reason", place + 1, one.score, reason)
            one = replace(one, evidence=(first, *one.evidence))
        found.append(one)
    return found


def _reason(
    one: Ranked, words: Mapping[str, str], named: Mapping[int, SymbolRecord], field: Field
) -> str:
    proofs = sorted(one.evidence, key=_sureness)
    if proofs and proofs[0].channel != "fulltext":
        return proofs[0].reason
    said = _matching_words(one.symbol, words)
    if said and proofs:
        return f"text matches {', '.join(said)}"
    owner = named.get(one.symbol.parent)
    if owner is not None:
        return f"member of {owner.name}"
    return _reached(one.symbol, named, field) or (proofs[0].reason if proofs else "near the task")


def _sureness(proof: Evidence) -> tuple[int, int]:
    known = proof.channel in _SUREST_FIRST
    return _SUREST_FIRST.index(proof.channel) if known else len(_SUREST_FIRST), proof.rank


def _matching_words(symbol: SymbolRecord, words: Mapping[str, str]) -> list[str]:
    """The task's words that the symbol's own name, owner, file or doc has."""
    texts = (symbol.qualname, symbol.signature, symbol.doc, symbol.file)
    own = {stem for text in texts for stem in _stems(text)}
    return [word for stem, word in words.items() if stem in own][:_WORDS_SHOWN]


def _stems(text: str) -> set[str]:
    separated = "".join(char if char.isalnum() or char == "_" else " " for char in text)
    return {stem for word in separated.split() for stem in stemmed(word)}


def _reached(symbol: SymbolRecord, named: Mapping[int, SymbolRecord], field: Field) -> str:
    """The edge that ties a symbol to a better ranked one or to a seed."""
    graph = field.view.index.graph
    best: tuple[float, str] = (0.0, "")
    for edges, forward in ((graph.out_edges(symbol.id), True), (graph.in_edges(symbol.id), False)):
        for other, kind, _, provenance in edges:
            weight = field.seeds.get(other, 0.0)
            if other not in named or weight <= best[0] or provenance == Provenance.AMBIGUOUS:
                continue
            verb = EdgeKind(kind).name.lower()
            name = named[other].name
            best = (weight, f"{verb} {name}" if forward else f"reached from {name} by {verb}")
    return best[1]
