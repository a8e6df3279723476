"""The output of each stage of Sonde for a case, and how much of the truth it still had."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from bench import metrics
from bench.data import Case, DataError, LocalizationCase, SymbolTask


@dataclass(frozen=True, slots=True)
class Trace:
    """Symbols as "path::Qualified.name", best first if they are ordered."""

    id: str
    ranked: tuple[str, ...]
    walked: tuple[str, ...] = ()
    packed: tuple[str, ...] = ()
    fused: tuple[str, ...] = ()
    channels: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


def truth_of(case: Case) -> tuple[str, ...]:
    """The symbols a case expects."""
    if isinstance(case, (SymbolTask, LocalizationCase)):
        return case.truth if isinstance(case, SymbolTask) else case.symbols
    raise DataError("misses are about symbols: use the symbols, localization or multilang suite")


def ranks_in(case: Case, places: Sequence[str]) -> list[int]:
    """Rank (1-based) of each truth in a list of places, 0 if it is not there.

    Symbol tasks name symbols and are matched as their scorer does; localisation names places.
    """
    truth = truth_of(case)
    if isinstance(case, LocalizationCase):
        found = list(dict.fromkeys(metrics.normal_place(place) for place in places))
        at = {place: rank for rank, place in enumerate(found, 1)}
        return [at.get(metrics.normal_place(place), 0) for place in truth]
    return metrics.truth_ranks([place.partition("::")[2] for place in places], truth)


def stage_recalls(case: Case, trace: Trace) -> metrics.Scores:
    """Recall at each depth of every channel, of their fusion and of the ranking."""
    stages = {**trace.channels, "fused": trace.fused, "ranked": trace.ranked}
    scores: metrics.Scores = {}
    for name, places in stages.items():
        ranks = ranks_in(case, places)
        for depth in metrics.RECALL_DEPTHS:
            hits = sum(0 < rank <= depth for rank in ranks)
            scores[f"{name} R{depth}"] = hits / len(ranks)
    return scores
