"""Sessions as a table, and everything about one of them."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from sonde.cli.console import Console, counted, cut, duration
from sonde.cli.layout import heading, table
from sonde.cli.outcome import FOUND, NOTHING_FOUND, answered
from sonde.cli.plain import plain

if TYPE_CHECKING:
    from sonde.engine import Engine
    from sonde.session.session import Session

_GOAL = 60  # characters


def show_all(engine: Engine, as_json: bool, console: Console) -> int:
    """A line for each living session of the workspace, the one used last first."""
    from sonde.session.session import sessions

    records = answered(sessions(engine))
    if as_json:
        console.json(
            [
                {"id": r.id, "goal": r.task.goal, "command": r.task.command, "used": r.used}
                for r in records
            ]
        )
        return FOUND if records else NOTHING_FOUND
    if not records:
        console.line("no session in this workspace")
    now = time.time()
    rows = [
        (
            record.id,
            record.task.command,
            f"pass {len(record.passes)}",
            f"{duration(max(0.0, now - record.used))} ago",
            cut(record.task.goal, _GOAL),
        )
        for record in records
    ]
    table(console, rows, 0)
    return FOUND if records else NOTHING_FOUND


def show_one(session: Session, as_json: bool, console: Console) -> int:
    """Passes, what was sent, and what counts more because it was used."""
    record = session.record
    boosts = session.boosts()
    if as_json:
        console.json(
            {
                "id": record.id,
                "task": plain(record.task),
                "budget": record.budget,
                "passes": plain(record.passes),
                "sent": {key: each.detail for key, each in sorted(record.sent.items())},
                "boosts": [{"symbol": key, **dict(rules)} for key, rules in boosts],
            }
        )
        return FOUND
    console.line(f"{record.id} {record.task.command} {cut(record.task.goal, console.width - 30)}")
    heading(console, "passes")
    rows = [
        (
            str(each.number),
            each.kind.value,
            counted(each.tokens, "token"),
            counted(len(each.keys), "symbol"),
        )
        for each in record.passes
    ]
    table(console, rows, 2)
    heading(console, "sent")
    sent = [
        (key, each.detail.value, f"pass {each.number}") for key, each in sorted(record.sent.items())
    ]
    table(console, sent, 2)
    if boosts:
        heading(console, "counts more in this session")
    counting = [
        (key, ", ".join(f"{name} {value:+.3f}" for name, value in rules)) for key, rules in boosts
    ]
    table(console, counting, 2)
    return FOUND
