"""The title of a report, heard on its own: it says in a few words what the report is about.

A long report speaks of much else. Of its candidates those that its title alone speaks of are
raised, so that the steps, the output and the example do not drown it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from sonde.model import Query, Ranked
from sonde.rank.learned import LEARNED, report_share, weights
from sonde.rank.rule import Field, telling
from sonde.rank.score import own_table, where
from sonde.retrieve.match import Matcher, base_form
from sonde.retrieve.view import View
from sonde.understand.query import understand

RULE = "title"
_SHARE = 0.2  # of the best score, for what the title likes best
_HEARD = 200  # candidates, the best by the whole text
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


def lift(
    ranked: Sequence[Ranked], query: Query, view: View, without: frozenset[str]
) -> dict[int, float]:
    """What to add to the score of each of the best for what it is by the title alone, by id."""
    title = title_of(query) if RULE not in without else None
    if title is None or not ranked:
        return {}
    records = tuple(one.symbol for one in ranked[:_HEARD])
    matcher = Matcher(title, view)
    matches = tuple(map(matcher.match, records))
    learned = weights(title) if LEARNED not in without else {}
    field = Field(title, view, records, {}, {}, matcher, matches, weights=learned)
    liked = own_table(field, without).totals
    if liked.max() <= 0.0:
        return {}
    step = _SHARE * report_share(query) * max(ranked[0].score, 0.0) / liked.max()
    by = (step * liked.clip(0.0)).tolist()
    return {record.id: more for record, more in zip(records, by, strict=True) if more}


def lifted(ranked: Sequence[Ranked], by: Mapping[int, float]) -> list[Ranked]:
    """The ranked symbols, each with what the title adds to it, best first."""
    both = [_with(one, by.get(one.symbol.id, 0.0)) for one in ranked]
    return sorted(both, key=lambda one: (-telling(one.score), *where(one.symbol)))


def _with(one: Ranked, more: float) -> Ranked:
    if not more:
        return one
    parts = (*one.contributions, (RULE, more)) if one.contributions else ()
    return replace(one, score=one.score + more, contributions=parts)
