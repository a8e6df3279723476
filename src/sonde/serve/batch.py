"""Events collected until they are worth a sync."""

from __future__ import annotations

import threading
from collections.abc import Callable

BATCH_FILES, BATCH_SECONDS = 100, 5.0


class Batch:
    """Collects events; the sync they ask for begins after 100 files or 5 seconds.

    No question waits for it: each looks at the disk itself.
    """

    def __init__(self, sync: Callable[[], None]) -> None:
        self._sync = sync
        self._paths: set[str] = set()
        self._lock = threading.Lock()
        self._timer: threading.Timer | None = None

    def add(self, path: str) -> None:
        """Note a changed file."""
        with self._lock:
            self._paths.add(path)
            if self._timer is None:
                self._timer = threading.Timer(BATCH_SECONDS, self._flush)
                self._timer.daemon = True
                self._timer.start()
            full = len(self._paths) >= BATCH_FILES
        if full:
            self._flush()

    @property
    def waiting(self) -> int:
        """Files whose sync has not begun."""
        return len(self._paths)

    def _flush(self) -> None:
        with self._lock:
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None
            if not self._paths:
                return
            self._paths.clear()
        self._sync()
