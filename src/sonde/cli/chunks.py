"""Files in chunks as JSON lines, to be embedded or read alone.

Code by functions and methods, types (a header with the signatures of members)
and top-level statements; Markdown and reStructuredText by heading;
configuration by key. What is longer than about 1,000 tokens is divided. Each
line has file, language, kind, name, start_line, end_line, context (imports it
uses, owner and signature), text, and tokens, which counts the text.
"""

from __future__ import annotations

import argparse

from sonde.cli.console import Console
from sonde.cli.opening import engine_of, files_of, settings_of
from sonde.cli.outcome import FOUND, NOTHING_FOUND, answered, note_freshness
from sonde.cli.parser import CommandParser
from sonde.cli.plain import plain
from sonde.cli.task import add_tokenizer

USAGE = "FILE… [options]"
EXAMPLES = ("sonde chunks src/db/client.py", "sonde chunks docs/guide.md pyproject.toml")


def configure(parser: CommandParser) -> None:
    """FILE… and --tokenizer."""
    parser.add_argument("files", metavar="FILE", nargs="+", help="files of the workspace")
    add_tokenizer(parser)


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Print the lines."""
    _, settings = settings_of(arguments)
    tokenizer = arguments.tokenizer or settings.tokenizer
    with engine_of(arguments, console) as engine:
        answer = answered(engine.chunks(files_of(arguments), tokenizer=tokenizer))
    note_freshness(answer, console)
    for chunk in answer.chunks:
        console.json(plain(chunk))
    return FOUND if answer.chunks else NOTHING_FOUND
