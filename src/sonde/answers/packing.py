"""From ranked symbols to a rendered answer within its budget."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

from sonde.answers.results import Answer, Refusal
from sonde.answers.source import Sources
from sonde.answers.state import State
from sonde.answers.support import imports_among, members, relations
from sonde.frozen import frozen
from sonde.model import Intent, Pack, Ranked, SymbolRecord
from sonde.pack.assemble import assemble
from sonde.pack.errors import PackError
from sonde.pack.render import render
from sonde.pack.request import DEFAULT_BUDGET, DEFAULT_FORMAT, PackRequest
from sonde.pack.tokens import DEFAULT_TOKENIZER

_TASK_SHOWN = 300  # characters of a task that the pack repeats
_NAMED = 20  # names whose added or removed definitions invalidate an answer
_CANDIDATES = 20  # ranked symbols whose files an answer depends on even if they are not shown


@frozen
class Options:
    """How an answer is to be packed and rendered."""

    budget: int = DEFAULT_BUDGET
    format: str = DEFAULT_FORMAT
    tokenizer: str = DEFAULT_TOKENIZER
    without: frozenset[str] = frozenset()
    seen: frozenset[tuple[str, str]] = frozenset()  # file and name of what was shown before

    def refusal(self) -> Refusal | None:
        """The reason why these options cannot be used, if any."""
        if isinstance(self.budget, bool) or not isinstance(self.budget, int) or self.budget < 1:
            shown = str(self.budget)[:40]
            return Refusal(f"a budget of {shown} tokens holds nothing: give a positive number")
        return None


@frozen
class Findings:
    """What a question found, before anything is packed."""

    task: str
    intent: Intent
    confidence: float
    definitions: Sequence[Ranked]
    tests: Sequence[Ranked] = ()
    callers: Sequence[Ranked] = ()
    neighbours: Sequence[Ranked] = ()
    named: Sequence[str] = ()
    weights: Mapping[int, float] | None = None  # the walk's score for each symbol
    statistics: tuple[tuple[str, float], ...] = ()
    given: bool = False  # the definitions were asked about, not guessed


def pack_request(
    findings: Findings, state: State, options: Options, sources: Sources
) -> PackRequest:
    """The pack request for these findings, with ways to look up more."""
    weights = findings.weights or {}
    view = state.view
    if options.seen:
        findings = _unseen(findings, options.seen)

    def members_of(owner: SymbolRecord) -> list[SymbolRecord]:
        return members(view, owner, weights)

    task = " ".join(findings.task[: 4 * _TASK_SHOWN].split())
    return PackRequest(
        task=task if len(task) <= _TASK_SHOWN else task[: _TASK_SHOWN - 1] + "…",
        intent=findings.intent,
        confidence=findings.confidence,
        ranked=findings.definitions,
        source=sources.text,
        members=members_of,
        edges=partial(relations, view),
        imports=partial(imports_among, view),
        tests=findings.tests,
        callers=findings.callers,
        neighbours=findings.neighbours,
        named=findings.named,
        given=findings.given,
        budget=options.budget,
        tokenizer=options.tokenizer,
        format=options.format,
        statistics=findings.statistics,
        stale=state.stale,
        indexed_share=state.indexed_share,
    )


def _unseen(findings: Findings, seen: frozenset[tuple[str, str]]) -> Findings:
    """The findings without symbols that an earlier pack showed."""

    def rest(ranked: Sequence[Ranked]) -> list[Ranked]:
        return [one for one in ranked if (one.symbol.file, one.symbol.qualname) not in seen]

    return replace(
        findings,
        definitions=rest(findings.definitions),
        tests=rest(findings.tests),
        callers=rest(findings.callers),
        neighbours=rest(findings.neighbours),
    )


def packed(
    findings: Findings, state: State, options: Options, notes: Sequence[str] = ()
) -> Answer | PackError:
    """The answer. Files that changed after the sync are named and shown as cards only."""
    sources = Sources(state.view.index)
    request = pack_request(findings, state, options, sources)
    pack = assemble(request)
    if isinstance(pack, Pack) and sources.stale:
        # The note about these files costs tokens too, so the pack is fitted again.
        stale = tuple(sorted({*state.stale, *sources.stale}))
        pack = assemble(replace(request, stale=stale))
    if not isinstance(pack, Pack):
        return pack
    text = render(pack, options.format)
    named = tuple(findings.named[:_NAMED])
    return Answer(pack, text, tuple(notes), _rests_on(findings, pack), named)


def _rests_on(findings: Findings, pack: Pack) -> tuple[str, ...]:
    """Files of the symbols shown and of the best candidates."""
    candidates = [one.symbol.file for one in findings.definitions[:_CANDIDATES]]
    shown = [item.symbol.file for section in pack.sections for item in section.items]
    return tuple(sorted({*candidates, *shown}))
