"""The title of a report, asked on its own: it says in a few words what the report is about.

A long report speaks of much else. What its title alone finds is raised, so that the steps, the
output and the example do not drown it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from sonde.model import Query, Ranked
from sonde.rank.learned import report_share
from sonde.rank.rule import telling
from sonde.rank.score import where
from sonde.retrieve.match import base_form
from sonde.understand.query import understand

RULE = "title"
_SHARE = 0.2  # of the best score, for what the title likes best
_LEAST = 3  # words, or a name: "Please help me with this" and "Dear maintainers" are no titles


def title_of(query: Query) -> Query | None:
    """The title of a report as a question of its own; None for a request, or without a title."""
    if not query.title or not report_share(query):
        return None
    title = understand(query.title)
    if report_share(title):  # a first line that goes on and on is no title
        return None
    words = len(set(map(base_form, title.components)))
    return title if words >= _LEAST or title.exact or title.compounds else None


def lift(ranked: Sequence[Ranked], liked: Sequence[Ranked], query: Query) -> dict[int, float]:
    """What to add to the score of each ranked symbol that the title liked too, by id."""
    if not ranked or not liked or liked[0].score <= 0.0:
        return {}
    step = _SHARE * report_share(query) * max(ranked[0].score, 0.0) / liked[0].score
    return {one.symbol.id: step * one.score for one in liked if one.score > 0.0}


def lifted(ranked: Sequence[Ranked], by: Mapping[int, float]) -> list[Ranked]:
    """The ranked symbols, each with what the title adds to it, best first."""
    both = [_with(one, by.get(one.symbol.id, 0.0)) for one in ranked]
    return sorted(both, key=lambda one: (-telling(one.score), *where(one.symbol)))


def _with(one: Ranked, more: float) -> Ranked:
    if not more:
        return one
    parts = (*one.contributions, (RULE, more)) if one.contributions else ()
    return replace(one, score=one.score + more, contributions=parts)
