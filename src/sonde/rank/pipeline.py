"""Query → ranked symbols: gather, judge by own merit, walk from the best, judge again."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace

from sonde.model import Query, Ranked
from sonde.rank.rule import Field
from sonde.rank.score import own_scores, rank
from sonde.rank.seeds import choose_seeds
from sonde.retrieve.gather import gather
from sonde.retrieve.match import Matcher
from sonde.retrieve.noise import is_noise
from sonde.retrieve.view import View
from sonde.retrieve.walk import hits, walk

_WALKED = 150  # best-walked nodes that become candidates


@dataclass(frozen=True, slots=True)
class Ranking:
    """Ranked symbols, and the field they were judged in."""

    ranked: tuple[Ranked, ...]
    field: Field
    statistics: tuple[tuple[str, float], ...]


def rank_query(query: Query, view: View, without: frozenset[str] = frozenset()) -> Ranking:
    """Symbols for a query, best first; `without` names channels and rules to leave out."""
    gathered = gather(query, view, without)
    began = time.perf_counter()
    matcher = Matcher(query, view)
    matches = {record.id: matcher.match(record) for record in gathered.records}
    field = Field(query, view, gathered.records, gathered.fused, matches)
    own = own_scores(field, without)
    seeds = choose_seeds(field, own, without)
    matched = time.perf_counter()
    walked = walk(view.paths, seeds) if "walk" not in without else {}
    field = _widened(replace(field, own=own, walked=walked, seeds=seeds), matcher, without)
    ranked = rank(field, without)
    statistics = (
        *gathered.statistics,
        ("match ms", (matched - began) * 1000.0),
        ("walk ms", (time.perf_counter() - matched) * 1000.0),
        ("seeds", float(len(seeds))),
        ("nodes walked", float(len(walked))),
        ("candidates", float(len(field.records))),
    )
    return Ranking(tuple(ranked), field, statistics)


def _widened(field: Field, matcher: Matcher, without: frozenset[str]) -> Field:
    """The field with the nodes that the walk reached as further candidates."""
    walked = field.walked
    have = field.matches.keys()
    reached = list(walked)[:_WALKED]
    new = tuple(
        record
        for record in field.view.records([id for id in reached if id not in have])
        if not is_noise(record, field.query.about_tests)
    )
    matches = {**field.matches, **{record.id: matcher.match(record) for record in new}}
    wider = replace(
        field,
        records=(*field.records, *new),
        matches=matches,
        hits=hits(field.view.paths, walked) if "authority" not in without else {},
    )
    return replace(wider, own=own_scores(wider, without))
