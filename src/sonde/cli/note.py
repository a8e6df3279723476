"""Keep a rule, pitfall or command in .sonde/ of the workspace.

Sessions read it from there. No other command writes into the
workspace, except 'sonde mcp --write' for clients that keep their file there.
"""

from __future__ import annotations

import argparse

from sonde.cli.console import Console, safe
from sonde.cli.opening import settings_of
from sonde.cli.outcome import FOUND, Failure
from sonde.cli.parser import CommandParser

USAGE = "add KIND TEXT [options]"
EXAMPLES = (
    'sonde note add gotcha "tests need DATABASE_URL; without it they skip silently"',
    'sonde note add constitution "never log a token" --folder src/auth',
    'sonde note add runbook "test: make test"',
)


def configure(parser: CommandParser) -> None:
    """What kind, what text, for which folder."""
    parser.add_argument("action", metavar="add", choices=("add",), help="the one thing to do")
    parser.add_argument(
        "kind",
        metavar="KIND",
        choices=("constitution", "gotcha", "runbook"),
        help="constitution, gotcha or runbook",
    )
    parser.add_argument("text", metavar="TEXT", help="one sentence; for a runbook NAME: COMMAND")
    parser.add_argument(
        "--folder", metavar="DIR", default="", help="it applies only to files below this folder"
    )


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Write it and say where."""
    from sonde.artefacts.artefact import ArtefactKind
    from sonde.artefacts.note import add_note

    root, _ = settings_of(arguments)
    written = add_note(
        root.resolve(), ArtefactKind(arguments.kind), arguments.text, arguments.folder
    )
    if isinstance(written, str):
        raise Failure(written)
    if arguments.json:
        console.json({"file": str(written)})
    else:
        console.line(f"kept in {safe(str(written))}")
    return FOUND
