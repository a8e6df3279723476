"""Tidying up after work: once it has been quiet for a while, and not before."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

_QUIET = 15.0  # seconds


class Tidying:
    """Calls `tidy` when nothing was done for a while, and again as long as it returns True."""

    def __init__(self, tidy: Callable[[], bool]) -> None:
        self._tidy = tidy
        self._lock = threading.Lock()
        self._done = 0.0  # when something was last done
        self._timer: threading.Timer | None = None
        self._closed = False

    def later(self) -> None:
        """Note that something was done."""
        with self._lock:
            self._done = time.monotonic()
            if self._timer is None:
                self._wait(_QUIET)

    def close(self) -> None:
        """Stop for good."""
        with self._lock:
            self._closed = True
            if self._timer is not None:
                self._timer.cancel()

    def _wait(self, seconds: float) -> None:
        if not self._closed:
            self._timer = threading.Timer(seconds, self._look)
            self._timer.daemon = True
            self._timer.start()

    def _look(self) -> None:
        with self._lock:
            left = self._done + _QUIET - time.monotonic()
            if left > 0:
                self._wait(left)
                return
        more = self._tidy()
        with self._lock:
            self._timer = None
            if more or self._done + _QUIET > time.monotonic():
                self._wait(_QUIET)
