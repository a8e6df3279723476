"""Small real workspaces, synced by real workers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from shop_workspace import FILES, write

from sonde.store.location import Workspace, workspace
from sonde.sync.report import SyncReport
from sonde.sync.update import Synchronizer


@pytest.fixture
def shop(tmp_path: Path) -> Workspace:
    """A workspace with a handful of files, not yet indexed."""
    write(tmp_path / "root", FILES)
    return workspace(tmp_path / "root", tmp_path / "cache")


@pytest.fixture
def synced() -> Iterator[Callable[[Workspace], SyncReport]]:
    """Syncs a workspace, in one warm synchronizer a workspace, and fails on a problem."""
    open_ones: dict[Path, Synchronizer] = {}

    def sync_now(place: Workspace) -> SyncReport:
        if place.root not in open_ones:
            open_ones[place.root] = Synchronizer(place, workers=2)
        report = open_ones[place.root].sync()
        assert isinstance(report, SyncReport), report
        return report

    yield sync_now
    for each in open_ones.values():
        each.close()
