"""A byte that flipped in the index: seen by who writes or looks, repaired with one line."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from sonde.cli.doctor import _opens
from sonde.config import Settings
from sonde.discover import DiscoverRules
from sonde.engine import Engine
from sonde.store.dump import dump
from sonde.store.errors import Problem
from sonde.store.index import Index
from sonde.store.location import Workspace, workspace
from sonde.sync.report import SyncReport
from sonde.sync.update import Synchronizer, sync

ARRAYS = ("columns.start_line", "incoming.other", "outgoing.line", "outgoing.relation")


@pytest.fixture
def place(tmp_path: Path) -> Workspace:
    root = tmp_path / "root"
    root.mkdir()
    (root / "price.py").write_text("def total(items):\n    return round(sum(items))\n")
    (root / "cart.py").write_text("from price import total\n\ndef pay(items):\n    total(items)\n")
    found = workspace(root, tmp_path / "cache")
    assert isinstance(sync(found), SyncReport)
    return found


def flip(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.unlink()  # who has it mapped keeps it
    path.write_bytes(data)


def array_file(place: Workspace, name: str) -> Path:
    (path,) = (each for each in place.arrays.glob(f"*/{name}*") if each.stat().st_size)
    return path


def opened(place: Workspace) -> Index:
    index = Index.open(place)
    assert isinstance(index, Index)
    return index


@pytest.mark.parametrize("name", ARRAYS)
def test_a_flipped_byte_in_an_array_is_seen_and_repaired_by_the_next_run(
    place: Workspace, name: str
) -> None:
    before = dump(opened(place))
    flip(array_file(place, name))
    assert isinstance(Index.open(place), Index)  # questions do not look for it
    told = _opens(place)
    assert name in told.detail
    assert "has other bytes than were written" in told.detail
    assert told.advice == "run 'sonde index': it is built again"
    report = sync(place)
    assert isinstance(report, SyncReport)
    assert "damaged" in report.notice
    assert "it was rebuilt" in report.notice
    assert "\n" not in report.notice
    assert dump(opened(place)) == before
    assert not _opens(place).advice


def test_who_writes_the_next_generation_does_not_build_on_a_damaged_one(place: Workspace) -> None:
    flip(array_file(place, "outgoing.other"))
    (place.root / "new.py").write_text("def fresh(): pass\n")
    synchronizer = Synchronizer(place)
    report = synchronizer.sync(patience=1.0)  # as a question does
    synchronizer.close()
    assert isinstance(report, SyncReport)
    assert "damaged" in report.notice
    assert opened(place).ids_named("fresh")


def test_an_index_without_checksums_is_damaged(place: Workspace) -> None:
    for sums in place.arrays.glob("*/sums"):
        sums.unlink()
    report = sync(place)
    assert isinstance(report, SyncReport)
    assert "damaged" in report.notice


def damaged_texts(place: Workspace) -> None:
    with closing(sqlite3.connect(place.database)) as database:
        database.execute("UPDATE symbols SET texts = substr(texts, 1, length(texts) - 6)")
        database.commit()


@pytest.mark.parametrize(
    "damage", [damaged_texts, lambda place: flip(array_file(place, "columns.file."))]
)
def test_bug_listing_symbols_of_a_damaged_index_ended_in_a_traceback(
    place: Workspace, damage: Callable[[Workspace], None]
) -> None:
    damage(place)
    with Engine(place.root, Settings(place.cache, DiscoverRules(), workers=1)) as engine:
        found = engine.symbols()
        assert not isinstance(found, Problem)
        assert [each.qualname for each in found] == ["cart", "pay", "price", "total"]
