"""The commits usable as evidence: the ancestors of the checkout, followed as it changes."""

from __future__ import annotations

import threading
from collections.abc import Callable

from sonde.history.log import head_stamp
from sonde.history.refresh import refresh
from sonde.history.store import History, open_history
from sonde.store.location import Workspace

_FIRST_READ = 2.0  # seconds that the first question spends on the history
_FEW_COMMITS = 100  # new ones that a question reads, some 0.2 s; `learn` reads any number
_WHOLE_READ = 120.0  # seconds that an explicit sync may spend
# Seconds that a server's question waits for git to say what is checked out: three processes, 30
# ms on a quiet machine, 0.9 s while an index is being updated.
_MOMENT = 0.15
_CLOSING = 5.0


class Commits:
    """The history of one workspace as questions see it."""

    def __init__(self, workspace: Workspace, *, patient: bool) -> None:
        self._workspace = workspace
        self._patient = patient  # not for a server's questions: it learns in the background
        self._history: History | None = None
        self._head: tuple[int, ...] = ()
        self._learned: tuple[int, ...] = ()  # the same, for the last history that was read in full
        self._following: threading.Thread | None = None

    def now(self) -> History | None:
        """The commits of the checkout; None if there are none, or git takes too long to answer."""
        stamp = head_stamp(self._workspace.root)
        if not stamp:
            return None
        if self._following is None and stamp != self._head:
            self._history = self._history or open_history(self._workspace.history)
            if self._history is not None:  # else the next question tries again
                self._head = stamp
                self._follow(self._history)
        return self._history if self._is_free() else None

    def before(self) -> History | None:
        """The commits of the checkout as of the last call, for an index that is also behind."""
        return self._history if self._is_free() else None

    def learn(self, stop: Callable[[], bool]) -> bool:
        """Read all of the usable history; questions read only its newest part.

        Uses its own connection, since it may run in the background. False if `stop` ended it.
        """
        stamp = head_stamp(self._workspace.root)
        if not stamp or stamp == self._learned:
            return True
        history = open_history(self._workspace.history)
        if history is None:
            return True
        whole = refresh(self._workspace.root, history, _WHOLE_READ, stop)
        history.close()
        if whole:
            self._learned = stamp
        return whole or not stop()

    def _follow(self, history: History) -> None:
        root, first = self._workspace.root, not history.head
        seconds = _FIRST_READ if first else 0.0
        if self._patient:
            refresh(root, history, seconds)
            return
        self._following = threading.Thread(
            target=refresh,
            args=(root, history, seconds),
            kwargs={"most": _FEW_COMMITS},
            name="commits",
            daemon=True,
        )
        self._following.start()
        if first:
            self._following.join(_FIRST_READ)

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
