"""Keep the index up to date until stopped with Ctrl-C.

Prints a line for each change. Questions are up to date without it; it only
makes the next one quicker.
"""

from __future__ import annotations

import argparse
import time

from sonde.cli.console import Console, counted, duration, safe
from sonde.cli.opening import synced, unsynced_engine_of
from sonde.cli.parser import CommandParser
from sonde.cli.plain import plain
from sonde.sync.report import SyncReport

USAGE = "[options]"
EXAMPLES = ("sonde watch", "sonde watch --json")
_PAUSE = 1.0  # seconds between looks at the disk
_NAMED = 3


def configure(parser: CommandParser) -> None:
    """Nothing beyond what all commands take."""


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Sync again and again; ends by interruption only."""
    with unsynced_engine_of(arguments) as engine:
        report = synced(engine, arguments, console)
        if not arguments.json:
            files = counted(report.files, "file")
            console.line(f"watching {safe(str(engine.root))}: {files} indexed (Ctrl-C ends)")
        while True:
            _tell(report, arguments, console)
            console.out.flush()
            time.sleep(_PAUSE)
            report = synced(engine, arguments, console)


def _tell(report: SyncReport, arguments: argparse.Namespace, console: Console) -> None:
    if not report.changed:
        return
    if arguments.json:
        console.json(plain(report))
        return
    groups = (("added", report.added), ("modified", report.modified), ("deleted", report.deleted))
    parts = []
    for name, paths in groups:
        if paths:
            some = ", ".join(safe(path) for path in paths[:_NAMED])
            rest = f" and {len(paths) - _NAMED} more" if len(paths) > _NAMED else ""
            parts.append(f"{name} {some}{rest}")
    console.line(f"{'; '.join(parts) or 'relinked'} ({duration(report.seconds)})")
