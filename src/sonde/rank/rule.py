"""A ranking rule: one named feature of every candidate, and its weight in the score."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from sonde.retrieve.match import Match

if TYPE_CHECKING:
    from sonde.model import Query, SymbolRecord
    from sonde.retrieve.fusion import Fused
    from sonde.retrieve.view import View


@dataclass(frozen=True, slots=True)
class Field:
    """All that rules may look at. What the walk adds is empty while its seeds are chosen."""

    query: Query
    view: View
    records: tuple[SymbolRecord, ...]
    fused: Mapping[int, Fused]
    matches: Mapping[int, Match]
    own: Mapping[int, float] = field(default_factory=dict)  # score by the own-merit rules alone
    walked: Mapping[int, float] = field(default_factory=dict)
    hits: Mapping[int, tuple[float, float]] = field(default_factory=dict)  # (authority, hub)
    seeds: Mapping[int, float] = field(default_factory=dict)

    @property
    def ids(self) -> list[int]:
        """The candidates' ids, in their order."""
        return [record.id for record in self.records]

    def channel(self, name: str) -> list[float]:
        """Each candidate's score in a channel, relative to the channel's best."""
        fused = self.fused
        return [
            fused[record.id].scores.get(name, 0.0) if record.id in fused else 0.0
            for record in self.records
        ]


class Rule(NamedTuple):
    """A feature by name. Contributions are weight × value and sum to the score."""

    name: str
    weight: float
    values: Callable[[Field], list[float]]
