"""The commands: which sources each asks, in which order, and when it stops.

What is at hand comes first, then symbols, then dependencies; what only resembles the task is
asked for when the others found little.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from sonde.model import Ranked
from sonde.session import sources
from sonde.session.boosts import by_score
from sonde.session.sources import Source
from sonde.session.subject import Subject

_THIN = 10  # with fewer symbols the semantic sources are asked too
_AGREEMENT = 0.15  # of its score that a symbol gains when a second source names it


class Tier(StrEnum):
    """How far a source reaches."""

    IMMEDIATE = "immediate"
    SYMBOL = "symbol"
    DEPENDENCY = "dependency"
    SEMANTIC = "semantic"


@dataclass(frozen=True, slots=True)
class Asked:
    """A source in a command, with what its best hit is worth there."""

    name: str
    tier: Tier
    weight: float
    source: Source


@dataclass(frozen=True, slots=True)
class Gathered:
    """Everything the sources of a command found, best first, and what each did."""

    ranked: tuple[Ranked, ...]
    statistics: tuple[tuple[str, float], ...]


# A change in progress is often about something else: it counts where another source agrees.
_DIFF = Asked("diff", Tier.IMMEDIATE, 0.3, sources.diff)
_NAMED = Asked("named", Tier.SYMBOL, 0.95, sources.named)
_MARKS = Asked("todo marks", Tier.SYMBOL, 0.6, sources.marks)
_TESTS = Asked("related tests", Tier.SYMBOL, 0.45, sources.related_tests)
_UTILITIES = Asked("test utilities", Tier.SYMBOL, 0.6, sources.test_utilities)
_IMPORTS = Asked("imports", Tier.SYMBOL, 0.4, sources.imports)
_SELECTION = Asked("selection", Tier.IMMEDIATE, 1.0, sources.selection)
_SIMILAR = Asked("similar code", Tier.SEMANTIC, 0.35, sources.similar)

COMMANDS: dict[str, tuple[Asked, ...]] = {
    "/fix": (
        Asked("diagnostics", Tier.IMMEDIATE, 1.0, sources.diagnostics),
        Asked("trace", Tier.IMMEDIATE, 1.0, sources.trace),
        _DIFF,
        _NAMED,
        _MARKS,
        _IMPORTS,
        _TESTS,
        Asked("callers", Tier.DEPENDENCY, 0.35, sources.callers),
        _SIMILAR,
    ),
    "/test": (
        _SELECTION,
        Asked("existing tests", Tier.IMMEDIATE, 0.9, sources.related_tests),
        replace(_NAMED, weight=0.8),
        _UTILITIES,
        Asked("similar tests", Tier.SYMBOL, 0.5, sources.similar_tests),
        _SIMILAR,
    ),
    "/refactor": (
        _SELECTION,
        _DIFF,
        replace(_NAMED, weight=0.8),
        _MARKS,
        replace(_IMPORTS, tier=Tier.DEPENDENCY),
        Asked("importers", Tier.DEPENDENCY, 0.4, sources.importers),
        Asked("callers", Tier.DEPENDENCY, 0.6, sources.callers),
        Asked("callees", Tier.DEPENDENCY, 0.45, sources.callees),
        _TESTS,
        _SIMILAR,
    ),
    "/explain": (
        _SELECTION,
        Asked("called functions", Tier.SYMBOL, 0.7, sources.callees),
        Asked("types", Tier.SYMBOL, 0.6, sources.types),
        replace(_NAMED, weight=0.9),
        _SIMILAR,
    ),
    "/implement": (
        replace(_SELECTION, weight=0.8),
        _DIFF,
        _NAMED,
        _MARKS,
        Asked("types", Tier.SYMBOL, 0.4, sources.types),
        _IMPORTS,
        _TESTS,
        replace(_UTILITIES, weight=0.35),
        _SIMILAR,
    ),
}


def gather(asked: Sequence[Asked], subject: Subject) -> Gathered:
    """Ask the sources in order; the statistics say what each found, or why it was skipped."""
    best: dict[int, Ranked] = {}
    statistics: list[tuple[str, float]] = []
    for each in asked:
        if each.tier is Tier.SEMANTIC and len(best) >= _THIN:
            statistics.append((f"{each.name} skipped: enough was found", 0.0))
            continue
        found = each.source(subject)
        statistics.append((f"{each.name} ({each.tier})", float(len(found))))
        top = max((one.score for one in found), default=0.0)
        for one in found:
            share = each.weight * max(0.0, one.score) / top if top > 0.0 else 0.0
            _merge(best, replace(one, score=share))
    return Gathered(by_score(best.values()), tuple(statistics))


def _merge(best: dict[int, Ranked], new: Ranked) -> None:
    """The better of two findings of a symbol, raised a little because two agree."""
    known = best.get(new.symbol.id)
    if known is None:
        best[new.symbol.id] = new
        return
    stronger, weaker = (known, new) if known.score >= new.score else (new, known)
    score = stronger.score + _AGREEMENT * weaker.score
    best[new.symbol.id] = replace(stronger, score=score)
