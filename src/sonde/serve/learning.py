"""Older history is read behind the questions; a question itself reads only the newest part."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sonde.engine import Engine

_CLOSING = 5.0  # seconds; after every thousand commits it checks whether to stop
_LOOK = 0.1  # seconds between looks whether an update is over


class BackgroundLearning:
    """One thread at a time, after a sync and beside none, until all that may speak is read.

    Reading the commits of django takes 4 s of Python and 5 of git, for which questions would
    wait during a branch switch.
    """

    def __init__(self, engine: Callable[[], Engine], syncing: Callable[[], bool]) -> None:
        self._engine = engine
        self._syncing = syncing
        self._ending = threading.Event()
        self._thread: threading.Thread | None = None

    def wake(self) -> None:
        """New commits may be there; a thread that is reading takes them, or the next one does."""
        if self._ending.is_set() or (self._thread is not None and self._thread.is_alive()):
            return
        thread = threading.Thread(target=self._work, name="history", daemon=True)
        thread.start()
        self._thread = thread  # known once it runs: who closes waits for its end

    def _work(self) -> None:
        with suppress(Exception):  # an error costs this round: the next sync tries again
            learned = False
            while not learned and not self._ending.is_set():
                while self._syncing() and not self._ending.wait(_LOOK):
                    pass
                learned = self._engine().learn(self._is_in_the_way)
        self._thread = None

    def _is_in_the_way(self) -> bool:
        return self._ending.is_set() or self._syncing()

    def close(self) -> None:
        """End the thread."""
        self._ending.set()
        if (thread := self._thread) is not None:
            thread.join(_CLOSING)
