"""Sync: make the index equal to the disk."""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from sonde.discover import DiscoverRules, Walker
from sonde.store.database import indexed_files, meta, open_for_reading, store_errors
from sonde.store.errors import Problem, ProblemKind, StoreError
from sonde.store.generation import remove_facts, remove_index
from sonde.store.index import Index
from sonde.store.location import Workspace
from sonde.store.lock import writer_lock
from sonde.sync.changes import Changes, Known, changes_seen_by
from sonde.sync.layout import FORMAT
from sonde.sync.report import ProgressCallback, SyncReport, silent
from sonde.sync.sighted import Sighted

# Writing needs the linker and the workers; most questions find that nothing has changed.
if TYPE_CHECKING:
    from sonde.sync.open_index import OpenIndex
    from sonde.sync.pool import Pool

_PATIENCE = 600.0  # seconds to wait for another writer, which may be building its first index
_REPAIRABLE = frozenset({ProblemKind.CORRUPT, ProblemKind.CORRUPT_FACTS})


class Synchronizer:
    """Keeps one workspace's index fresh; holds what makes the next sync quick."""

    _renews_at_once = True  # a worn full text; else its owner calls `renew`
    _behind_questions = False  # whether others are answered meanwhile

    def __init__(
        self,
        workspace: Workspace,
        rules: DiscoverRules | None = None,
        workers: int = 0,
        patience: float = _PATIENCE,
    ) -> None:
        self._workspace = workspace
        self._rules = rules or DiscoverRules()
        self._patience = patience
        self._walker = Walker(workspace.root, self._rules)
        self._looked = False  # whether the walker has walked
        self._thorough = False  # whether an unchanged index is read as a whole
        self._workers = workers or os.cpu_count() or 1
        self._index: OpenIndex | None = None
        self.first: Collection[str] = ()  # paths to read before others, as they are in use
        self.awaited = False  # whether a question waits for the first part of an index
        self.consulted: tuple[str, ...] = ()  # files that told the last look what to leave out
        self.behind: Changes | None = None  # what the running sync brings up to date
        self._one_at_a_time = threading.Lock()

    @cached_property
    def _pool(self) -> Pool:
        from sonde.sync.pool import Pool

        workspace = self._workspace
        start = (
            str(workspace.root),
            str(workspace.facts),
            self._rules.max_file_bytes,
            str(workspace.overlay or ""),
        )
        return Pool(start, self._workers, behind=self._behind_questions)

    def sync(
        self, progress: ProgressCallback = silent, patience: float | None = None
    ) -> SyncReport | Problem:
        """Bring the index up to date with the disk; errors come back as a `Problem`.

        `patience` is how many seconds to wait for another writer this time; questions have
        little. Without it an unchanged index is read as a whole, as a byte that flipped in a
        mapped array would go unnoticed otherwise.
        """
        began = time.monotonic()
        self._thorough = patience is None
        patience = self._patience if patience is None else patience
        with self._one_at_a_time:
            try:
                return self._sync(progress, began, patience)
            except StoreError as error:
                problem = error.problem
            if problem.kind not in _REPAIRABLE:
                return problem
            try:
                self._remove_damaged(problem, patience)
                report = self._sync(progress, began, patience)
            except StoreError as error:
                return error.problem
            return replace(report, notice=f"{problem.message}; it was rebuilt")

    def _sync(self, progress: ProgressCallback, began: float, patience: float) -> SyncReport:
        try:
            with store_errors(self._workspace.database):
                if self._index is None:
                    report = self._unchanged(began)
                    if report is not None:
                        return report
                with writer_lock(self._workspace.lock, patience):
                    return self._write(progress, began)
        except BaseException:
            self._drop_index()  # half-written state must not reach the next generation
            self._close_pool()  # nor answers that nobody took the next sync
            raise

    def _unchanged(self, began: float) -> SyncReport | None:
        """A report without taking the lock, when a complete index equals the disk."""
        if not _is_ready(self._workspace.database):
            return None
        database = open_for_reading(self._workspace.database)
        try:
            generation = meta(database, "generation")
            if not self._is_unchanged(database):
                return None
            found = indexed_files(database)
        finally:
            database.close()
        index = Index.open(self._workspace)
        if isinstance(index, Problem):  # the tables are sound, but not what belongs to them
            raise StoreError(index.kind, index.message)
        try:
            if self._thorough:
                index.check()
        finally:
            index.close()
        return SyncReport(generation, found, seconds=time.monotonic() - began)

    def _is_unchanged(self, database: sqlite3.Connection) -> bool:
        """Whether the index equals the disk.

        The first look of a process compares with what the last process saw. Later looks walk
        again, for which the walker remembers more.
        """
        sighted = None
        if not self._looked and self._workspace.overlay is None:
            sighted = Sighted(self._workspace, self._rules, database)
            sighting = sighted.holding()
            if sighting is not None:
                self.consulted = tuple(sighting.rules)
                return True
        self._looked = True
        changes = self._changes(Known(database))
        if not changes.none:
            return False
        if sighted is not None:
            sighted.keep(self._walker)
        return True

    def _write(self, progress: ProgressCallback, began: float) -> SyncReport:
        from sonde.sync.edit import apply_edit
        from sonde.sync.first import build_first
        from sonde.sync.open_index import OpenIndex
        from sonde.sync.renew import renew

        if self._index is not None and not self._index.is_current():
            self._drop_index()
        if self._index is None:
            self._index = OpenIndex(self._workspace, self._pool)
        index = self._index
        changes = self._changes(index.known).starting_with(self.first)
        self.behind = changes
        if not index.complete:
            return build_first(index, changes, progress, began, lambda: self.awaited)
        if changes.none:
            seconds = time.monotonic() - began
            files = indexed_files(index.database)
            return SyncReport(index.generation, files, seconds=seconds)
        report = apply_edit(index, changes, progress, began)
        if self._renews_at_once and renew(index, _never):
            seconds = time.monotonic() - began
            report = replace(report, generation=index.generation, seconds=seconds)
        return report

    def renew(self, stop: Callable[[], bool]) -> None:
        """Rewrite a worn full text, as long as `stop` allows it and nobody else writes."""
        from sonde.sync.renew import renew

        with self._one_at_a_time:
            index = self._index
            if index is None:
                return
            try:
                with store_errors(self._workspace.database), writer_lock(self._workspace.lock, 0.0):
                    if index.is_current():
                        renew(index, stop)
            except StoreError:
                self._drop_index()  # the next sync will notice and report what is wrong

    def _changes(self, known: Known) -> Changes:
        workspace = self._workspace
        changes = changes_seen_by(self._walker, workspace.root, known, workspace.overlay)
        self.consulted = self._walker.consulted()
        return changes

    def _remove_damaged(self, problem: Problem, patience: float) -> None:
        """Make room for a fresh start; facts are kept if they are sound."""
        self._close_pool()
        with writer_lock(self._workspace.lock, patience):
            remove_index(self._workspace)
            if problem.kind is ProblemKind.CORRUPT_FACTS:
                remove_facts(self._workspace)

    def _drop_index(self) -> None:
        if self._index is not None:
            self._index.close()
            self._index = None

    def rest(self) -> None:
        """Hold less until the next edit, unless one is under way."""
        if self._one_at_a_time.acquire(blocking=False):
            try:
                if self._index is not None:
                    self._index.rest()
                    if self._index.fulltext_has_grown:
                        self._reopen_fulltext(self._index)
            finally:
                self._one_at_a_time.release()

    def _reopen_fulltext(self, index: OpenIndex) -> None:
        place = self._workspace
        # Whatever the obstacle, the old writer continues and the next sync reports it.
        with suppress(StoreError), store_errors(place.database), writer_lock(place.lock, 0.0):
            if index.is_current():
                index.reopen_fulltext()

    def close(self) -> None:
        """End the workers and release all files."""
        self._drop_index()
        self._close_pool()

    def _close_pool(self) -> None:
        if "_pool" in self.__dict__:
            self._pool.close()


def sync(
    workspace: Workspace,
    rules: DiscoverRules | None = None,
    progress: ProgressCallback = silent,
    workers: int = 0,
) -> SyncReport | Problem:
    """Bring a workspace's index up to date once."""
    synchronizer = Synchronizer(workspace, rules, workers)
    try:
        return synchronizer.sync(progress)
    finally:
        synchronizer.close()


def _never() -> bool:
    return False


def _is_ready(path: Path) -> bool:
    """Whether there is a complete index of this version to compare with."""
    if not path.is_file():
        return False
    try:
        database = open_for_reading(path)
        try:
            return bool(meta(database, "complete")) and meta(database, "format") == FORMAT
        finally:
            database.close()
    except (StoreError, sqlite3.Error):
        return False
