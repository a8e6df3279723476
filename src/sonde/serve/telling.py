"""Tells a client how far indexing has come: for its token, and as a log line now and then."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sonde.serve.workspaces import Workspaces

Notify = Callable[[str, dict[str, Any]], None]
_EVERY = 0.5  # seconds between notifications for a token
_LOG_EVERY = 5.0
_VERBS = {"extract": "reading", "link": "linking"}


class ProgressTeller:
    """Looks at the workspaces twice a second while somebody wants to know."""

    def __init__(self, workspaces: Workspaces, notify: Notify) -> None:
        self._workspaces = workspaces
        self._notify = notify
        self._tokens: dict[str | int, int] = {}  # with the number last told
        self._lock = threading.Lock()
        self._end = threading.Event()
        self._thread: threading.Thread | None = None
        self.quiet = False

    def start(self) -> None:
        """Begin to look; ends by itself when all is indexed and no token waits."""
        with self._lock:
            if self._thread is None and not self._end.is_set():
                self._thread = threading.Thread(target=self._look, name="progress", daemon=True)
                self._thread.start()

    def listen(self, token: str | int) -> Callable[[], None]:
        """Notify under a token until the returned function is called."""
        with self._lock:
            self._tokens[token] = 0
        self.start()

        def done() -> None:
            with self._lock:
                self._tokens.pop(token, None)

        return done

    def stop(self) -> None:
        """Say nothing more."""
        self._end.set()

    def _look(self) -> None:
        logged = 0.0
        idle = 0
        while not self._end.wait(_EVERY if idle or logged else 0.1):
            states = [served.health() for served in self._workspaces.all()]
            busy = [state for state in states if state.indexing and state.total]
            if busy:
                done = sum(state.done for state in busy)
                total = sum(state.total for state in busy)
                message = f"{_VERBS.get(busy[0].stage, 'indexing')} {done} of {total} files"
                self._tell_tokens(busy[0].stage, done, total, message)
                if not self.quiet and time.monotonic() - logged > _LOG_EVERY:
                    logged = time.monotonic()
                    self._log(message)
            elif logged:
                self._log("the index is complete")
                logged = 0.0
            idle = 0 if busy else idle + 1
            with self._lock:
                if idle > 4 and not self._tokens:
                    self._thread = None
                    return

    def _log(self, text: str) -> None:
        params = {"level": "info", "logger": "index", "data": text}
        self._notify("notifications/message", params)

    def _tell_tokens(self, stage: str, done: int, total: int, message: str) -> None:
        """Progress must increase with each notification, so linking counts behind extracting."""
        at = done + total if stage == "link" else done
        with self._lock:
            waiting = [token for token, told in self._tokens.items() if told < at]
            for token in waiting:
                self._tokens[token] = at
        for token in waiting:
            params = {"progressToken": token, "progress": at, "total": 2 * total}
            self._notify("notifications/progress", {**params, "message": message})
