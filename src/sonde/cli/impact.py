"""What may break when a symbol changes.

Transitive callers, overriders, subclasses, routes and tests, nearest first,
each with its confidence.
"""

from __future__ import annotations

import argparse
from itertools import groupby
from typing import TYPE_CHECKING

from sonde.cli.console import Console, counted, safe
from sonde.cli.layout import heading, place, table
from sonde.cli.opening import engine_of
from sonde.cli.outcome import FOUND, NOTHING_FOUND, answered, note_freshness
from sonde.cli.parser import CommandParser, whole_number
from sonde.cli.plain import plain
from sonde.model import VERBS

if TYPE_CHECKING:
    from sonde.answers.results import Affected, ImpactAnswer

USAGE = "SYMBOL [options]"
EXAMPLES = ("sonde impact DatabaseClient.connect", "sonde impact connect --depth 2 --json")
_DEEPEST = 10
_DOUBTFUL = 10  # unresolved calls that are shown; JSON has more


def configure(parser: CommandParser) -> None:
    """The symbol and how far to look."""
    parser.add_argument("symbol", metavar="SYMBOL", help="plain or qualified name of a symbol")
    parser.add_argument(
        "--depth",
        metavar="N",
        type=whole_number(1, _DEEPEST),
        default=3,
        help="how many steps to follow (default: 3)",
    )


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Print what is affected, by depth."""
    with engine_of(arguments, console) as engine:
        answer = answered(engine.impact(arguments.symbol, arguments.depth))
    note_freshness(answer, console)
    if arguments.json:
        console.json(plain(answer))
    else:
        _print(answer, console)
    return FOUND if answer.affected or answer.tests or answer.routes else NOTHING_FOUND


def _print(answer: ImpactAnswer, console: Console) -> None:
    for target in answer.targets:
        heading(console, f"{safe(target.qualname)}  {safe(place(target))}")
    if not (answer.affected or answer.tests or answer.routes):
        console.line("nothing known depends on it")
    for depth, group in groupby(answer.affected, key=lambda each: each.depth):
        console.line(console.paint(f"  {depth} step{'s' * (depth > 1)} away", "cyan"))
        table(console, [_row(each) for each in group], 4)
    if answer.tests:
        console.line(console.paint("  tests", "cyan"))
        table(console, [_row(each) for each in answer.tests], 4)
    if answer.routes:
        console.line(console.paint("  routes", "cyan"))
        table(console, answer.routes, 4)
    if answer.unresolved:
        calls = counted(answer.unresolved, "call")
        console.line(f"  {calls} elsewhere may mean it too but could not be resolved")
        table(console, [_doubtful_row(each) for each in answer.doubtful[:_DOUBTFUL]], 4)
    for name, count in answer.namesakes:
        console.line(
            f"  calls that do not tell which of {count} definitions of {safe(name)} they mean are "
            f"not listed: 'sonde search {safe(name)}' finds them"
        )
    if answer.truncated:
        console.line("  more is affected than is shown here")


def _row(affected: Affected) -> tuple[str, ...]:
    relation = f"{VERBS[affected.kind]} {affected.via}"
    where = f"{affected.symbol.file}:{affected.line or affected.symbol.start_line}"
    return affected.symbol.qualname, relation, where, f"{affected.confidence:.2f}"


def _doubtful_row(affected: Affected) -> tuple[str, ...]:
    return affected.symbol.qualname, f"{affected.symbol.file}:{affected.line}"
