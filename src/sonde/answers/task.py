"""Answer a task: ranked definitions with their tests and callers, packed."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence

from sonde.answers.lookup import find_symbols
from sonde.answers.outdated import outdated
from sonde.answers.packing import Findings, Options, packed
from sonde.answers.reasons import explained
from sonde.answers.results import Answer, Failure, NotFound, RankAnswer, Refusal
from sonde.answers.safety_net import safety_net
from sonde.answers.state import State
from sonde.answers.support import callers, tests
from sonde.model import FileKind, Kind, Query, Ranked
from sonde.pack.missed import missed
from sonde.pack.relevance import FLOOR, MENTION_FLOOR, above_floor
from sonde.pack.request import DEFAULT_BUDGET
from sonde.rank.files import ranked_files
from sonde.rank.pipeline import Ranking, rank_query
from sonde.rank.switches import NEIGHBOURS, SAFETY_NET, unknown_switch
from sonde.retrieve.view import View
from sonde.understand.query import understand

_MODULE, _TEST = Kind.MODULE, FileKind.TEST  # bound once: reading a member off its enum is slow
_TARGETS = 4  # symbols whose tests and callers are looked up
_TARGET_SHARE = 0.6  # of the best score
_GARBAGE_SHARE = 0.2  # of characters that never occur in text
_LOOKED_AT = 4_000  # characters
_DEFINITIONS = 200  # more than any budget shows


def understood(task: str, view: View) -> Query | Refusal:
    """The task as a query, or the reason why it contains nothing to search for."""
    if not task.strip():
        return Refusal("the task is empty: say in a sentence what is to be done")
    start = task[:_LOOKED_AT]
    odd = sum(1 for char in start if not (char.isprintable() or char.isspace()) or char == "�")
    if odd > _GARBAGE_SHARE * len(start):
        return Refusal("the task is not text: say in a sentence what is to be done")
    query = understand(task)
    if _says_something(query):
        return query
    word = task.strip()
    if word.isidentifier() and find_symbols(view, word):  # a common word, alone, that is a name
        return understand(f"`{word}`")
    return Refusal("the task has no word to look for: name a symbol, a file or a behaviour")


def _says_something(query: Query) -> bool:
    spoken = (query.exact, query.compounds, query.generated, query.components, query.paths)
    told = (query.frames, query.errors, query.literals, query.issues, query.commits)
    return any((*spoken, *told))


def rank_task(
    task: str, state: State, limit: int, without: frozenset[str] = frozenset()
) -> RankAnswer | Refusal:
    """The ranked symbols for a task, and the files they rank."""
    began = time.perf_counter()
    if wrong := unknown_switch(without):
        return Refusal(wrong)
    if limit < 1:
        return Refusal("a limit below 1 shows nothing: give a positive number")
    query = understood(task, state.view)
    if isinstance(query, Refusal):
        return query
    ranking = rank_query(query, state.view, without)
    definitions = [one for one in ranking.ranked if one.symbol.kind is not _MODULE]
    ms = (time.perf_counter() - began) * 1000.0
    shown = explained(definitions[:limit], ranking.field, -math.inf)
    return RankAnswer(
        tuple(shown),
        ranked_files(ranking, without),
        ms,
        ranking.statistics,
        *outdated(state, (one.symbol.file for one in shown)),
    )


def answer_task(task: str, state: State, options: Options) -> Answer | Failure:
    """The pack for a task."""
    if refusal := options.refusal():
        return refusal
    if wrong := unknown_switch(options.without):
        return Refusal(wrong)
    began = time.perf_counter()
    query = understood(task, state.view)
    if isinstance(query, Refusal):
        return query
    read = time.perf_counter()
    ranking = rank_query(query, state.view, options.without, told=False)
    done = time.perf_counter()
    timed = (("understand ms", (read - began) * 1000.0), ("rank ms", (done - read) * 1000.0))
    findings = task_findings(task, query, ranking, state, options, timed)
    if not findings.definitions and not findings.tests:
        words = (*query.exact, *query.compounds, *query.components)
        shown = ", ".join((words or (*query.issues, *query.commits))[:5])
        nothing = "nothing in this workspace matches" if words else "no commit known here names"
        lacking = "".join(f" ({line})" for line in missed(ranking.statistics))
        return NotFound(f"{nothing} {shown!r}: try other words or names{lacking}")
    return packed(findings, state, options)


def task_findings(
    task: str,
    query: Query,
    ranking: Ranking,
    state: State,
    options: Options,
    timed: tuple[tuple[str, float], ...] = (),
) -> Findings:
    """What the ranking of a task contributes to the pack."""
    began = time.perf_counter()
    view, field = state.view, ranking.field
    named = (*query.exact, *query.compounds)
    ranked = [one for one in ranking.ranked if one.symbol.kind is not _MODULE]
    # Nothing below this share of the best is shown, so only what is above needs a reason.
    generosity = max(1.0, options.budget / DEFAULT_BUDGET)
    least = ranked[0].score * min(MENTION_FLOOR, FLOOR / generosity) if ranked else 0.0
    reasoned = explained(ranked[:_DEFINITIONS], field, least)
    ranked_tests = [one for one in reasoned if one.symbol.file_kind is _TEST]
    asked = {name.rpartition(".")[2] for name in named}
    # A test that the task did not name goes with the tests, not with the definitions.
    definitions = [
        one for one in reasoned if one.symbol.file_kind is not _TEST or one.symbol.name in asked
    ]
    if not definitions:
        definitions = ranked_tests or (
            [] if SAFETY_NET in options.without else safety_net(query, view)
        )
        ranked_tests = []
    targets = [one.symbol for one in _targets(definitions)]
    found = tests(view, targets, field.walked)
    if query.about_tests:
        found = found or ranked_tests  # if the subject has none, others show the conventions
    calling = callers(view, targets, field.walked)
    spent = (time.perf_counter() - began) * 1000.0
    return Findings(
        task,
        query.intent,
        query.confidence,
        definitions,
        found,
        calling,
        () if NEIGHBOURS in options.without else above_floor(definitions, MENTION_FLOOR),
        named,
        field.walked,
        (*timed, *ranking.statistics, ("support ms", spent)),
    )


def _targets(definitions: Sequence[Ranked]) -> list[Ranked]:
    best = definitions[0].score if definitions else 0.0
    return [one for one in definitions[:_TARGETS] if one.score >= _TARGET_SHARE * best]
