"""Bring the index up to date with the disk.

Only what changed is read again. Questions do this by themselves; run it to
have the first index ready, or to see what changed.
"""

from __future__ import annotations

import argparse

from sonde.cli.console import Console, counted, duration, safe
from sonde.cli.opening import engine_of
from sonde.cli.outcome import FOUND, NOTHING_FOUND, answered
from sonde.cli.parser import CommandParser

USAGE = "[options]"
EXAMPLES = ("sonde index", "sonde index --repo ../other --json")
_SHOWN = 5  # names of each sort


def configure(parser: CommandParser) -> None:
    """Nothing beyond what all commands take."""


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Sync and tell what was done; nothing found is a workspace without a file to index."""
    with engine_of(arguments, console) as engine:
        report = answered(engine.sync())
        root = str(engine.root)
    groups = (("added", report.added), ("modified", report.modified), ("deleted", report.deleted))
    if report.notice:
        console.note(report.notice)
    if arguments.json:
        console.json(
            {
                "root": root,
                "files": report.files,
                **{name: list(paths) for name, paths in groups},
                "failed": list(report.failed),
                "seconds": round(report.seconds, 3),
            }
        )
    else:
        changes = [f"{len(paths):,} {name}" for name, paths in groups if paths]
        console.line(
            f"{safe(root)}: {counted(report.files, 'file')} indexed,"
            f" {', '.join(changes) or 'nothing changed'} ({duration(report.seconds)})"
        )
        for name, paths in groups:
            if 0 < len(paths) <= _SHOWN:
                console.line(f"  {name}: {', '.join(safe(path) for path in paths)}")
        if report.failed:
            some = ", ".join(safe(path) for path in report.failed[:_SHOWN])
            console.line(f"  could not be read: {some} (see 'sonde status')")
    return FOUND if report.files else NOTHING_FOUND
