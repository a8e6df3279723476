"""Let the chosen embedding model read what it has not read yet.

Questions can then find symbols by it. A running server does this by itself,
behind the questions. Interrupted, it continues where it was. The model is
chosen by SONDE_EMBEDDING_MODEL (see 'sonde model --help').
"""

from __future__ import annotations

import argparse
import time

from sonde.cli.console import Console, counted, duration, safe
from sonde.cli.opening import engine_of
from sonde.cli.outcome import FOUND, NOTHING_FOUND, answered
from sonde.cli.parser import CommandParser
from sonde.cli.progress import ProgressBar

USAGE = "[options]"
EXAMPLES = ("sonde embed", "sonde embed --repo ../other --json")


def configure(parser: CommandParser) -> None:
    """No arguments of its own."""


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Sync, embed and say how much; a workspace without functions or types is "nothing found"."""
    began = time.monotonic()
    with engine_of(arguments, console) as engine:
        if engine.embeds:  # otherwise it would be reported only after a long index
            answered(engine.sync())
        if arguments.quiet or arguments.json:
            done, total, new = answered(engine.embed())
        else:
            bar = ProgressBar(console.errors)
            try:
                done, total, new = answered(engine.embed(bar))
            finally:
                bar.end()
        root = str(engine.root)
    if arguments.json:
        console.json({"root": root, "embedded": done, "symbols": total, "new": new})
    else:
        seconds = duration(time.monotonic() - began)
        share = f"{done:,} of {counted(total, 'symbol')}"
        console.line(f"{safe(root)}: {share} embedded, {new:,} of them new ({seconds})")
    return FOUND if total else NOTHING_FOUND
