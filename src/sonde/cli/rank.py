"""The symbols and files that matter for a task, best first.

With --batch, each line {"id", "query"} of a file is answered by one JSON line
{"id", "symbols", "files", "ms"}, and with --stages by {"stages"} as well.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from sonde.answers.results import RankAnswer, Refusal
from sonde.cli.console import Console, safe
from sonde.cli.layout import place, table
from sonde.cli.opening import engine_of
from sonde.cli.outcome import FOUND, NOTHING_FOUND, Failure, answered, note_freshness
from sonde.cli.parser import CommandParser, whole_number
from sonde.cli.task import add_task, add_without, task_text, text_of

if TYPE_CHECKING:
    from sonde.model import Ranked

USAGE = "TASK | --batch FILE.jsonl [options]"
EXAMPLES = (
    'sonde rank "retry a payment that timed out" --limit 10',
    "sonde rank --batch tasks.jsonl --limit 50 --json",
)
_MOST = 1000


def configure(parser: CommandParser) -> None:
    """One task or a file of them."""
    add_task(parser, optional=True)
    parser.add_argument(
        "--batch", metavar="FILE", help='lines {"id", "query"}, each answered by a JSON line'
    )
    parser.add_argument(
        "--limit",
        metavar="N",
        type=whole_number(1, _MOST),
        default=50,
        help="at most so many symbols and files (default: 50)",
    )
    parser.add_argument(
        "--stages", action="store_true", help="with JSON, add the milliseconds of each stage"
    )
    add_without(parser)


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Rank one task, or a whole batch after one look at the disk."""
    if (arguments.task is None) == (arguments.batch is None):
        raise Failure("give one of TASK or --batch (see 'sonde rank --help')")
    without = frozenset(arguments.without)
    if arguments.batch is not None:
        return _run_batch(arguments, console, without)
    with engine_of(arguments, console) as engine:
        answer = answered(engine.rank(task_text(arguments.task), arguments.limit, without))
    note_freshness(answer, console)
    if arguments.json:
        console.json(_as_json(answer, arguments))
    else:
        rows = [_row(number, ranked) for number, ranked in enumerate(answer.ranked, 1)]
        table(console, rows, prose=True)
        if not rows:
            console.line("nothing found: try other words or names")
    return FOUND if answer.ranked else NOTHING_FOUND


def _run_batch(arguments: argparse.Namespace, console: Console, without: frozenset[str]) -> int:
    tasks = list(_tasks(arguments.batch))  # a bad line is reported before the work begins
    found = False
    with engine_of(arguments, console) as engine, engine.hold() as problem:
        if problem is not None:
            raise Failure(problem.message)
        for id, query in tasks:
            answer = engine.rank(query, arguments.limit, without)
            if isinstance(answer, Refusal):  # one bad question does not cost the others
                console.note(f"{id}: {answer.message}")
                answer = RankAnswer((), (), 0.0)
            ranking = answered(answer)
            console.json({"id": id, **_as_json(ranking, arguments)})
            found = found or bool(ranking.ranked)
    return FOUND if found else NOTHING_FOUND


def _tasks(source: str) -> Iterator[tuple[Any, str]]:
    for number, line in enumerate(text_of(source).split("\n"), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
            yield row["id"], row["query"] + ""
        except (ValueError, TypeError, KeyError, RecursionError):
            where = "standard input" if source == "-" else safe(source)
            raise Failure(f'{where}, line {number}: not an object {{"id", "query"}}') from None


def _as_json(answer: RankAnswer, arguments: argparse.Namespace) -> dict[str, Any]:
    """An answer as the batch prints it."""
    symbols = [
        {
            "name": ranked.symbol.qualname,
            "file": ranked.symbol.file,
            "start_line": ranked.symbol.start_line,
            "end_line": ranked.symbol.end_line,
            "kind": ranked.symbol.kind.value,
            "score": round(ranked.score, 6),
        }
        for ranked in answer.ranked
    ]
    shown: dict[str, Any] = {
        "symbols": symbols,
        "files": list(answer.files[: arguments.limit]),
        "ms": round(answer.ms, 3),
    }
    if arguments.stages:
        shown["stages"] = {
            name.removesuffix(" ms"): round(value, 3)
            for name, value in answer.statistics
            if name.endswith(" ms")
        }
    return shown


def _row(number: int, ranked: Ranked) -> tuple[str, ...]:
    symbol = ranked.symbol
    why = ranked.evidence[0].reason if ranked.evidence else ""
    return (
        f"{number:3}",
        f"{ranked.score:.3f}",
        symbol.kind.value,
        symbol.qualname,
        place(symbol),
        why,
    )
