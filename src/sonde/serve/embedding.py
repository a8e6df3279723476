"""Embedding behind the questions: after each sync, files in use first."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sonde.engine import Engine

_CLOSING = 5.0  # seconds; a file is finished first


class BackgroundEmbedding:
    """One thread. A sync while it works makes it begin again, with what is in use by then."""

    def __init__(self, engine: Callable[[], Engine], recent: Collection[str]) -> None:
        self._engine = engine
        self._recent = recent  # paths, the last used one at the end
        self._wanted = threading.Event()
        self._ending = False
        self._thread: threading.Thread | None = None

    def wake(self) -> None:
        """The index may hold something new."""
        self._wanted.set()
        if self._thread is None and not self._ending:
            self._thread = threading.Thread(target=self._work, name="embedding", daemon=True)
            self._thread.start()

    def _work(self) -> None:
        while True:
            self._wanted.wait()
            if self._ending:
                return
            self._wanted.clear()
            self._engine().embed(first=list(self._recent)[::-1], stop=self._wanted.is_set)

    def close(self) -> None:
        """End the thread."""
        self._ending = True
        self._wanted.set()
        if self._thread is not None:
            self._thread.join(_CLOSING)
