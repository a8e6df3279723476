"""Keep the index up to date until stopped with Ctrl-C.

Prints a line for each change. Answers are up to date without it; it only makes
the next one quicker.
"""

from __future__ import annotations

import argparse
import threading
from concurrent.futures import ThreadPoolExecutor, wait
from typing import TYPE_CHECKING

from sonde.cli.console import Console, counted, duration, safe
from sonde.cli.opening import engine_of
from sonde.cli.outcome import FOUND, answered
from sonde.cli.parser import CommandParser
from sonde.cli.plain import plain
from sonde.store.errors import Problem, ProblemKind

if TYPE_CHECKING:
    from sonde.sync.report import SyncReport
    from sonde.sync.watch import Watched

USAGE = "[options]"
EXAMPLES = ("sonde watch", "sonde watch --json")
_NAMED = 3
_ATTENTION = 0.5  # seconds
_WAITS = ProblemKind.BUSY  # ends by itself


def configure(parser: CommandParser) -> None:
    """No arguments of its own."""


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Sync after every change, until interrupted."""
    stop = threading.Event()
    teller = _Teller(arguments, console, stop)

    def work() -> None:
        with engine_of(arguments, console, lasting=True) as engine:
            answered(engine.watch(stop, teller.tell) or teller.failed)

    # Not in the main thread, where waiting for events would swallow Ctrl-C. That thread wakes now
    # and then to hear of it: the system may hand the signal to another, which does not wake it.
    with ThreadPoolExecutor(1) as worker:
        try:
            working = worker.submit(work)
            while not wait([working], _ATTENTION).done:
                pass
            working.result()
        finally:
            stop.set()
    return FOUND


class _Teller:
    """Prints what each sync did, and when events stop or come back.

    What cannot be indexed at all ends the watch; what fails later may come back.
    """

    def __init__(
        self, arguments: argparse.Namespace, console: Console, stop: threading.Event
    ) -> None:
        self.failed: Problem | None = None
        self._stop = stop
        self._json = arguments.json
        self._console = console
        self._greeted = False
        self._trouble = ""

    def tell(self, watched: Watched) -> None:
        result = watched.result
        if isinstance(result, Problem) and not self._greeted and result.kind is not _WAITS:
            self.failed = result
            self._stop.set()
            return
        trouble = result.message if isinstance(result, Problem) else watched.degraded
        if trouble != self._trouble:
            self._console.note(trouble or "all is well again")
            self._trouble = trouble
        if not isinstance(result, Problem):
            self._tell_report(result)
        self._console.out.flush()

    def _tell_report(self, report: SyncReport) -> None:
        if not self._greeted and not self._json:
            files = counted(report.files, "file")
            self._console.line(f"watching: {files} indexed (Ctrl-C ends)")
        self._greeted = True
        if not report.changed:
            return
        if self._json:
            self._console.json(plain(report))
        else:
            self._console.line(f"{_changes(report)} ({duration(report.seconds)})")


def _changes(report: SyncReport) -> str:
    parts = []
    groups = (("added", report.added), ("modified", report.modified), ("deleted", report.deleted))
    for name, paths in groups:
        if paths:
            some = ", ".join(safe(path) for path in paths[:_NAMED])
            rest = f" and {len(paths) - _NAMED:,} more" if len(paths) > _NAMED else ""
            parts.append(f"{name} {some}{rest}")
    return "; ".join(parts) or "relinked"
