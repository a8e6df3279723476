"""A server reads the older history behind the questions."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, cast

import pytest
from git_history import commit, git, new_repository

from sonde.answers import commits
from sonde.answers.opened import Opened
from sonde.answers.state import State
from sonde.config import Settings
from sonde.discover import DiscoverRules
from sonde.engine import Engine
from sonde.history import refresh
from sonde.history.store import History
from sonde.serve.learning import BackgroundLearning
from sonde.serve.served import Served
from sonde.store.location import workspace

COMMITS = 7


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(commits, "_FIRST_READ", 0.0)  # seconds: no question reads anything old
    monkeypatch.setattr(refresh, "_BATCH", 2)
    root = new_repository(tmp_path / "shop")
    for number in range(COMMITS):
        commit(root, f"Change {number}", cart__py=f"def total():\n    return {number}\n")
    return root


@pytest.fixture
def served(repository: Path, tmp_path: Path) -> Iterator[Served]:
    rules = DiscoverRules(excludes_file=None)
    made = Served(repository, Settings(tmp_path / "cache", rules, workers=1))
    made.start()
    yield made
    made.close()


def until(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60.0
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_old_and_new_commits_are_read_without_a_question(
    served: Served, repository: Path, tmp_path: Path
) -> None:
    place = workspace(repository, tmp_path / "cache").history
    until(place.exists)
    history = History(place)
    until(lambda: history.whole and history.count == COMMITS)
    commit(repository, "One more", cart__py="def total():\n    return 99\n")
    until(lambda: history.count == COMMITS + 1)
    history.close()


def test_a_question_after_a_pull_waited_until_thousands_of_commits_were_read(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(commits, "_FEW_COMMITS", 2)
    monkeypatch.setattr(commits, "_MOMENT", 60.0)  # seconds: a busy machine is not what is tested
    settings = Settings(tmp_path / "cache", DiscoverRules(excludes_file=None), workers=1)
    git(repository, "checkout", "-q", "HEAD~4")
    history = History(workspace(repository, settings.cache).history)
    with Engine(repository, settings, patient=False) as engine:
        engine.learn()
        assert history.count == COMMITS - 4
        git(repository, "checkout", "-q", "main~2")
        engine.symbol("total")
        assert history.count == COMMITS - 2
        monkeypatch.setattr(commits, "_FEW_COMMITS", 1)
        git(repository, "checkout", "-q", "main")
        engine.symbol("total")
        assert history.count == COMMITS - 2
        engine.learn()
        assert history.count == COMMITS
    history.close()


def test_a_question_waited_for_git_to_tell_what_is_checked_out(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = Settings(tmp_path / "cache", DiscoverRules(excludes_file=None), workers=1)
    released = threading.Event()
    real = commits.refresh
    with Engine(repository, settings, patient=False) as engine:
        engine.learn()
        assert engine.for_task("what is Change 3 about").pack.sections  # type: ignore[union-attr]

        def late(*given: Any, **options: Any) -> bool:
            released.wait(60.0)
            return real(*given, **options)

        monkeypatch.setattr(commits, "refresh", late)
        git(repository, "checkout", "-q", "main~2")
        opened = engine._opened
        assert opened is not None
        began = time.monotonic()
        state = opened.freshness.state()
        assert time.monotonic() - began < 30.0
        assert isinstance(state, State)
        assert state.view.history is None, "commits of what was checked out before spoke"
        released.set()
        until(lambda: _history_of(opened) is not None)


def _history_of(opened: Opened) -> History | None:
    state = opened.freshness.state()
    assert isinstance(state, State)
    return state.view.history


def test_a_large_update_and_the_reading_of_the_history_took_the_machine_from_each_other() -> None:
    read: list[str] = []
    busy = True

    class Learner:
        def learn(self, stop: Callable[[], bool]) -> bool:
            read.append("stopped" if stop() else "read")
            return not stop()

    learning = BackgroundLearning(lambda: cast(Engine, Learner()), lambda: busy)
    learning.wake()
    time.sleep(0.3)
    assert read == [], "it began beside the update"
    busy = False
    until(lambda: read == ["read"])
    learning.close()
