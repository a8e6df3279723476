"""Delete the index of the workspace.

Only files that Sonde wrote into the cache folder are deleted. The next
question builds the index again.
"""

from __future__ import annotations

import argparse

from sonde.cli.console import Console, safe
from sonde.cli.opening import engine_of
from sonde.cli.outcome import FOUND, answered
from sonde.cli.parser import CommandParser

USAGE = "[options]"
EXAMPLES = ("sonde forget", "sonde forget --repo ../other")


def configure(parser: CommandParser) -> None:
    """No arguments of its own."""


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Forget; an index that does not exist is forgotten already."""
    with engine_of(arguments, console) as engine:
        answered(engine.forget())
        root = str(engine.root)
    if arguments.json:
        console.json({"root": root, "forgotten": True})
    else:
        console.line(f"{safe(root)}: index deleted")
    return FOUND
