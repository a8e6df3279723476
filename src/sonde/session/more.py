"""More of the same: the next best that was not sent, or what was sent, in full again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sonde.answers.lookup import find_symbols, not_found
from sonde.answers.results import NotFound, Refusal
from sonde.model import CALLABLE_KINDS, TYPE_KINDS, Evidence, Ranked
from sonde.pack.errors import BudgetTooSmall
from sonde.pack.visible import one_line
from sonde.session.context_pack import ContextPack, Detail, PassKind, key_of
from sonde.session.dropped import Dropped
from sonde.session.evidence import Chosen
from sonde.session.memory import Delivery
from sonde.session.retrieval import Retrieved
from sonde.session.start import gather_for
from sonde.session.turn import Done, Turn, not_in, with_evidence

_NAMES = 50
_LONGEST_NAME = 60


def more(turn: Turn, names: Sequence[str] = ()) -> Done | Refusal | BudgetTooSmall:
    """Named symbols in full, sent before or not; without names, what ranks next."""
    return _named(turn, names) if names else _next_best(turn)


def _begun(turn: Turn) -> tuple[ContextPack, tuple[str, ...]]:
    """A pack with the project's rules, and the ids of those that are new."""
    rules = turn.rules((), turn.record.task.goal)
    pack = turn.pack(PassKind.MORE, turn.again())
    return replace(pack, rules=rules.rules), rules.ids


def _named(turn: Turn, names: Sequence[str]) -> Done | Refusal | BudgetTooSmall:
    if len(names) > _NAMES:
        return Refusal(f"{len(names)} names are too many: give at most {_NAMES}")
    ranked: dict[int, Ranked] = {}
    for place, name in enumerate(names):
        found = find_symbols(turn.state.view, name)
        if not found:
            return not_found(turn.state.view, name)
        for record in found:
            proof = Evidence("asked for", 1, 1.0, "asked for")
            ranked.setdefault(record.id, Ranked(record, 1.0 - place / 1000, evidence=(proof,)))
    pack, ids = _begun(turn)
    chosen = turn.chooser.choose(list(ranked.values()), turn.left(pack), again=True)
    pack = with_evidence(pack, chosen)
    dropped = Dropped(symbols=chosen.rest, other=_only_cards(turn, chosen))
    return turn.finish(pack, dropped, Delivery(", ".join(names), artefacts=ids))


def _only_cards(turn: Turn, chosen: Chosen) -> tuple[str, ...]:
    """Sources that were asked for and had no room."""
    short = [
        piece.symbol
        for piece in chosen.pieces
        if piece.detail is Detail.CARD and piece.symbol.kind in CALLABLE_KINDS | TYPE_KINDS
    ]
    if not short:
        return ()
    tokens = turn.counter.count(turn.chooser.full_text(short[0]))
    more = f" and {len(short) - 1} more" if short[1:] else ""
    named = one_line(short[0].qualname, _LONGEST_NAME)
    return (f"the source of {named}, {tokens:,} tokens{more}: give a larger budget",)


def _next_best(turn: Turn) -> Done | Refusal | BudgetTooSmall:
    """What the questions asked so far rank next, the last question's first."""
    record = turn.record
    pack, ids = _begun(turn)
    pack = with_evidence(pack, turn.changes())
    new: dict[int, Ranked] = {}
    for asked in reversed(record.passes):
        if asked.kind is PassKind.MORE:
            continue
        found = turn.retrieve(asked.question)
        retrieved = found if isinstance(found, Retrieved) else None
        gathered = gather_for(turn, record.task.command, retrieved)
        for one in gathered.ranked:
            if key_of(one.symbol) not in record.sent:
                new.setdefault(one.symbol.id, one)
    ranked = turn.boosted(tuple(new.values()))
    chosen = replace(turn.chooser.choose(not_in(pack, ranked), turn.room(pack)), cited=())
    pack = with_evidence(pack, chosen)
    if not pack.evidence and not pack.summaries:
        return NotFound("nothing more was found for this task: ask with other words")
    return turn.finish(pack, Dropped(symbols=chosen.rest), Delivery(artefacts=ids))
