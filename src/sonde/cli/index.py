"""Bring the index up to date with the disk.

Only what changed is read again. Questions do this by themselves; run it to
have the first index ready, or to see what changed. The history of the
repository is read afterwards; the index can be asked before that is done.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from sonde.cli.console import Console, counted, duration, safe
from sonde.cli.opening import engine_of
from sonde.cli.outcome import FOUND, NOTHING_FOUND, answered
from sonde.cli.parser import CommandParser

if TYPE_CHECKING:
    from sonde.sync.report import SyncReport

USAGE = "[options]"
EXAMPLES = ("sonde index", "sonde index --repo ../other --json")
_SHOWN = 5  # names of each sort


def configure(parser: CommandParser) -> None:
    """No arguments of its own."""


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Sync and say what was done; a workspace without files to index is "nothing found"."""
    with engine_of(arguments, console) as engine:
        report = answered(engine.sync())
        _tell(report, str(engine.root), arguments.json, console)
        engine.learn()
    return FOUND if report.files else NOTHING_FOUND


def _tell(report: SyncReport, root: str, as_json: bool, console: Console) -> None:
    groups = (("added", report.added), ("modified", report.modified), ("deleted", report.deleted))
    if report.notice:
        console.note(report.notice)
    if as_json:
        console.json(
            {
                "root": root,
                "files": report.files,
                **{name: list(paths) for name, paths in groups},
                "failed": list(report.failed),
                "unlinked": list(report.unlinked),
                "seconds": round(report.seconds, 3),
            }
        )
        return
    changes = [f"{len(paths):,} {name}" for name, paths in groups if paths]
    console.line(
        f"{safe(root)}: {counted(report.files, 'file')} indexed,"
        f" {', '.join(changes) or 'nothing changed'} ({duration(report.seconds)})"
    )
    for name, paths in groups:
        if 0 < len(paths) <= _SHOWN:
            console.line(f"  {name}: {', '.join(safe(path) for path in paths)}")
    for what, paths in (("read", report.failed), ("linked", report.unlinked)):
        if paths:
            some = ", ".join(safe(path) for path in paths[:_SHOWN])
            console.line(f"  could not be {what}: {some} (see 'sonde status')")
