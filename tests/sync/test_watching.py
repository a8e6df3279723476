"""Watching: an edit wakes a sync, a blind watcher still looks."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from shop_workspace import opened, write

from sonde.store.location import Workspace, workspace
from sonde.sync import watch as watching
from sonde.sync.report import SyncReport
from sonde.sync.update import Synchronizer
from sonde.sync.watch import Watched, watch


@pytest.fixture
def watched(shop: Workspace) -> Iterator[list[Watched]]:
    """What a running watch of the shop has reported so far."""
    seen: list[Watched] = []
    stop = threading.Event()
    synchronizer = Synchronizer(shop, workers=1)
    thread = threading.Thread(target=watch, args=(shop, synchronizer.sync, stop, seen.append))
    thread.start()
    yield seen
    stop.set()
    thread.join(10)
    synchronizer.close()
    assert not thread.is_alive()


def wait_for(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 15
    while not condition():
        assert time.monotonic() < deadline, "nothing happened in time"
        time.sleep(0.02)


def test_an_edit_is_indexed_without_being_asked(shop: Workspace, watched: list[Watched]) -> None:
    wait_for(lambda: len(watched) > 0)
    time.sleep(0.3)  # until the watcher listens
    write(shop.root, {"shop/later.py": "def arrived_later(): pass\n"})
    wait_for(
        lambda: any(
            isinstance(w.result, SyncReport) and w.result.added == ("shop/later.py",)
            for w in watched
        )
    )
    assert opened(shop).ids_named("arrived_later")
    assert not any(each.degraded for each in watched)


def test_without_events_the_disk_is_looked_at_and_the_reason_told(
    shop: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> Iterator[set[object]]:
        raise OSError("OS file watch limit reached")

    monkeypatch.setattr("watchfiles.watch", broken)
    monkeypatch.setattr(watching, "_BLIND_PAUSE", 0.05)
    seen: list[Watched] = []
    stop = threading.Event()

    def notify(each: Watched) -> None:
        seen.append(each)
        if len(seen) == 1:
            write(shop.root, {"shop/later.py": "def arrived_later(): pass\n"})
        else:
            stop.set()

    synchronizer = Synchronizer(shop, workers=1)
    watch(shop, synchronizer.sync, stop, notify)
    synchronizer.close()
    assert "watch limit" in seen[1].degraded
    assert opened(shop).ids_named("arrived_later")


def test_folders_above_the_root_silenced_all_events(tmp_path: Path) -> None:
    root = tmp_path / "node_modules" / "library"
    write(root, {"a.py": ""})
    stop = threading.Event()
    place = workspace(root, tmp_path / "cache")
    heard = watching._heard(place, stop, watching._Pace(), every_folder=True)
    assert next(heard) == ""  # a first look, without an event
    threading.Timer(0.3, write, (root, {"b.py": ""})).start()
    began = time.monotonic()
    next(heard)
    stop.set()
    assert time.monotonic() - began < 10, "only the look that comes without events"
    assert not watching._concerns_us(len(str(root)), (), None, f"{root}/.git/index")
