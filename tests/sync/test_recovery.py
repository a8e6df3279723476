"""Damage, interruption and rivals: a clear line, nothing lost, the next run recovers."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from shop_workspace import opened, write

from sonde.store.dump import dump
from sonde.store.errors import Problem, ProblemKind
from sonde.store.generation import remove_facts
from sonde.store.index import Index
from sonde.store.location import Workspace, workspace
from sonde.store.lock import writer_lock
from sonde.store.migrations import MIGRATIONS
from sonde.sync.report import SyncReport
from sonde.sync.update import Synchronizer, sync

Sync = Callable[[Workspace], SyncReport]


def _empty(path: Path) -> None:
    """Replace a file by an empty one; cutting it off would pull it from under its readers."""
    path.unlink()
    path.write_bytes(b"")


def damage_database(place: Workspace) -> None:
    data = bytearray(place.database.read_bytes())
    data[100:] = b"\xff" * (len(data) - 100)
    place.database.write_bytes(data)
    for suffix in ("-wal", "-shm"):
        Path(f"{place.database}{suffix}").unlink(missing_ok=True)


def no_database(place: Workspace) -> None:
    place.database.write_bytes(b"this is no database at all" * 100)


def remove_arrays(place: Workspace) -> None:
    for path in place.arrays.rglob("*.*"):
        path.unlink()


def truncate_arrays(place: Workspace) -> None:
    for path in place.arrays.rglob("*.degree*"):
        path.write_bytes(path.read_bytes()[:8])


def truncate_fulltext(place: Workspace) -> None:
    for path in place.fulltext.rglob("*"):
        if path.is_file():
            _empty(path)


def truncate_postings(place: Workspace) -> None:
    for path in place.fulltext.rglob("*.term"):
        _empty(path)


DAMAGES = [
    damage_database,
    no_database,
    remove_arrays,
    truncate_arrays,
    truncate_fulltext,
    truncate_postings,
]


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_index_is_rebuilt_and_says_so(
    shop: Workspace, damage: Callable[[Workspace], None]
) -> None:
    assert isinstance(sync(shop), SyncReport)
    before = dump(opened(shop))
    damage(shop)
    assert isinstance(Index.open(shop), Problem)
    report = sync(shop)
    assert isinstance(report, SyncReport)
    assert "damaged" in report.notice
    assert "\n" not in report.notice
    assert dump(opened(shop)) == before


def test_damaged_facts_are_extracted_again(shop: Workspace) -> None:
    sync(shop)
    shop.facts.write_bytes(b"no database" * 1000)
    for suffix in ("-wal", "-shm"):
        Path(f"{shop.facts}{suffix}").unlink(missing_ok=True)
    write(shop.root, {"new.py": "def fresh(): pass\n"})
    report = sync(shop)
    assert isinstance(report, SyncReport)
    assert "damaged" in report.notice
    assert opened(shop).ids_named("fresh")


def test_facts_that_were_removed_are_extracted_again_when_linking_needs_them(
    shop: Workspace, tmp_path: Path
) -> None:
    sync(shop)
    remove_facts(shop)
    write(shop.root, {"shop/price.py": "def other(items):\n    return len(items)\n"})
    sync(shop)
    fresh = workspace(shop.root, tmp_path / "elsewhere")
    sync(fresh)
    assert dump(opened(shop)) == dump(opened(fresh))


def test_an_index_of_a_newer_version_is_refused(shop: Workspace) -> None:
    sync(shop)
    with sqlite3.connect(shop.database) as database:
        database.execute("PRAGMA user_version = 999")
    database.close()
    write(shop.root, {"new.py": "x = 1\n"})
    for answer in (sync(shop), Index.open(shop)):
        assert isinstance(answer, Problem)
        assert answer.kind is ProblemKind.NEWER


def test_an_index_of_another_format_is_built_again(
    shop: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    sync(shop)
    monkeypatch.setattr("sonde.sync.open_index.FORMAT", 7)
    monkeypatch.setattr("sonde.sync.update.FORMAT", 7)
    report = sync(shop)
    assert isinstance(report, SyncReport)
    assert len(report.added) == 6


@pytest.mark.parametrize("steps", range(1, len(MIGRATIONS)))
def test_an_index_of_an_older_schema_is_built_again(shop: Workspace, steps: int) -> None:
    sync(shop)
    before = dump(opened(shop))
    for suffix in ("", "-wal", "-shm"):
        Path(f"{shop.database}{suffix}").unlink(missing_ok=True)
    with closing(sqlite3.connect(shop.database)) as database:
        for script in MIGRATIONS[:steps]:
            database.executescript(script)
        database.execute("INSERT INTO meta VALUES ('generation', 5), ('format', 1)")
        database.execute(f"PRAGMA user_version = {steps}")
        database.commit()
    report = sync(shop)
    assert isinstance(report, SyncReport)
    assert len(report.added) == 6
    assert dump(opened(shop)) == before


def test_a_cache_that_is_no_folder_is_told(shop: Workspace, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    answer = sync(workspace(shop.root, tmp_path / "file"))
    assert isinstance(answer, Problem)
    assert answer.kind is ProblemKind.UNWRITABLE


def test_a_root_that_is_no_folder_is_told(tmp_path: Path) -> None:
    answer = sync(workspace(tmp_path / "nowhere", tmp_path / "cache"))
    assert isinstance(answer, Problem)
    assert answer.kind is ProblemKind.NO_ROOT


def test_a_second_writer_is_told_who_writes_and_readers_do_not_wait(shop: Workspace) -> None:
    sync(shop)
    write(shop.root, {"new.py": "x = 1\n"})
    with writer_lock(shop.lock, 0):
        answer = Synchronizer(shop, patience=0.05).sync()
        assert isinstance(answer, Problem)
        assert answer.kind is ProblemKind.BUSY
        assert str(os.getpid()) in answer.message
        assert opened(shop).ids_named("total")


def test_two_synchronizers_take_turns(shop: Workspace) -> None:
    one, other = Synchronizer(shop), Synchronizer(shop)
    for number, each in enumerate((one, other, one, other)):
        write(shop.root, {"shop/extra.py": f"def extra_{number}(): pass\n"})
        assert isinstance(each.sync(), SyncReport)
        assert opened(shop).ids_named(f"extra_{number}")
    one.close()
    other.close()


INDEX_IT = """
import sys
from pathlib import Path
from sonde.store.location import workspace
from sonde.sync.update import sync
print(sync(workspace(Path(sys.argv[1]), Path(sys.argv[2]))))
"""


@pytest.mark.parametrize("pause", [0.3, 0.9])
def test_a_run_killed_half_way_is_continued_by_the_next(
    tmp_path: Path, synced: Sync, pause: float
) -> None:
    body = "".join(f"def f{n}(a):\n    return g(a, f{n + 1})\n\n\n" for n in range(60))
    write(tmp_path / "root", {f"p{n % 7}/m{n}.py": body for n in range(160)})
    place = workspace(tmp_path / "root", tmp_path / "cache")
    command = [sys.executable, "-c", INDEX_IT, str(place.root), str(place.cache)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    time.sleep(pause)
    process.send_signal(signal.SIGKILL)
    process.wait()
    synced(place)
    assert opened(place).status().files == 160
    assert not list(place.fulltext.glob("*.tmp"))


def test_bug_a_cache_on_a_read_only_disk_was_called_damaged(
    shop: Workspace, synced: Sync, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced(shop)
    for each in shop.fulltext.rglob("meta.json"):
        each.unlink()  # as little to be opened as where no lock can be taken
    assert Index.open(shop).kind is ProblemKind.CORRUPT  # type: ignore[union-attr]
    monkeypatch.setattr(os, "access", lambda *_: False)
    assert Index.open(shop).kind is ProblemKind.UNWRITABLE  # type: ignore[union-attr]
