"""A synchronizer that works behind the questions: they wait a moment for it, not for its end."""

from __future__ import annotations

import threading
import time
from collections.abc import Collection
from contextlib import suppress
from typing import Any

from sonde.history.log import head_stamp
from sonde.store.database import meta, open_for_reading
from sonde.store.errors import Problem, ProblemKind, StoreError
from sonde.store.git_folder import git_is_writing
from sonde.store.location import Workspace
from sonde.sync.report import Progress, ProgressCallback, SyncReport, silent
from sonde.sync.update import Synchronizer

_QUESTIONS_WAIT = 0.3  # seconds; a branch switch must not block a question for over a second
_HOPELESS_WAIT = 0.02
_IDLE, _MOST_DELAY = 0.5, 5.0  # seconds without a sync before one that is in no hurry, at most
_EDIT_WAIT = 4.0  # seconds more when only a few files changed, and not by a checkout: whoever
# asks sees their own edits
_SWITCH_WAIT = 0.3  # seconds after a checkout for a few files, or for the list of all of them
_FEW = 50
_FIRST_WAIT = 10.0  # seconds for the first part of an index, before there is anything to answer
_LOOK = 0.1  # seconds between looks for that part
_CLOSING = 1.0


class _Ending(Exception):
    """The round is given up; what it has written becomes visible to nobody."""


