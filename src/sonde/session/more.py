"""More of the same: the next best that was not sent, or what was sent, in full again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sonde.answers.lookup import find_symbols, not_found
from sonde.answers.results import NotFound, Refusal
from sonde.model import Evidence, Ranked
from sonde.pack.errors import BudgetTooSmall
from sonde.session.context_pack import ContextPack, PassKind, key_of
from sonde.session.dropped import Dropped
from sonde.session.memory import Delivery
from sonde.session.retrieval import Retrieved
from sonde.session.start import gather_for
from sonde.session.turn import Done, Turn, not_in, with_evidence

_NAMES = 50


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
    chosen = turn.chooser.choose(list(ranked.values()), turn.room(pack), again=True)
    pack = with_evidence(pack, chosen)
    return turn.finish(
        pack, Dropped(symbols=chosen.rest), Delivery(", ".join(names), artefacts=ids)
    )


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
