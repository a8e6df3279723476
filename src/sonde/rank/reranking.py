"""A larger model, chosen by the user, reads the best candidates together with the task."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from sonde.model import Query, Ranked
from sonde.model.statistics import RERANKING
from sonde.retrieve.neural import LONGEST

if TYPE_CHECKING:
    from sonde.retrieve.view import View

RULE = RERANKING
_READ = 50  # candidates
_KEPT = 20  # of them are raised, better ones more
_WEIGHT = 0.5  # of the best score


def rerank(query: Query, ranked: Sequence[Ranked], view: View) -> list[Ranked]:
    """The ranked symbols, the first of them reordered with the model's help if it is ready."""
    view.cut_short.discard(RULE)
    if view.models is None or not view.models.judges or not ranked:
        return list(ranked)
    judged = view.models.judged(query.text[:LONGEST], lambda: _texts(ranked[:_READ], view))
    if not isinstance(judged, list):
        view.do_without(RULE, loading=judged.is_loading)
        return list(ranked)
    step = _WEIGHT * max(ranked[0].score, 0.0)
    lifted = list(ranked[:_READ])
    for at in sorted(range(len(judged)), key=lambda at: (-judged[at], at))[:_KEPT]:
        lifted[at] = _lifted(ranked[at], step * judged[at])
    lifted.sort(key=lambda one: -one.score)
    return [*lifted, *ranked[_READ:]]


def _texts(ranked: Sequence[Ranked], view: View) -> list[str]:
    from sonde.neural.symbol_text import symbol_text

    return [symbol_text(one.symbol, view.text(one.symbol.file)) for one in ranked]


def _lifted(one: Ranked, by: float) -> Ranked:
    parts = (*one.contributions, (RULE, by)) if one.contributions else ()
    return replace(one, score=one.score + by, contributions=parts)
