"""The state of the index that a question is answered from, refreshed from disk."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from sonde.answers.commits import Commits
from sonde.answers.look import Differing, Look
from sonde.answers.quiet import Quiet
from sonde.discover import DiscoverRules
from sonde.discover.stamp import Stamp, stamp_of
from sonde.frozen import frozen
from sonde.history.store import History, Unread
from sonde.retrieve.view import View
from sonde.store.database import meta, open_for_reading
from sonde.store.errors import Problem, ProblemKind, StoreError
from sonde.store.git_folder import git_is_writing
from sonde.store.index import Index
from sonde.store.location import Workspace
from sonde.store.source import Stale
from sonde.sync.report import SyncReport
from sonde.sync.update import Synchronizer

if TYPE_CHECKING:
    from sonde.neural.models import Models

_PATIENCE = 2.0  # seconds that a question waits for another writer before using what is there
_MOST_READ = 1_000  # files compared by content if the index cannot be refreshed
_LOOKED_AFTER = 0.35  # seconds after which a server's question no longer waits for a look
_LEAST_LOOK = 0.1  # seconds for a look, however long the wait for an update was
_LOOKING = "what else changed is being looked for"


@frozen
class State:
    """One generation, and which files on disk are newer than it."""

    view: View
    stale: tuple[str, ...] = ()

    @property
    def stale_count(self) -> int:
        """How many files are newer."""
        return len(self.stale)

    @property
    def indexed_share(self) -> float:
        """Share of the files that are indexed; below 1 while the first index is being built."""
        return self.view.index.share


class Freshness:
    """Keeps the newest generation open, and reopens only if there is a newer one."""

    def __init__(
        self,
        workspace: Workspace,
        rules: DiscoverRules,
        sync: Synchronizer,
        models: Models | None = None,
        *,
        patient: bool = True,
    ) -> None:
        self._workspace = workspace
        self._synchronizer = sync
        self._models = models
        self._patient = patient
        self._view: View | None = None
        self._held: State | None = None
        buffers = () if workspace.overlay is None else (workspace.overlay,)
        self._quiet = Quiet(workspace.root, *buffers)
        self._listening = threading.Lock()
        self._armed = 0.0  # since when `_quiet` listens; a look that began later missed nothing
        self._round = 0  # of listening; notices from a later round do not count for this one
        self._fresh = False  # whether the open view equalled the disk when `_quiet` was armed
        # A generation and the files it lacks, valid while nothing has changed since they were
        # found: otherwise each question during a long update would scan the whole disk.
        self._behind: tuple[int, tuple[str, ...]] | None = None
        self._last_behind: tuple[int, tuple[str, ...]] = (0, ())  # kept whatever changed since
        self._look = Look(workspace, rules)
        self._rule_stamps: tuple[Stamp, ...] = ()
        self._commits = Commits(workspace, patient=patient)

    def state(self) -> State | Problem:
        """The index as of now; files that could not be refreshed are named, not hidden."""
        if self._held is not None:
            return self._held
        began = time.monotonic()
        with self._listening:
            view = self._view
            # Some lie where `_quiet` does not listen: the user's excludes file, git's index.
            rule_stamps = tuple(map(stamp_of, self._synchronizer.consulted))
            quiet = rule_stamps == self._rule_stamps and self._quiet.is_quiet()
            self._fresh = self._fresh and quiet and view is not None and view.index.guarded
            self._behind = self._behind if quiet else None
            if self._fresh and view is not None:
                self._hear(view, self._commits.now())
                return State(view)
            self._rule_stamps = rule_stamps
            self._round += 1
            now = self._round
            if not quiet:
                if view is not None:
                    # From the second question on: a process that asks only one does not pay for it.
                    self._quiet.arm()
                self._armed = time.monotonic()
        report = self._synchronizer.sync(patience=_PATIENCE)
        if isinstance(report, SyncReport):
            opened = self._open(report.generation)
            with self._listening:
                whole = not isinstance(opened, Problem) and not report.failed
                self._fresh = view is not None and whole and now == self._round
            return opened if isinstance(opened, Problem) else State(opened)
        if report.kind is ProblemKind.NO_ROOT:  # what was there is no answer about what is
            return report
        opened = self._open(None)
        if isinstance(opened, Problem):
            return report if opened.kind is ProblemKind.NO_INDEX else opened
        if opened.index.share < 1.0:
            self._hear(opened, self._commits.now())
            return State(opened)
        return State(opened, self._not_refreshed(report, opened.index, began))

    def learn(self, stop: Callable[[], bool] = lambda: False) -> bool:
        """Read all of the usable history; questions read only its newest part."""
        return self._commits.learn(stop)

    def hold(self) -> Problem | None:
        """Answer the following questions from the current state, until `release`."""
        state = self.state()
        if isinstance(state, Problem):
            return state
        self._held = state
        return None

    @property
    def held(self) -> bool:
        """Whether questions are currently answered from one fixed state."""
        return self._held is not None

    def release(self) -> None:
        """Look at the disk again before each question."""
        self._held = None

    def _open(self, generation: int | None) -> View | Problem:
        """A generation that equals the disk, or for None the newest one."""
        view = self._view
        kept = view is not None and view.index.guarded
        if view is None or not kept or view.index.generation != (generation or self._newest()):
            index = Index.open(self._workspace)
            if isinstance(index, Problem):
                return index
            self._drop_view()
            self._view = view = View(index, models=self._models)
        self._hear(view, self._commits.now() if generation else self._commits.before())
        return view

    @staticmethod
    def _hear(view: View, commits: History | Unread | None) -> None:
        view.unread = commits if isinstance(commits, Unread) else None
        view.history = None if isinstance(commits, Unread) else commits

    def _newest(self) -> int:
        """The generation that `Index.open` would open, in a tenth of its time."""
        try:
            database = open_for_reading(self._workspace.database)
        except StoreError:
            return 0
        try:
            return meta(database, "generation")
        except sqlite3.Error:
            return 0
        finally:
            database.close()

    def _not_refreshed(self, problem: Problem, index: Index, began: float) -> tuple[str, ...]:
        """Files that differ between the disk and the index."""
        if self._behind is not None and self._behind[0] == index.generation:
            return self._behind[1]
        # A checkout changes files faster than they can be scanned. The last result is good enough,
        # as nothing is shown from a file that differs from its indexed content.
        moving = git_is_writing(self._workspace.root)
        try:
            found = self._differing(problem, moving, began)
        except StoreError:
            return (problem.message,)
        if found is None:
            generation, last = self._last_behind
            return (_LOOKING, *(last if generation == index.generation else ()))
        doubtful, gone = found
        if len(doubtful) <= _MOST_READ:  # times alone prove nothing
            doubtful = tuple(
                path for path in doubtful if isinstance(index.source_bytes(path), Stale)
            )
        behind = tuple(sorted({*doubtful, *gone}))
        self._last_behind = (index.generation, behind)
        self._behind = None if moving else self._last_behind
        return behind

    def _differing(self, problem: Problem, moving: bool, began: float) -> Differing | None:
        """The writer's findings if it looked after the last change, else a look's if in time."""
        told = Differing(problem.doubtful, problem.gone)
        if any(told) and (moving or problem.since >= self._armed):
            return told
        if self._patient:
            return self._look.since(self._armed, None)
        if problem.since >= self._armed:  # the writer itself is looking
            return None
        left = began + _LOOKED_AFTER - time.monotonic()
        return self._look.since(self._armed, max(_LEAST_LOOK, left))

    def _drop_view(self) -> None:
        if self._view is not None:
            self._view.index.close()
            self._view = None

    def rest(self) -> None:
        """Release memory until the next question; none may be in progress."""
        if self._view is not None:
            self._view.rest()
        self._commits.rest()
        self._look.rest()

    def close(self) -> None:
        """Release the open generation and stop listening."""
        self._held = None
        self._fresh = False
        self._quiet.close()
        self._drop_view()
        self._commits.close()
