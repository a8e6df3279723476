"""Repeats add little: of one name, or of one definition, all but the best step back."""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import NamedTuple

from sonde.model import Kind, Ranked, SymbolRecord
from sonde.rank.rule import telling

_REACH = 80  # candidates considered; nobody reads further down


class Repeat(NamedTuple):
    """A rule that lowers a symbol for each better one that has the same mark."""

    name: str
    step: float  # of the best score
    most: int  # better ones that count
    mark: Callable[[SymbolRecord], Hashable]
    taken: Callable[[Iterable[SymbolRecord]], Iterable[Hashable]] = lambda _: ()  # from the start


def _definition(symbol: SymbolRecord) -> Hashable:
    """Overloads, conditional variants, getter and setter stand beside each other in a file."""
    return symbol.file, symbol.qualname, symbol.kind is Kind.MODULE


def _spoken_for(symbols: Iterable[SymbolRecord]) -> Iterable[Hashable]:
    """Modules that hold a definition of their name: it speaks for the file, however they rank."""
    return [(one.file, one.qualname, True) for one in symbols if one.kind is not Kind.MODULE]


REPEATS = (
    Repeat("repeated-name", 0.06, 4, lambda symbol: symbol.name),
    Repeat("overload", 0.5, 2, _definition, _spoken_for),
)


def spread(ranked: Sequence[Ranked], without: frozenset[str] = frozenset()) -> list[Ranked]:
    """Best first, each symbol lowered by the better ones that it repeats."""
    rules = [repeat for repeat in REPEATS if repeat.name not in without]
    if not ranked or not rules:
        return list(ranked)
    best = max(ranked[0].score, 0.0)
    symbols = [one.symbol for one in ranked[:_REACH]]
    marks = [[rule.mark(symbol) for rule in rules] for symbol in symbols]
    seen = [Counter(set(rule.taken(symbols))) for rule in rules]
    heap = [(-telling(one.score), at, 0.0) for at, one in enumerate(ranked[:_REACH])]
    chosen: list[Ranked] = []
    while heap:
        _, at, charged = heapq.heappop(heap)
        one = ranked[at]
        times = [
            min(met[mark], rule.most)
            for rule, met, mark in zip(rules, seen, marks[at], strict=True)
        ]
        charges = [best * rule.step * many for rule, many in zip(rules, times, strict=True)]
        charge = sum(charges)
        if charge != charged:
            heapq.heappush(heap, (-telling(one.score - charge), at, charge))
            continue
        for met, mark in zip(seen, marks[at], strict=True):
            met[mark] += 1
        chosen.append(_lowered(one, rules, charges) if charge else one)
    return [*chosen, *ranked[_REACH:]]


def _lowered(one: Ranked, rules: Sequence[Repeat], charges: Sequence[float]) -> Ranked:
    told = [(rule.name, -charge) for rule, charge in zip(rules, charges, strict=True) if charge]
    parts = (*one.contributions, *told) if one.contributions else ()
    return Ranked(one.symbol, one.score - sum(charges), parts, one.evidence, one.proximity)