class BackgroundSync(Synchronizer):
    """Runs each sync in its own thread; everyone who asks meanwhile shares the next round."""

    _renews_at_once = False  # but when nobody has asked for a moment
    _behind_questions = True

    def __init__(
        self,
        listener: ProgressCallback,
        first: Collection[str],
        workspace: Workspace,
        *arguments: Any,
        **options: Any,
    ) -> None:
        super().__init__(workspace, *arguments, **options)
        self.first = first
        self._place = workspace
        self._turn = threading.Condition()
        self._wanted = self._started = self._finished = 0
        self._result: SyncReport | Problem = Problem(ProblemKind.BUSY, "no sync has run yet")
        self._began = self._ended = 0.0  # when the last round did
        self._total = 0  # files of the running sync, as far as known
        self._checked_out: tuple[int, ...] | None = None  # when the last finished round began
        self._thread: threading.Thread | None = None
        self._ending = False
        self._listeners = [listener]

    @property
    def running(self) -> bool:
        """Whether a sync is under way."""
        return self._started > self._finished

    def sync(
        self, progress: ProgressCallback | None = None, patience: float | None = None
    ) -> SyncReport | Problem:
        """The result of a sync that began after this call, or BUSY when patience ran out.

        A caller that names neither progress nor patience, as the watch does, is in no hurry:
        while questions sync by themselves, its rounds would only get in their way.
        """
        if progress is None and patience is None:
            self._wait_until_idle()
        progress = progress or silent
        self._listeners.append(progress)
        try:
            return self._await(patience)
        finally:
            self._listeners.remove(progress)

    def _await(self, patience: float | None) -> SyncReport | Problem:
        with self._turn:
            ticket = self._started + 1
            self._wanted = max(self._wanted, ticket)
            self._start()
            self._turn.notify_all()
            if patience is None:
                self._turn.wait_for(lambda: self._finished >= ticket or self._ending)
            elif not self._finished_within(ticket, min(patience, self._moment()), or_large=True):
                self._wait_on(ticket)
            if self._finished >= ticket:
                return self._result
            behind, since = (self.behind, self._began) if self.running else (None, 0.0)
        doubtful = tuple(file.path for file in behind.read) if behind is not None else ()
        gone = behind.gone if behind is not None else ()
        message = "the index is being brought up to date: ask again"
        return Problem(ProblemKind.BUSY, message, doubtful, gone, since)

    def _wait_until_idle(self) -> None:
        deadline = time.monotonic() + _MOST_DELAY
        with self._turn:
            while self._finished and not self._ending and time.monotonic() < deadline:
                idle = 0.0 if self.running else time.monotonic() - self._ended
                if idle >= _IDLE:
                    return
                self._turn.wait(_IDLE - idle)

    def _moment(self) -> float:
        """How long a question waits at first: hardly, when a large update runs or is due."""
        large = self.running and self._total > _FEW
        return _HOPELESS_WAIT if large or self._switched() else _QUESTIONS_WAIT

    def _switched(self) -> bool:
        """Whether git is checking out another commit, or has since the last round looked."""
        root = self._place.root
        return git_is_writing(root) or self._checked_out not in (None, head_stamp(root))

    def _wait_on(self, ticket: int) -> None:
        """Longer for an edit of a few files, and while there is nothing to answer from."""
        began = time.monotonic()
        while (waited := time.monotonic() - began) < _FIRST_WAIT:
            patience = _EDIT_WAIT
            if self._switched():  # then for a round that sees all of it, until it says how much
                patience = _SWITCH_WAIT if self._started >= ticket else 0.0
            small = self._total <= _FEW and waited < patience
            if not small and self._has_part():
                return
            self.awaited = True
            moment = min(_LOOK, patience - waited) if small else _LOOK
            if self._finished_within(ticket, moment, or_large=small):
                return

    def _finished_within(self, ticket: int, seconds: float, *, or_large: bool) -> bool:
        """Wait for the end of a round, or with `or_large` until it is known to have many files."""

        def over() -> bool:
            return self._finished >= ticket or self._ending

        def large() -> bool:
            return or_large and self._started >= ticket and self._total > _FEW

        self._turn.wait_for(lambda: over() or large(), seconds)
        return over()

    def _has_part(self) -> bool:
        """Whether there is any generation to answer from."""
        try:
            database = open_for_reading(self._place.database)
        except StoreError:
            return False
        try:
            return bool(meta(database, "generation"))
        except Exception:  # the tables are being made at this moment
            return False
        finally:
            database.close()

    def _start(self) -> None:
        if self._thread is None:
            name = f"sync {self._place.root.name}"
            self._thread = threading.Thread(target=self._work, name=name, daemon=True)
            self._thread.start()

    def _work(self) -> None:
        while True:
            with self._turn:
                self._turn.wait_for(self._is_wanted)
                if self._ending:
                    break
                self._started += 1
                self._began = time.monotonic()
                self._total = 0
                self.behind = None
            checked_out = head_stamp(self._place.root)
            result = self._attempt()
            with self._turn:
                self._result = result
                self._checked_out = checked_out
                self._ended = time.monotonic()
                self._finished = self._started
                self._turn.notify_all()
            self._prepare()
            if self._idle_for(_IDLE):
                with suppress(Exception):  # an error must not end the thread
                    self.renew(self._is_wanted)
                self._prepare()
        super().close()  # whoever ended us may have stopped waiting for a long round

    def _prepare(self) -> None:
        with suppress(StoreError):  # none can be had; the next edit will say so
            self._pool.prepare()

    def _is_wanted(self) -> bool:
        return self._wanted > self._started or self._ending

    def _idle_for(self, seconds: float) -> bool:
        with self._turn:
            return not self._turn.wait_for(self._is_wanted, seconds)

    def _attempt(self) -> SyncReport | Problem:
        try:
            return super().sync(self._tell)
        except Exception as error:  # an error costs this round, not the thread
            said = f"{type(error).__name__}: {error}".splitlines()[0][:200]
            return Problem(ProblemKind.BUSY, f"the index could not be updated: {said}")

    def _tell(self, progress: Progress) -> None:
        if self._ending:
            raise _Ending  # whoever closes does not wait for a long round
        if progress.total > _FEW >= self._total:
            with self._turn:
                self._total = progress.total
                self._turn.notify_all()  # nobody needs to wait for this one
        self._total = progress.total
        for listener in list(self._listeners):
            listener(progress)

    def close(self) -> None:
        """End the thread and the workers."""
        with self._turn:
            self._ending = True
            self._turn.notify_all()
            thread = self._thread
        if thread is not None and thread is not threading.current_thread():
            thread.join(_CLOSING)
        if thread is None or not thread.is_alive():
            super().close()
