"""How good the context was, by finished sessions and feedback.

Precision, recall and rank are known for sessions that ended after a change, and
where feedback named symbols. All of it stays on this machine.
"""

from __future__ import annotations

import argparse

from sonde.cli.console import Console, counted
from sonde.cli.layout import table
from sonde.cli.opening import engine_of
from sonde.cli.outcome import FOUND, NOTHING_FOUND, answered
from sonde.cli.parser import CommandParser
from sonde.cli.plain import plain

USAGE = "[options]"
EXAMPLES = ("sonde metrics", "sonde metrics --json")
_ROWS = (
    ("precision", "share of the first ten pieces that the change touched"),
    ("recall", "of what the change touched, share that was sent"),
    ("reciprocal_rank", "1 divided by the rank of the first piece it touched"),
    ("utilisation", "of all pieces, share that the change touched or named"),
    ("iterations", "failures that came back, a task"),
    ("tokens", "sent, a task"),
    ("artefacts", "different rules, pitfalls and commands sent"),
    ("reused", "of these, share that went to more than one task"),
    ("opinions", "given as feedback"),
    ("praised", "of the symbols they name, share that was useful"),
)


def configure(parser: CommandParser) -> None:
    """No arguments of its own."""


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Print the figures."""
    from sonde.session.metrics import metrics

    with engine_of(arguments, console) as engine:
        found = metrics(answered(engine.place()).home)
    if arguments.json:
        console.json(plain(found))
    else:
        tasks = counted(found.tasks, "finished session")
        console.line(f"{tasks}, {found.judged} with a change or feedback")
        rows = [
            (name.replace("_", " "), f"{value:g}", about)
            for name, about in _ROWS
            if (value := getattr(found, name)) is not None
        ]
        table(console, rows, 2, prose=True)
    return FOUND if found.tasks or found.opinions else NOTHING_FOUND
