"""Embedding behind the questions: after each sync, files in use first."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection
from typing import TYPE_CHECKING

from sonde.store.errors import Problem, ProblemKind

if TYPE_CHECKING:
    from sonde.engine import Engine

_CLOSING = 5.0  # seconds; about once a second it checks whether to stop
_AGAIN = 30.0  # seconds until it looks whether another process that embeds has left something


class BackgroundEmbedding:
    """One thread. A sync while it works makes it start over, with what is in use by then."""

    def __init__(self, engine: Callable[[], Engine], recent: Collection[str]) -> None:
        self._engine = engine
        self._recent = recent  # paths, the last used one at the end
        self._wanted = threading.Event()
        self._newest = self._embedded = 0  # generations: of the last sync, and embedded as a whole
        self._ending = False
        self._elsewhere = False  # another process was embedding
        self._thread: threading.Thread | None = None

    def wake(self, generation: int) -> None:
        """Note that the index has reached a generation."""
        if generation == self._embedded or self._ending:
            return
        self._newest = generation
        self._wanted.set()
        if self._thread is None:
            thread = threading.Thread(target=self._work, name="embedding", daemon=True)
            thread.start()
            self._thread = thread  # known once it runs: who closes waits for its end

    def _work(self) -> None:
        while True:
            self._wanted.wait(_AGAIN if self._elsewhere else None)
            if self._ending:
                return
            self._wanted.clear()
            generation = self._newest
            if self._whole():
                self._embedded = generation

    def _whole(self) -> bool:
        """Embed what is missing; returns whether nothing is missing any more."""
        try:
            done = self._engine().embed(first=list(self._recent)[::-1], stop=self._wanted.is_set)
        except Exception:  # an error costs this round, not the thread: the next sync tries again
            return False
        self._elsewhere = isinstance(done, Problem) and done.kind is ProblemKind.BUSY
        return not isinstance(done, Problem) and done.done == done.total

    def close(self) -> None:
        """End the thread."""
        self._ending = True
        self._wanted.set()
        if self._thread is not None:
            self._thread.join(_CLOSING)
