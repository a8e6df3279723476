"""Repeats of one name add little, so all but the first are ranked lower."""

from __future__ import annotations

import heapq
from collections.abc import Sequence

from sonde.model import Ranked
from sonde.rank.rule import telling

RULE = "repeated-name"
_STEP = 0.06  # of the best score, for each better symbol of the same name
_MOST = 4
_REACH = 80  # candidates considered; nobody reads further down


def spread(ranked: Sequence[Ranked]) -> list[Ranked]:
    """Best first, each symbol lowered by the number of better ones that share its name."""
    if not ranked:
        return []
    step = _STEP * max(ranked[0].score, 0.0)
    seen: dict[str, int] = {}
    heap = [(-telling(one.score), at, 0) for at, one in enumerate(ranked[:_REACH])]
    chosen: list[Ranked] = []
    while heap:
        _, at, charged = heapq.heappop(heap)
        one = ranked[at]
        times = min(seen.get(one.symbol.name, 0), _MOST)
        lowered = one.score - step * times
        if times != charged:
            heapq.heappush(heap, (-telling(lowered), at, times))
            continue
        seen[one.symbol.name] = seen.get(one.symbol.name, 0) + 1
        chosen.append(_lowered(one, step * times) if times else one)
    return [*chosen, *ranked[_REACH:]]


def _lowered(one: Ranked, by: float) -> Ranked:
    parts = (*one.contributions, (RULE, -by)) if one.contributions else ()
    return Ranked(one.symbol, one.score - by, parts, one.evidence, one.proximity)
