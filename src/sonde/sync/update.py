"""Sync: make the index equal to the disk."""

from __future__ import annotations

import os
import time
from pathlib import Path

from sonde.discover import DiscoverRules
from sonde.store.database import meta, open_for_reading, store_errors
from sonde.store.errors import Problem, ProblemKind, StoreError
from sonde.store.generation import remove_index
from sonde.store.location import Workspace
from sonde.store.lock import writer_lock
from sonde.sync.changes import Known, find_changes
from sonde.sync.edit import apply_edit
from sonde.sync.first import build_first
from sonde.sync.pool import Pool
from sonde.sync.report import Progress, ProgressCallback, SyncReport
from sonde.sync.session import FORMAT, Session

_PATIENCE = 600.0  # seconds to wait for another writer, which may be at its first index


def _silent(_: Progress) -> None:
    pass


class Synchronizer:
    """Keeps one workspace's index fresh; holds what makes the next sync quick."""

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
        start = (
            str(workspace.root),
            str(workspace.facts),
            str(workspace.database),
            self._rules.max_file_bytes,
        )
        self._pool = Pool(start, workers or os.cpu_count() or 1)
        self._session: Session | None = None

    def sync(self, progress: ProgressCallback = _silent) -> SyncReport | Problem:
        """Bring the index up to date with the disk; errors come back as a `Problem`."""
        began = time.monotonic()
        try:
            report = self._sync(progress, began)
        except StoreError as error:
            self._drop_session()
            if error.problem.kind is not ProblemKind.CORRUPT:
                return error.problem
            return self._rebuild(progress, began, error.problem)
        return report

    def _sync(self, progress: ProgressCallback, began: float) -> SyncReport:
        if self._session is None and _is_ready(self._workspace.database):
            database = open_for_reading(self._workspace.database)
            try:
                generation = meta(database, "generation")
                changes = find_changes(self._workspace.root, self._rules, Known(database))
            finally:
                database.close()
            if changes.none:
                return SyncReport(generation, changes.found, seconds=time.monotonic() - began)
        with writer_lock(self._workspace.lock, self._patience):
            if self._session is not None and not self._session.is_current():
                self._drop_session()
            if self._session is None:
                self._session = Session(self._workspace, self._pool)
            session = self._session
            changes = find_changes(self._workspace.root, self._rules, session.known)
            with store_errors(self._workspace.database):
                if not session.complete:
                    return build_first(session, changes, progress, began)
                if changes.none:
                    seconds = time.monotonic() - began
                    return SyncReport(session.generation, changes.found, seconds=seconds)
                return apply_edit(session, changes, progress, began)

    def _rebuild(
        self, progress: ProgressCallback, began: float, problem: Problem
    ) -> SyncReport | Problem:
        """Start over after damage: the facts are kept, so nothing has to be parsed again."""
        try:
            with writer_lock(self._workspace.lock, self._patience):
                remove_index(self._workspace)
            report = self._sync(progress, began)
        except StoreError as error:
            self._drop_session()
            return error.problem
        return SyncReport(
            **{
                **{name: getattr(report, name) for name in report.__slots__},
                "notice": f"{problem.message}; it was rebuilt",
            }
        )

    def _drop_session(self) -> None:
        if self._session is not None:
            self._session.close()
            self._session = None

    def close(self) -> None:
        """End the workers and release all files."""
        self._drop_session()
        self._pool.close()


def sync(
    workspace: Workspace,
    rules: DiscoverRules | None = None,
    progress: ProgressCallback = _silent,
    workers: int = 0,
) -> SyncReport | Problem:
    """Bring a workspace's index up to date once."""
    synchronizer = Synchronizer(workspace, rules, workers)
    try:
        return synchronizer.sync(progress)
    finally:
        synchronizer.close()


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
    except Exception:
        return False
