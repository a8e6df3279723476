"""Whose turn it is: places are given in the order in which they were asked for."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager


class Turn:
    """A plain lock can be retaken by whoever runs, so that questions would overtake each other."""

    def __init__(self, places: int = 1) -> None:
        self._lock = threading.Lock()
        self._left = places
        self._waiting: deque[threading.Lock] = deque()

    @contextmanager
    def taken(self) -> Iterator[None]:
        """Wait for the turn and have it."""
        self._take(first=False)
        try:
            yield
        finally:
            self._pass_on()

    @contextmanager
    def given_up(self) -> Iterator[None]:
        """Let others have the turn meanwhile; afterwards be the next to get it."""
        self._pass_on()
        try:
            yield
        finally:
            self._take(first=True)

    def _take(self, *, first: bool) -> None:
        with self._lock:
            if self._left:
                self._left -= 1
                return
            mine = threading.Lock()
            mine.acquire()
            if first:
                self._waiting.appendleft(mine)
            else:
                self._waiting.append(mine)
        mine.acquire()  # released by whoever passes the turn on

    def _pass_on(self) -> None:
        with self._lock:
            if self._waiting:
                self._waiting.popleft().release()
            else:
                self._left += 1
