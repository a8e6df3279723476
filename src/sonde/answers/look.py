"""A scan of the disk that questions share, and that none waits for longer than allowed.

While thousands of files are being reindexed the machine is busy, and a walk over django takes
0.2 s of CPU time and up to 2 s of wall time. Without sharing, each question would make its own.
"""

from __future__ import annotations

import threading
import time
from typing import NamedTuple

from sonde.discover import DiscoverRules, KnownFile, Walker
from sonde.store.database import meta, open_for_reading
from sonde.store.location import Workspace
from sonde.sync.changes import Known, changes_seen_by


class Differing(NamedTuple):
    """How the disk differs from the index."""

    doubtful: tuple[str, ...]  # differ in size or time
    gone: tuple[str, ...]


class Look:
    """Compares the disk with the newest generation, in a thread of its own."""

    def __init__(self, workspace: Workspace, rules: DiscoverRules) -> None:
        self._workspace = workspace
        self._rules = rules
        self._walker: Walker | None = None  # dropped at rest
        self._known: tuple[int, Known] | None = None  # by generation
        self._met: dict[str, KnownFile] = {}  # changed files that need not be read again
        self._turn = threading.Condition()
        self._running = False
        self._wanted = 0.0
        self._began = 0.0  # start of the look whose result we have
        self._found: Differing | Exception | None = None

    def since(self, moment: float, seconds: float | None) -> Differing | None:
        """The result of a look that began at this moment or later; None if it takes too long."""
        with self._turn:
            self._wanted = max(self._wanted, moment)
            if self._began < moment and not self._running:
                self._running = True
                threading.Thread(target=self._work, name="look", daemon=True).start()
            self._turn.wait_for(lambda: self._began >= moment, seconds)
            found = self._found if self._began >= moment else None
        if isinstance(found, Exception):
            raise found
        return found

    def rest(self) -> None:
        """Forget the disk until the next look: for django that frees 5 MB, and looks are rare."""
        with self._turn:
            if not self._running:
                self._walker = self._known = None
                self._met.clear()

    def _work(self) -> None:
        while True:
            began = time.monotonic()
            found: Differing | Exception
            try:
                found = self._compare()
            except Exception as error:  # reported by the question that asked
                found = error
            with self._turn:
                self._found, self._began = found, began
                self._turn.notify_all()
                self._running = self._wanted > began
                if not self._running:
                    return

    def _compare(self) -> Differing:
        root, overlay = self._workspace.root, self._workspace.overlay
        known = self._newest()
        walker = self._walker = self._walker or Walker(root, self._rules)
        changes = changes_seen_by(walker, root, known, overlay, self._met)
        self._met = {
            file.path: KnownFile(file.size, file.mtime_ns, file.language, file.kind)
            for file in changes.read
        }
        return Differing(tuple(file.path for file in changes.read), changes.gone)

    def _newest(self) -> Known:
        database = open_for_reading(self._workspace.database)
        try:
            generation = meta(database, "generation")
            if self._known is None or self._known[0] != generation:
                self._known = (generation, Known(database))
            return self._known[1]
        finally:
            database.close()
