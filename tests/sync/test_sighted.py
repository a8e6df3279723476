"""A process that only asks compares the disk with what the last one saw."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from shop_workspace import opened

from sonde.discover import DiscoverRules
from sonde.store.generation import remove_index
from sonde.store.location import Workspace
from sonde.sync.report import SyncReport
from sonde.sync.update import Synchronizer

_TICK = 0.02  # seconds


@pytest.fixture
def listed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Folders of the workspace that are listed, while times are trusted at once."""
    monkeypatch.setattr("sonde.discover.stamp._RACY_NS", 0)
    found: list[str] = []
    scandir = os.scandir

    def noted(path: str) -> Iterator[os.DirEntry[str]]:
        if f"{os.sep}root" in str(path):
            found.append(str(path))
        return scandir(path)

    monkeypatch.setattr(os, "scandir", noted)
    return found


def _ask(place: Workspace, rules: DiscoverRules | None = None) -> SyncReport:
    """What a new process does before its answer."""
    synchronizer = Synchronizer(place, rules, workers=1)
    try:
        report = synchronizer.sync()
    finally:
        synchronizer.close()
    assert isinstance(report, SyncReport), report
    return report


@pytest.fixture
def seen(
    shop: Workspace, synced: Callable[[Workspace], SyncReport], listed: list[str]
) -> Workspace:
    """A workspace that is indexed, and was seen to be unchanged."""
    for path in shop.root.rglob("*"):
        os.utime(path, ns=(1, 10**18))  # long ago: their times are trusted
    time.sleep(_TICK)
    synced(shop)
    _ask(shop)
    assert shop.sighting.is_file()
    listed.clear()
    return shop


def test_an_unchanged_workspace_is_not_walked(seen: Workspace, listed: list[str]) -> None:
    report = _ask(seen)
    assert not listed
    assert (report.generation, report.files) == (opened(seen).generation, 6)


def _add(root: Path) -> None:
    (root / "shop/tax.py").write_text("def tax(): ...\n")


def _change(root: Path) -> None:
    (root / "shop/price.py").write_text("def grand_total(items):\n    return 0\n")


def _remove(root: Path) -> None:
    (root / "shop/price.py").unlink()


def _ignore(root: Path) -> None:
    (root / ".gitignore").write_text("price.py\n")


@pytest.mark.parametrize("edit", [_add, _change, _remove, _ignore])
def test_each_edit_is_seen_by_the_next_process(
    seen: Workspace, edit: Callable[[Path], None]
) -> None:
    before = _ask(seen).generation
    edit(seen.root)
    assert _ask(seen).generation > before


def test_other_rules_are_another_look(seen: Workspace) -> None:
    assert _ask(seen, DiscoverRules(ignore=("price.py",))).files == 5


def test_a_damaged_note_costs_a_walk(seen: Workspace, listed: list[str]) -> None:
    seen.sighting.write_bytes(b"torn")
    assert _ask(seen).files == 6
    assert listed


def test_who_forgets_the_index_forgets_what_was_seen(seen: Workspace) -> None:
    remove_index(seen)
    assert not seen.sighting.exists()
