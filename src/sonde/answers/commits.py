"""The commits usable as evidence: the ancestors of the checkout, followed as it changes."""

from __future__ import annotations

import threading
from collections.abc import Callable

from sonde.history.log import head_stamp
from sonde.history.refresh import COMMITS, refresh
from sonde.history.store import History, Unread, open_history
from sonde.store.generation import remove_history
from sonde.store.location import Workspace

_FIRST_READ = 2.0  # seconds that the first question spends on the history
_FEW_COMMITS = 100  # new ones that a question reads, some 0.2 s; `learn` reads any number
_WHOLE_READ = 120.0  # seconds that an explicit sync may spend
# Seconds that a server's question waits for git to say what is checked out: three processes, 30
# ms on a quiet machine, 0.9 s while an index is being updated.
_MOMENT = 0.15
_CLOSING = 5.0
_READING = Unread("the commits are still being read", reading=True)


class Commits:
    """The history of one workspace as questions see it."""

    def __init__(self, workspace: Workspace, *, patient: bool) -> None:
        self._workspace = workspace
        self._patient = patient  # not for a server's questions: it learns in the background
        self._history: History | None = None
        self._head: tuple[int, ...] = ()
        self._learned: tuple[int, ...] = ()  # the same, for the last history that was read in full
        self._following: threading.Thread | None = None
        self._unread: Unread | None = None  # why the last attempt to follow the checkout failed

    def now(self) -> History | Unread | None:
        """The commits of the checkout; None where there is no git, or why they cannot be told."""
        stamp = head_stamp(self._workspace.root)
        if not stamp:
            return None
        if self._following is None and stamp != self._head:
            self._head = stamp
            self._follow()
        if not self._is_free():
            return _READING
        if (unread := self._unread) is not None:
            self._start_over(unread)  # the next question tries again
            return unread
        return self._history

    def before(self) -> History | None:
        """The commits of the checkout as of the last call, for an index that is also behind."""
        return self._history if self._is_free() and self._unread is None else None

    def learn(self, stop: Callable[[], bool]) -> bool:
        """Read all of the usable history; questions read only its newest part.

        Uses its own connection, since it may run in the background. False if `stop` ended it.
        """
        stamp = head_stamp(self._workspace.root)
        if not stamp or stamp == self._learned:
            return True
        history = open_history(self._workspace.history)
        if isinstance(history, Unread):
            return True
        read = refresh(self._workspace.root, history, _WHOLE_READ, stop)
        history.close()
        if isinstance(read, Unread):
            if read.damaged:
                remove_history(self._workspace)
            return True
        if read:
            self._learned = stamp
        return read or not stop()

    def _follow(self) -> None:
        """Open the history if need be, and bring it to the commit that is checked out."""
        history = self._history or open_history(self._workspace.history)
        self._unread = None
        if isinstance(history, Unread):
            self._unread = history
            return
        self._history = history
        first = not history.head
        seconds = _FIRST_READ if first else 0.0
        if self._patient:
            self._read(history, seconds)
            return
        self._following = threading.Thread(
            target=self._read, args=(history, seconds, _FEW_COMMITS), name="commits", daemon=True
        )
        self._following.start()
        if first:
            self._following.join(_FIRST_READ)

    def _read(self, history: History, seconds: float, most: int = COMMITS) -> None:
        read = refresh(self._workspace.root, history, seconds, most=most)
        self._unread = read if isinstance(read, Unread) else None

    def _start_over(self, unread: Unread) -> None:
        self.close()
        if unread.damaged:
            remove_history(self._workspace)

    def _is_free(self) -> bool:
        """Whether nobody else is using the history; waits a moment for it."""
        if self._following is not None:
            self._following.join(_MOMENT)
            if self._following.is_alive():
                return False
            self._following = None
        return True

    def rest(self) -> None:
        """Release memory until the next question."""
        if self._history is not None and self._following is None:
            self._history.rest()

    def close(self) -> None:
        """Release the file."""
        if self._following is not None:
            self._following.join(_CLOSING)
            self._following = None
        if self._history is not None:
            self._history.close()
            self._history = None
        self._head = ()
        self._unread = None
