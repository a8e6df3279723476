"""Query → ranked symbols: gather, score on own merit, walk from the best, score again."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy

from sonde.model import Query, Ranked
from sonde.model.statistics import CUT, LOADING, RERANKING
from sonde.rank import community, reranking, titles
from sonde.rank.learned import LEARNED, weights
from sonde.rank.rule import Field
from sonde.rank.score import own_table, rank
from sonde.rank.seeds import choose_seeds
from sonde.rank.table import Table
from sonde.retrieve.gather import gather
from sonde.retrieve.match import Matcher
from sonde.retrieve.noise import is_noise
from sonde.retrieve.view import View
from sonde.retrieve.walk import hits, walk

_WALKED = 160  # most visited nodes that become candidates


@dataclass(frozen=True, slots=True)
class Ranking:
    """Ranked symbols, and the field they were scored in."""

    ranked: tuple[Ranked, ...]
    field: Field
    statistics: tuple[tuple[str, float], ...]
    by_title: Mapping[int, float]  # what the title of a report added to a symbol's score, by id


def rank_query(
    query: Query, view: View, without: frozenset[str] = frozenset(), *, told: bool = True
) -> Ranking:
    """Symbols for a query, best first; `without` names channels and rules to leave out.

    `told` records what each rule contributed. That takes a twentieth of the time of a packed
    answer, which does not show it.
    """
    gathered = gather(query, view, without)
    began = time.perf_counter()
    matcher = Matcher(query, view)
    matches = tuple(map(matcher.match, gathered.records))
    learned = weights(query) if LEARNED not in without else {}
    field = Field(
        query,
        view,
        gathered.records,
        gathered.evidence,
        gathered.channels,
        matcher,
        matches,
        weights=learned,
    )
    own = own_table(field, without)
    field = replace(field, merits=own.totals)
    seeds = choose_seeds(field, without)
    matched = time.perf_counter()
    within = community.community(seeds, view) if community.RULE not in without else None
    walked = walk(view.paths, seeds, within) if "walk" not in without else {}
    field = replace(field, walked=walked, seeds=seeds)
    field, own = _widened(field, own, without)
    ranked, field = rank(field, own, without, told=told)
    by_title = titles.lift(ranked, query, view, without)
    if by_title:
        ranked = titles.lifted(ranked, by_title)
    scored = time.perf_counter()
    reranked: tuple[tuple[str, float], ...] = ()
    if view.models is not None and RERANKING not in without:
        ranked = reranking.rerank(query, ranked, view)
        reranked = ((f"{RERANKING} ms", (time.perf_counter() - scored) * 1000.0),)
        if RERANKING in view.cut_short:
            reranked += ((f"{RERANKING} {CUT}", 1.0),)
            if RERANKING in view.loading:
                reranked += ((f"{RERANKING} {LOADING}", 1.0),)
    statistics = (
        *gathered.statistics,
        ("match ms", (matched - began) * 1000.0),
        ("walk ms", (scored - matched) * 1000.0),
        *reranked,
        ("seeds", float(len(seeds))),
        ("nodes walked", float(len(walked))),
        ("candidates", float(len(field.records))),
    )
    return Ranking(tuple(ranked), field, statistics, by_title)


def _widened(field: Field, own: Table, without: frozenset[str]) -> tuple[Field, Table]:
    """The field, with nodes that the walk reached added as candidates."""
    view, walked = field.view, field.walked
    known = frozenset(field.ids)
    reached = [id for id in list(walked)[:_WALKED] if id not in known]
    query = field.query
    new = tuple(
        record
        for record in view.records(reached)
        if not is_noise(record, query.about_tests, query.exact)
    )
    matches = tuple(map(field.matcher.match, new))
    further = replace(field, records=new, matches=matches, channels={}, kept={})  # no channel's
    own_further = own_table(further, without)
    wider = replace(
        field,
        records=(*field.records, *new),
        matches=(*field.matches, *matches),
        merits=numpy.concatenate((field.merits, own_further.totals)),
        hits=hits(view.paths, walked) if "authority" not in without else {},
        kept=field.kept_beside(further),
    )
    return wider, own.beside(own_further)
