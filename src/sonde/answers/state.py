"""The state of the index that a question is answered from, refreshed from disk."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from sonde.answers.quiet import Quiet
from sonde.discover import DiscoverRules, Walker
from sonde.frozen import frozen
from sonde.history.log import head_stamp
from sonde.history.refresh import COMMITS, refresh
from sonde.history.store import History, open_history
from sonde.retrieve.view import View
from sonde.store.database import open_for_reading
from sonde.store.errors import Problem, ProblemKind, StoreError
from sonde.store.index import Index
from sonde.store.location import Workspace, git_is_writing
from sonde.store.source import Stale
from sonde.sync.changes import Known, changes_seen_by
from sonde.sync.report import SyncReport
from sonde.sync.update import Synchronizer

if TYPE_CHECKING:
    from sonde.neural.models import Models

_PATIENCE = 2.0  # seconds that a question waits for another writer before it uses what is there
_FIRST_READ = 2.0  # seconds that the first question spends on the history
_FEW_COMMITS = 100  # new ones that a question reads, some 0.2 s; who learns reads any number
_WHOLE_READ = 120.0  # seconds that an explicit sync may
_MOST_READ = 1_000  # files that are compared by content when the index cannot be refreshed


@frozen
class State:
    """One generation, and which files on disk are newer than it."""

    view: View
    stale: tuple[str, ...] = ()

    @property
    def indexed_share(self) -> float:
        """Share of the files that the index holds; below 1 while the first one is built."""
        return self.view.index.share


class Freshness:
    """Keeps the newest generation open; a new one is opened only when there is one."""

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
        self._rules = rules
        self._synchronizer = sync
        self._models = models
        self._patient = patient  # a server's questions are not: it learns behind them
        self._view: View | None = None
        self._held: State | None = None
        buffers = () if workspace.overlay is None else (workspace.overlay,)
        self._quiet = Quiet(workspace.root, *buffers)
        self._listening = threading.Lock()
        self._armed = 0.0  # since when `_quiet` listens; a look that began later missed nothing
        self._round = 0  # of listening; notices heard in a later one are not this one's
        self._fresh = False  # whether the open view was the disk when `_quiet` was armed
        # Generation and the files that it lacks, while nothing changed since they were found:
        # questions during a long update would look at the whole disk one after the other.
        self._behind: tuple[int, tuple[str, ...]] | None = None
        self._walker = Walker(workspace.root, rules)
        self._excludes = 0
        self._history: History | None = None
        self._head: tuple[int, ...] = ()
        self._learned: tuple[int, ...] = ()  # the same, of the last history that was read whole

    def state(self) -> State | Problem:
        """The index as of now; what could not be refreshed is named, not hidden."""
        if self._held is not None:
            return self._held
        with self._listening:
            view = self._view
            excludes = _changed_at(self._rules.excludes_file)
            quiet = excludes == self._excludes and self._quiet.is_quiet()
            self._fresh = self._fresh and quiet
            self._behind = self._behind if quiet else None
            if self._fresh and view is not None:
                self._follow_history(view)
                return State(view)
            self._excludes = excludes
            self._round += 1
            now = self._round
            if not quiet:
                if view is not None:
                    # From the second question on: a process that asks one does not pay for it.
                    self._quiet.arm()
                self._armed = time.monotonic()
        report = self._synchronizer.sync(patience=_PATIENCE)
        if isinstance(report, SyncReport):
            opened = self._open(report.generation)
            with self._listening:
                whole = not isinstance(opened, Problem) and not report.failed
                self._fresh = view is not None and whole and now == self._round
            return opened if isinstance(opened, Problem) else State(opened)
        opened = self._open(None)
        if isinstance(opened, Problem):
            return report if opened.kind is ProblemKind.NO_INDEX else opened
        if opened.index.share < 1.0:
            return State(opened)
        return State(opened, self._not_refreshed(report, opened.index))

    def learn(self, stop: Callable[[], bool] = lambda: False) -> None:
        """Read all of the history that may speak; questions read only its newest part.

        With a connection of its own: it may run behind the questions.
        """
        stamp = head_stamp(self._workspace.root)
        if not stamp or stamp == self._learned:
            return
        history = open_history(self._workspace.history)
        if history is not None:
            if refresh(self._workspace.root, history, _WHOLE_READ, stop):
                self._learned = stamp
            history.close()

    def hold(self) -> Problem | None:
        """Answer the following questions from the present state, until `release`."""
        state = self.state()
        if isinstance(state, Problem):
            return state
        self._held = state
        return None

    @property
    def held(self) -> bool:
        """Whether questions are answered from one state for now."""
        return self._held is not None

    def release(self) -> None:
        """Look at the disk again before each question."""
        self._held = None

    def _open(self, generation: int | None) -> View | Problem:
        view = self._view
        if view is not None and view.index.generation == generation:
            self._follow_history(view)
            return view
        index = Index.open(self._workspace)
        if isinstance(index, Problem):
            return index
        if view is not None and view.index.generation == index.generation:
            index.close()
            return view
        self._drop_view()
        self._view = View(index, models=self._models)
        self._follow_history(self._view)
        return self._view

    def _follow_history(self, view: View) -> None:
        """Let the commits speak that led to what is checked out now."""
        stamp = head_stamp(self._workspace.root)
        if stamp != self._head or not stamp:
            self._head = stamp
            if stamp and self._history is None:
                self._history = open_history(self._workspace.history)
            if self._history is not None:
                seconds = 0.0 if self._history.head else _FIRST_READ
                most = COMMITS if self._patient else _FEW_COMMITS
                refresh(self._workspace.root, self._history, seconds, most=most)
        view.history = self._history if stamp else None

    def _not_refreshed(self, problem: Problem, index: Index) -> tuple[str, ...]:
        """Files that the disk has otherwise than the index."""
        if self._behind is not None and self._behind[0] == index.generation:
            return self._behind[1]
        known = (problem.doubtful, problem.gone)
        # A checkout changes files faster than one can look: what was found a moment ago says
        # enough, as nothing is shown from a file that is not as it was indexed.
        moving = git_is_writing(self._workspace.root)
        told = any(known) and (moving or problem.since >= self._armed)
        try:
            doubtful, gone = known if told else self._changed()
        except StoreError:
            return (problem.message,)
        if len(doubtful) <= _MOST_READ:  # times alone do not tell
            doubtful = tuple(
                path for path in doubtful if isinstance(index.source_bytes(path), Stale)
            )
        found = tuple(sorted({*doubtful, *gone}))
        self._behind = None if moving else (index.generation, found)
        return found

    def _changed(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Files that may have changed and those that are gone, by a look at the disk."""
        database = open_for_reading(self._workspace.database)
        try:
            root, overlay = self._workspace.root, self._workspace.overlay
            changes = changes_seen_by(self._walker, root, Known(database), overlay)
        finally:
            database.close()
        return tuple(file.path for file in changes.read), changes.gone

    def _drop_view(self) -> None:
        if self._view is not None:
            self._view.index.close()
            self._view = None

    def rest(self) -> None:
        """Hold less until the next question; none may be under way."""
        if self._view is not None:
            self._view.rest()
        if self._history is not None:
            self._history.rest()

    def close(self) -> None:
        """Release the open generation and stop listening."""
        self._held = None
        self._fresh = False
        self._quiet.close()
        self._drop_view()
        if self._history is not None:
            self._history.close()
            self._history = None
            self._head = ()


def _changed_at(path: Path | None) -> int:
    """When a file outside the root that decides what is indexed was last changed."""
    try:
        return path.stat().st_mtime_ns if path is not None else 0
    except OSError:
        return 0
