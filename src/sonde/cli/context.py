"""What a task, some files or a pull request needs, within a token budget.

Prints definitions, source, imports, tests and callers, each with the reason
it is there. The answer never exceeds the budget, counted by the tokenizer.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from sonde.cli.console import Console
from sonde.cli.opening import engine_of, files_of, settings_of
from sonde.cli.outcome import FOUND, NOTHING_FOUND, Failure, answered, note_freshness
from sonde.cli.parser import CommandParser
from sonde.cli.task import add_change, add_task, add_tokenizer, add_without, patch_of, task_text
from sonde.pack.request import FORMAT_NAMES
from sonde.pack.tokens import load_ahead

if TYPE_CHECKING:
    from sonde.answers.results import Answer
    from sonde.answers.results import Failure as AnswerFailure
    from sonde.config import Settings
    from sonde.engine import Engine

USAGE = "TASK | --files FILE… | --pr BASE..HEAD | --diff FILE [options]"
EXAMPLES = (
    'sonde context "fix the crash in DatabaseClient.connect when the URL is empty"',
    "sonde context --files src/db/client.py --budget 4000",
    "sonde context --pr main..HEAD --format markdown",
    "git diff | sonde context --diff -",
)


def configure(parser: CommandParser) -> None:
    """The four ways to ask, and how the answer looks."""
    add_task(parser, optional=True)
    parser.add_argument("--files", metavar="FILE", nargs="+", help="files to be worked on")
    add_change(parser, "to be reviewed")
    parser.add_argument(
        "--budget",
        metavar="TOKENS",
        type=int,
        help="largest number of tokens of the answer (default: 8000)",
    )
    parser.add_argument(
        "--format",
        metavar="FORMAT",
        choices=FORMAT_NAMES,
        default=FORMAT_NAMES[0],
        help=f"{', '.join(FORMAT_NAMES)} (default: xml)",
    )
    add_tokenizer(parser)
    add_without(parser)


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Ask the one question that was given and print the rendered pack."""
    given = [
        name for name in ("task", "files", "pr", "diff") if getattr(arguments, name) is not None
    ]
    if len(given) != 1:
        raise Failure("give one of TASK, --files, --pr or --diff (see 'sonde context --help')")
    if arguments.without and arguments.task is None:
        raise Failure("--without goes with TASK: only a task is ranked by rules")
    _, settings = settings_of(arguments)
    load_ahead(arguments.tokenizer or settings.tokenizer)  # runs beside all that is imported now
    with engine_of(arguments, console) as engine:
        answer = answered(_ask(engine, arguments, settings))
    for note in answer.notes:
        console.note(note)
    note_freshness(answer.pack, console)
    console.document(answer.text)
    return FOUND if any(section.items for section in answer.pack.sections) else NOTHING_FOUND


def _ask(
    engine: Engine, arguments: argparse.Namespace, settings: Settings
) -> Answer | AnswerFailure:
    options: dict[str, Any] = {
        "budget": settings.budget if arguments.budget is None else arguments.budget,
        "format": "json" if arguments.json else arguments.format,
        "tokenizer": arguments.tokenizer or settings.tokenizer,
    }
    if arguments.files:
        return engine.for_files(files_of(arguments), **options)
    if arguments.pr is not None:
        return engine.for_pr(range=arguments.pr, **options)
    if arguments.diff is not None:
        return engine.for_pr(patch=patch_of(arguments.diff), **options)
    without = frozenset(arguments.without)
    return engine.for_task(task_text(arguments.task), **options, without=without)
