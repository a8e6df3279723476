"""A ranking rule: one named feature of every candidate, and its weight in the score."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import repeat
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy
from numpy.typing import NDArray

from sonde.retrieve.match import Match, Matcher

if TYPE_CHECKING:
    from sonde.model import Evidence, Query, SymbolRecord
    from sonde.retrieve.view import View

_Made = TypeVar("_Made")
Values = NDArray[numpy.float64]
ARRIVING = "arriving"
DIGITS = 3  # of a score that decide an order
_ROWS = ("rows", ARRIVING)


@dataclass(frozen=True, slots=True)
class Field:
    """All that rules may look at. The walk's fields are empty while its seeds are being chosen."""

    query: Query
    view: View
    records: tuple[SymbolRecord, ...]
    evidence: Mapping[int, Sequence[Evidence]]
    channels: Mapping[str, Mapping[int, float]]
    matcher: Matcher
    matches: tuple[Match, ...]  # of the records
    merits: Values = field(default_factory=lambda: numpy.zeros(0))  # from the own-merit rules alone
    walked: Mapping[int, float] = field(default_factory=dict)
    hits: Mapping[int, tuple[float, float]] = field(default_factory=dict)  # (authority, hub)
    seeds: Mapping[int, float] = field(default_factory=dict)
    best: Mapping[int, float] = field(default_factory=dict)  # the top ten by all rules but ties
    weights: Mapping[str, float] = field(default_factory=dict)  # where they differ from the rules'
    kept: dict[str, Any] = field(default_factory=dict)  # what `once` made of these records

    @property
    def ids(self) -> list[int]:
        """The candidates' ids, in their order."""
        return self.once("ids", lambda: [record.id for record in self.records])

    @property
    def rows(self) -> NDArray[numpy.int64]:
        """The ids, to look up columns of the graph."""
        return self.once("rows", lambda: numpy.array(self.ids, numpy.int64))

    @property
    def place(self) -> NDArray[numpy.int16]:
        """The position of each symbol among the candidates, by id; -1 for all others."""
        return self.once("place", self._places)

    def _places(self) -> NDArray[numpy.int16]:
        # int16: candidates number a few hundred, and a wider array over the graph flushes the cache
        place = numpy.full(self.view.index.graph.size, -1, numpy.int16)
        place[self.rows] = numpy.arange(len(self.rows))
        return place

    @property
    def files(self) -> tuple[list[str], NDArray[numpy.int64]]:
        """The distinct paths of the candidates' files, and the index of each candidate's path."""
        return self.once("files", self._files)

    def _files(self) -> tuple[list[str], NDArray[numpy.int64]]:
        homes = self.view.index.graph.columns.file[self.rows]
        numbers, places = numpy.unique(homes, return_inverse=True)
        files = self.view.files
        return [files[number].path for number in numbers.tolist()], places

    def channel(self, name: str) -> Values:
        """Each candidate's score in a channel, relative to the channel's best."""
        return self.values_of(self.channels.get(name, {}))

    def values_of(self, by_id: Mapping[int, float]) -> Values:
        """A value for each candidate, looked up by its id; 0 where there is none."""
        if not by_id:
            return numpy.zeros(len(self.records))
        return numpy.fromiter(map(by_id.get, self.ids, repeat(0.0)), float, len(self.records))

    def once(self, name: str, make: Callable[[], _Made]) -> _Made:
        """A value that several rules share, computed on first use from the records alone."""
        if name not in self.kept:
            self.kept[name] = make()
        made: _Made = self.kept[name]
        return made

    def kept_beside(self, further: Field) -> dict[str, Any]:
        """What was made of these and of further records, where it is a row for each of them."""
        both = [name for name in _ROWS if name in self.kept and name in further.kept]
        return {name: numpy.concatenate((self.kept[name], further.kept[name])) for name in both}


class Rule(NamedTuple):
    """A feature by name. Contributions are weight × value and sum to the score."""

    name: str
    weight: float  # used when the learned weights are switched off
    values: Callable[[Field], Sequence[float] | NDArray[numpy.float64]]


def telling(score: float) -> float:
    """A score without its arbitrary last digits.

    The full-text engine's average lengths count deleted documents until it merges, so in the
    digits dropped here an index grown by edits may differ from one built from scratch.
    """
    return round(score, DIGITS)
