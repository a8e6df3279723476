"""Every symbol of the workspace as a JSON line, by path and line.

Each line has name (qualified inside its file), kind, file, start_line,
end_line and signature.
"""

from __future__ import annotations

import argparse

from sonde.cli.console import Console
from sonde.cli.opening import engine_of
from sonde.cli.outcome import FOUND, NOTHING_FOUND, answered
from sonde.cli.parser import CommandParser
from sonde.cli.plain import definition
from sonde.model import FileKind, Kind, SymbolRecord

USAGE = "[options]"
EXAMPLES = ("sonde symbols", "sonde symbols --repo ../other --modules")


def configure(parser: CommandParser) -> None:
    """--modules."""
    parser.add_argument(
        "--modules", action="store_true", help="include the module that each code file is"
    )


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Print the lines."""
    found = False
    with engine_of(arguments, console) as engine:
        for record in answered(engine.symbols()):
            if record.kind is Kind.MODULE and not (arguments.modules and _is_code(record)):
                continue
            console.json(definition(record))
            found = True
    return FOUND if found else NOTHING_FOUND


def _is_code(record: SymbolRecord) -> bool:
    return record.file_kind not in (FileKind.TEXT, FileKind.CONFIG)
