"""Why a symbol ranks where it does in the answer to a task, or is not there at all."""

from __future__ import annotations

from sonde.answers.lookup import find_symbols, not_found
from sonde.answers.outdated import outdated
from sonde.answers.packing import Options, pack_request
from sonde.answers.paths import shortest_paths
from sonde.answers.reasons import shared_words
from sonde.answers.results import Refusal, Step, WhyAnswer
from sonde.answers.source import Sources
from sonde.answers.state import State
from sonde.answers.task import task_findings, understood
from sonde.link.weights import WALK_WEIGHTS
from sonde.model import Evidence, FileKind, Kind, Pack, Query, Ranked, SymbolRecord
from sonde.pack.assemble import assemble
from sonde.pack.relevance import FLOOR, relevant
from sonde.pack.request import PackRequest
from sonde.rank.pipeline import Ranking, rank_query
from sonde.rank.switches import unknown_switch
from sonde.retrieve.fulltext import REASON
from sonde.retrieve.noise import is_noise

_WALKED_KINDS = tuple(kind for kind, weight in WALK_WEIGHTS.items() if weight > 0.0)
_SEEDS_SHOWN = 10
_PATH_DEPTH = 4


def answer_why(task: str, symbol: str, state: State, options: Options) -> WhyAnswer | Refusal:
    """The ranking of a task from the view of one symbol; of several matches, the best ranked."""
    if wrong := unknown_switch(options.without):
        return Refusal(wrong)
    query = understood(task, state.view)
    if isinstance(query, Refusal):
        return query
    meant = find_symbols(state.view, symbol)
    if not meant:
        return not_found(state.view, symbol)
    ranking = rank_query(query, state.view, options.without)
    place = {one.symbol.id: at for at, one in enumerate(ranking.ranked, 1)}
    chosen = min(meant, key=lambda record: place.get(record.id, len(place) + 1))
    at = place.get(chosen.id, 0)
    one = ranking.ranked[at - 1] if at else None
    field = ranking.field
    path = _path(chosen, ranking, state)
    section, kept_out = _in_pack(chosen, one, task, query, ranking, state, options)
    return WhyAnswer(
        chosen,
        at,
        len(ranking.ranked),
        one.score if one else 0.0,
        one.contributions if one else (),
        _evidence(one, query, state) if one else (),
        field.seeds.get(chosen.id, 0.0),
        _seeds(ranking, state),
        field.walked.get(chosen.id, 0.0),
        path,
        section,
        kept_out,
        ranking.statistics,
        *outdated(state, [chosen.file, *(step.target.file for step in path)]),
    )


def _evidence(one: Ranked, query: Query, state: State) -> tuple[Evidence, ...]:
    """The channels that proposed it, with the words that its text shares with the task."""
    shared = shared_words(one.symbol, query, Sources(state.view.index))
    return tuple(
        each._replace(reason=shared) if each.reason == REASON else each for each in one.evidence
    )


def _seeds(ranking: Ranking, state: State) -> tuple[str, ...]:
    seeds = ranking.field.seeds
    order = sorted(seeds, key=lambda id: -seeds[id])[:_SEEDS_SHOWN]
    return tuple(record.qualname for record in state.view.records(order))


def _path(symbol: SymbolRecord, ranking: Ranking, state: State) -> tuple[Step, ...]:
    """The shortest path that the walk could take from its seeds."""
    seeds = list(ranking.field.seeds)
    if not seeds or symbol.id in ranking.field.seeds:
        return ()
    found = shortest_paths(
        state.view,
        seeds,
        [symbol.id],
        _WALKED_KINDS,
        against=_WALKED_KINDS,
        limit=1,
        deepest=_PATH_DEPTH,
    )
    return found[0] if found else ()


def _in_pack(
    symbol: SymbolRecord,
    one: Ranked | None,
    task: str,
    query: Query,
    ranking: Ranking,
    state: State,
    options: Options,
) -> tuple[str, str]:
    """The section that shows a symbol, or what kept it out."""
    if symbol.kind is Kind.MODULE:
        return "", "a file as a whole is not shown, only its definitions"
    findings = task_findings(task, query, ranking, state, options)
    request = pack_request(findings, state, options, Sources(state.view.index))
    pack = assemble(request)
    if not isinstance(pack, Pack):
        return "", str(pack)
    for section in pack.sections:
        if any(item.symbol.id == symbol.id for item in section.items):
            return section.name, ""
    for section in pack.sections:
        for item in section.items:
            shown = item.symbol
            if shown.holds(symbol) and item.text.count("\n") > 1:
                return section.name, f"its text is part of {shown.qualname}"
    return "", _kept_out(symbol, one, query, request)


def _kept_out(symbol: SymbolRecord, one: Ranked | None, query: Query, request: PackRequest) -> str:
    if one is None:
        if is_noise(symbol, query.about_tests, query.exact):
            return "left out as noise: a fixture, or a name too short to mean anything"
        return "no channel proposed it, and too little of the walk reached it"
    if symbol.file_kind is FileKind.TEST and not query.about_tests:
        return "a test: tests are shown only for the symbols the task is about"
    found = relevant(request)
    if any(entry.symbol.id == symbol.id for entry in found.symbols):
        return f"the budget of {request.budget} tokens was spent on better ranked symbols"
    best = request.ranked[0].score if request.ranked else 0.0
    if best > 0.0 and one.score < FLOOR * best:
        share = max(0.0, one.score) / best
        return f"its score is {share:.0%} of the best; below {FLOOR:.0%} a symbol is not shown"
    if found.sure:
        return "the task has an obvious target, and this lies in another file"
    return "too many files or cards rank before it: a larger budget shows more"
