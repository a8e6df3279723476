"""A ranking rule: one named feature of every candidate, and its weight in the score."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from sonde.retrieve.fulltext import query_words
from sonde.retrieve.view import name_words

if TYPE_CHECKING:
    from sonde.model import Query, SymbolRecord
    from sonde.retrieve.fusion import Fused
    from sonde.retrieve.view import View


@dataclass(frozen=True)
class Field:
    """All that rules may look at: the query, the candidates and what retrieval found."""

    query: Query
    view: View
    records: tuple[SymbolRecord, ...]
    fused: Mapping[int, Fused]
    walked: Mapping[int, float]
    hits: Mapping[int, tuple[float, float]]  # (authority, hub)
    seeds: frozenset[int]

    @cached_property
    def words(self) -> dict[str, float]:
        """Words of the task with their weight times their rarity in the index."""
        fulltext = self.view.index.fulltext
        total = max(fulltext.documents, 1)
        weighted = {}
        for word, weight in query_words(self.query, expand=False).items():
            share = fulltext.document_frequency("body", word) / total
            weighted[word] = weight * max(0.05, 1.0 - 8.0 * share)
        return weighted

    def own_words(self, record: SymbolRecord) -> tuple[str, ...]:
        """The words of a symbol's own name."""
        return name_words(record.name)

    def channel(self, name: str) -> list[float]:
        """Each candidate's score in a channel, relative to the channel's best."""
        return [
            self.fused[record.id].channel_score(name) if record.id in self.fused else 0.0
            for record in self.records
        ]


class Rule(NamedTuple):
    """A feature by name. Contributions are weight × value and sum to the score."""

    name: str
    weight: float
    values: Callable[[Field], list[float]]
