"""Why a symbol is, or is not, in the answer to a task.

Shows the channels that proposed it, where the graph walk came from, the
contributions that sum to its score, and what kept it out of the pack.

Most contributions can be left out by name (--without meaning). Those that
only the learned trees look at, such as "place" and "spread", go together
(--without trees). "base" and "level" are the same for every candidate: they
keep scores on one scale, whether the trees corrected them or not.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from sonde.cli.console import Console, safe
from sonde.cli.layout import heading, place, table, wrapped
from sonde.cli.opening import engine_of
from sonde.cli.outcome import FOUND, NOTHING_FOUND, answered, note_freshness
from sonde.cli.parser import CommandParser
from sonde.cli.plain import pairs, plain
from sonde.cli.steps import print_path
from sonde.cli.task import add_task, add_without, task_text

if TYPE_CHECKING:
    from sonde.answers.results import WhyAnswer

USAGE = "TASK SYMBOL [options]"
EXAMPLES = ('sonde why "retry a payment that timed out" PaymentClient.send',)


def configure(parser: CommandParser) -> None:
    """The task, the symbol, and what to leave out of the ranking."""
    add_task(parser)
    parser.add_argument("symbol", metavar="SYMBOL", help="plain or qualified name of a symbol")
    add_without(parser)


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Print the explanation; a symbol that is no candidate and not shown is "nothing found"."""
    task, without = task_text(arguments.task), frozenset(arguments.without)
    with engine_of(arguments, console) as engine:
        answer = answered(engine.why(task, arguments.symbol, without=without))
    note_freshness(answer, console)
    if arguments.json:
        named = {"contributions", "statistics"}
        fields = {name: pairs(getattr(answer, name)) for name in sorted(named)}
        console.json({**plain(answer), **fields})
    else:
        _print(answer, console)
    return FOUND if answer.rank or answer.section else NOTHING_FOUND


def _print(answer: WhyAnswer, console: Console) -> None:
    heading(console, f"{safe(answer.symbol.qualname)}  {safe(place(answer.symbol))}")
    if answer.rank:
        console.line(
            f"  rank {answer.rank} of {answer.candidates} candidates, score {answer.score:.3f}"
        )
    else:
        console.line(f"  not among the candidates, of which there are {answer.candidates}")
    if answer.section:
        console.line(f"  in the pack, under {safe(answer.section)}")
    if answer.kept_out:
        console.line(f"  not in the pack: {safe(answer.kept_out)}")
    if answer.evidence:
        console.line(console.paint("  proposed by", "cyan"))
        rows = [(each.channel, f"rank {each.rank}", each.reason) for each in answer.evidence]
        table(console, rows, 4, prose=True)
    _print_walk(answer, console)
    if answer.contributions:
        console.line(console.paint("  score", "cyan"))
        parts = [(name, f"{value:+.3f}") for name, value in answer.contributions if round(value, 3)]
        table(console, [*parts, ("sum", f"{answer.score:+.3f}")], 4)


def _print_walk(answer: WhyAnswer, console: Console) -> None:
    if not answer.seeds:
        return
    console.line(console.paint("  walk", "cyan"))
    wrapped(console, f"started from {', '.join(answer.seeds)}", 4)
    if answer.seed:
        console.line(f"    started here with weight {answer.seed:.2f}")
    console.line(f"    visited this symbol {answer.walked:.2f} as often as the most visited one")
    print_path(console, answer.path)
