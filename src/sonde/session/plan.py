"""The second pass: for each step of a plan, what it needs beyond what was sent."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from sonde.answers.results import Refusal
from sonde.model import TYPE_KINDS, FileKind, Ranked, SymbolRecord
from sonde.pack.errors import BudgetTooSmall
from sonde.pack.visible import one_line
from sonde.retrieve.view import View
from sonde.session import sources
from sonde.session.commands import Asked, Tier, gather
from sonde.session.context_pack import PassKind
from sonde.session.dropped import Dropped
from sonde.session.memory import Delivery, SessionRecord
from sonde.session.retrieval import Retrieved
from sonde.session.subject import Subject, chosen_symbols, kept_symbol
from sonde.session.turn import Done, Turn, not_in, with_evidence

_STEPS = 20
_STEP_LENGTH = 300  # characters
_ABOUT_TYPES = re.compile(
    r"\b(?:types?|typing|interfaces?|annotations?|schemas?|structs?|enums?|dataclass(?:es)?|"
    r"protocols?|traits?|signatures?)\b",
    re.I,
)
_LEADING = 4  # symbols of the first pass that stand for the task
_TYPES_FIRST = 1.5  # a definition of a type, in a step about types

_CODE = (
    Asked("named", Tier.SYMBOL, 1.0, sources.named),
    Asked("examples", Tier.SEMANTIC, 0.5, sources.similar),
)
_TYPES = (
    Asked("named", Tier.SYMBOL, 0.9, sources.named),
    Asked("types", Tier.SYMBOL, 0.8, sources.types),
)
_TESTS = (
    Asked("test utilities", Tier.SYMBOL, 1.0, sources.test_utilities),
    Asked("related tests", Tier.SYMBOL, 0.9, sources.related_tests),
    Asked("similar tests", Tier.SYMBOL, 0.6, sources.similar_tests),
    Asked("named", Tier.SYMBOL, 0.5, sources.named),
)


def plan(turn: Turn, steps: Sequence[str]) -> Done | Refusal | BudgetTooSmall:
    """The pack of a plan; its evidence is shared out evenly over the steps."""
    written = [one_line(step, _STEP_LENGTH) for step in steps if step.strip()]
    if not written:
        return Refusal("the plan has no step: give at least one sentence")
    if len(written) > _STEPS:
        return Refusal(f"a plan of {len(written)} steps is too long: give at most {_STEPS}")
    pack = turn.pack(PassKind.PLAN, turn.again())
    question = "\n".join(written)
    rules = turn.rules((), question)
    pack = replace(pack, steps=tuple(written), rules=rules.rules)
    pack = with_evidence(pack, turn.changes())
    room = turn.room(pack)
    rest: list[str] = []
    statistics: list[tuple[str, float]] = []
    for number, step in enumerate(written, 1):
        ranked, told = _ranked(turn, step)
        statistics += [(f"step {number}: {name}", value) for name, value in told]
        new = not_in(pack, ranked)
        chosen = turn.chooser.choose(new, room // (len(written) - number + 1), number)
        room -= chosen.tokens
        rest += chosen.rest
        pack = with_evidence(pack, chosen)
    pack = replace(pack, statistics=tuple(statistics))
    dropped = Dropped(symbols=tuple(dict.fromkeys(rest)))
    return turn.finish(pack, dropped, Delivery(question, artefacts=rules.ids))


def _ranked(turn: Turn, step: str) -> tuple[tuple[Ranked, ...], tuple[tuple[str, float], ...]]:
    """What one step needs, and what its sources did."""
    found = turn.retrieve(step)
    if isinstance(found, Refusal):
        found = turn.retrieve(f"{step}\n{turn.record.task.goal}")
    retrieved = found if isinstance(found, Retrieved) else None
    view, editor = turn.state.view, turn.record.editor
    about_tests = retrieved is not None and retrieved.query.about_tests
    about_types = bool(_ABOUT_TYPES.search(step))
    asked = _TESTS if about_tests else _TYPES if about_types else _CODE
    leading = leading_symbols(view, turn.record)
    frames = retrieved.query.frames if retrieved is not None else ()
    gathered = gather(asked, Subject(view, editor, retrieved, frames, leading))
    ranked: Sequence[Ranked] = gathered.ranked
    if about_types and not about_tests:
        ranked = [_typed(one) for one in ranked]
    return turn.boosted(ranked), gathered.statistics


def _typed(one: Ranked) -> Ranked:
    is_type = one.symbol.kind in TYPE_KINDS
    return replace(one, score=one.score * _TYPES_FIRST) if is_type else one


def leading_symbols(view: View, record: SessionRecord) -> tuple[SymbolRecord, ...]:
    """What the task is about: what was selected, else the best code of the first pass."""
    if record.editor.selection is not None:
        return chosen_symbols(view, record.editor)
    found: list[SymbolRecord] = []
    for key in record.passes[0].keys if record.passes else ():
        symbol = kept_symbol(view, key)
        if symbol is not None and symbol.file_kind is not FileKind.TEST:
            found.append(symbol)
        if len(found) >= _LEADING:
            break
    return tuple(found) or chosen_symbols(view, record.editor)
