"""Ending a workspace while its threads are at work: no error, and nothing comes back."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from served_repository import write_files

from sonde.config import Settings
from sonde.discover import DiscoverRules
from sonde.engine import Engine
from sonde.serve.embedding import BackgroundEmbedding
from sonde.serve.learning import BackgroundLearning
from sonde.serve.served import Served
from sonde.store.errors import Problem
from sonde.store.location import workspace
from sonde.store.lock import writer_lock

_SECONDS = 10.0


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return write_files(tmp_path / "work", {f"m{n}.py": f"def f{n}(): pass\n" for n in range(40)})


@pytest.fixture
def served(root: Path, tmp_path: Path) -> Served:
    return Served(root, Settings(tmp_path / "cache", DiscoverRules(excludes_file=None), workers=1))


def _before(monkeypatch: pytest.MonkeyPatch, name: str, act: Callable[[], object]) -> None:
    """Act at the moment when a thread of that name is about to be started."""
    start = threading.Thread.start

    def acting(thread: threading.Thread) -> None:
        if thread.name == name:
            act()
        start(thread)

    monkeypatch.setattr(threading.Thread, "start", acting)


def test_bug_forgetting_a_workspace_while_its_watch_reported_a_sync_answered_500(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Whoever closed waited for the end of a thread that had not begun."""
    engine = pytest.fail  # no thread that begins after the end asks for it
    learning = BackgroundLearning(engine, lambda: False)
    _before(monkeypatch, "history", learning.close)
    learning.wake()
    embedding = BackgroundEmbedding(engine, ())
    _before(monkeypatch, "embedding", embedding.close)
    embedding.wake(1)


def _left(cache: Path) -> list[str]:
    """What a forgotten workspace left behind."""
    names = [name for _, _, found in os.walk(cache / "workspaces") for name in found]
    return sorted(name for name in names if name != "writer.lock")


def test_bug_a_workspace_forgotten_while_it_was_indexed_came_back(
    served: Served, tmp_path: Path
) -> None:
    begun, forgotten = threading.Event(), threading.Event()

    def wait(progress: object) -> None:
        begun.set()
        forgotten.wait(2.0)  # longer than the end of a sync is waited for

    served.listeners.append(wait)
    served.start()
    assert begun.wait(_SECONDS)
    served.forget()
    forgotten.set()
    for thread in threading.enumerate():
        if thread.name == "sync work":
            thread.join(_SECONDS)
    assert _left(tmp_path / "cache") == []


def test_bug_a_workspace_forgotten_before_its_watch_began_was_indexed_afterwards(
    served: Served, root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Engine(root, Settings(tmp_path / "cache", DiscoverRules(), workers=1)) as engine:
        engine.sync()
    assert _left(tmp_path / "cache")
    _before(monkeypatch, "watch work", served.forget)
    served.start()
    for thread in threading.enumerate():
        if thread.name == "watch work":
            thread.join(_SECONDS)
    assert _left(tmp_path / "cache") == []


def test_what_another_process_writes_is_not_deleted_under_its_hands(
    served: Served, root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sonde.answers.opened._PATIENCE", 0.05)
    served.engine().sync()
    with writer_lock(workspace(root, tmp_path / "cache").lock, 0.0):
        problem = served.forget()
    assert isinstance(problem, Problem)
    assert f"process {os.getpid()} is updating this index" in problem.message
    assert "index.db" in _left(tmp_path / "cache")
    assert served.forget() is None
    assert _left(tmp_path / "cache") == []
