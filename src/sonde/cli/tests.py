"""Which tests cover some files, commits or a diff.

Found by resolved calls, imports and names. Prints the tests, the commands that
run them, and what cannot be known.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from typing import TYPE_CHECKING

from sonde.cli.console import Console, counted, safe
from sonde.cli.layout import heading, table
from sonde.cli.opening import engine_of, files_of, from_here
from sonde.cli.outcome import FOUND, NOTHING_FOUND, Failure, answered, note_freshness
from sonde.cli.parser import CommandParser
from sonde.cli.plain import plain
from sonde.cli.task import add_change, patch_of

if TYPE_CHECKING:
    from sonde.answers.results import TestCase, TestsAnswer

USAGE = "--files FILE… | --pr BASE..HEAD | --diff FILE [options]"
EXAMPLES = (
    "sonde tests --files src/db/client.py",
    "sonde tests --pr main..HEAD --print command",
    "git diff main | sonde tests --diff - --print command",
)
_PRINTS = ("all", "paths", "nodes", "command")


def configure(parser: CommandParser) -> None:
    """What changed, and what to print."""
    parser.add_argument("--files", metavar="FILE", nargs="+", help="files that change")
    add_change(parser, "to be tested")
    parser.add_argument(
        "--print",
        metavar="WHAT",
        choices=_PRINTS,
        default="all",
        help=f"{', '.join(_PRINTS)}: one per line for scripts (default: all, with reasons)",
    )


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Print the tests."""
    given = [name for name in ("files", "pr", "diff") if getattr(arguments, name) is not None]
    if len(given) != 1:
        raise Failure("give one of --files, --pr or --diff (see 'sonde tests --help')")
    diff = arguments.pr if arguments.diff is None else patch_of(arguments.diff)
    with engine_of(arguments, console) as engine:
        answer = answered(engine.tests(files=files_of(arguments), diff=diff))
    note_freshness(answer, console)
    if arguments.json:
        console.json(plain(answer))
        return FOUND if answer.tests else NOTHING_FOUND
    commands = tuple(from_here(arguments, command) for command in answer.commands)
    answer = replace(answer, commands=commands)
    if arguments.print == "all":
        _print_all(answer, console)
    else:
        nodes = tuple(test.node for test in answer.tests)
        lines = {"paths": answer.files, "nodes": nodes, "command": answer.commands}
        for line in lines[arguments.print]:
            console.line(safe(line))
    return FOUND if answer.tests else NOTHING_FOUND


def _print_all(answer: TestsAnswer, console: Console) -> None:
    if not answer.tests:
        console.line("no test is known to cover this")
    else:
        heading(console, f"tests ({len(answer.tests)} in {counted(len(answer.files), 'file')})")
    table(console, [_row(test) for test in answer.tests], 2, prose=True)
    if answer.commands:
        heading(console, "run")
    for command in answer.commands:
        console.line(f"  {safe(command)}")
    if answer.unknown:
        heading(console, "not known")
    for unknown in answer.unknown:
        console.line(f"  {safe(unknown)}")


def _row(test: TestCase) -> tuple[str, ...]:
    where = "" if test.node.startswith(test.file) else f"{test.file}:{test.line}"
    return test.node, where, f"{test.confidence:.2f}", test.reason
