"""How one symbol reaches another.

Paths of calls from A to B, shortest first. Where no calls connect them, paths
of other relations, marked as such.
"""

from __future__ import annotations

import argparse

from sonde.cli.console import Console, safe
from sonde.cli.layout import heading
from sonde.cli.opening import engine_of
from sonde.cli.outcome import FOUND, NOTHING_FOUND, answered, note_freshness
from sonde.cli.parser import CommandParser
from sonde.cli.plain import plain
from sonde.cli.steps import print_path

USAGE = "A B [options]"
EXAMPLES = ("sonde flow handle_request DatabaseClient.connect",)


def configure(parser: CommandParser) -> None:
    """The two ends."""
    parser.add_argument("source", metavar="A", help="symbol where the path starts")
    parser.add_argument("target", metavar="B", help="symbol where it ends")


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Print the paths."""
    with engine_of(arguments, console) as engine:
        answer = answered(engine.flow(arguments.source, arguments.target))
    note_freshness(answer, console)
    if arguments.json:
        console.json(plain(answer))
        return FOUND if answer.paths else NOTHING_FOUND
    ends = f"{safe(answer.source.qualname)} → {safe(answer.target.qualname)}"
    if not answer.paths:
        console.line(f"no path is known: {ends}")
        return NOTHING_FOUND
    heading(console, ends)
    if answer.reversed:
        console.line("no path leads this way; these lead from the second to the first")
    if answer.loose:
        console.line("no calls connect them; these paths use other relations")
    for number, path in enumerate(answer.paths, 1):
        console.line(f"  path {number}")
        print_path(console, path)
    return FOUND
