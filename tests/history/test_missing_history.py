"""An answer that has to do without the commits says so, and the next one has them again."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from git_history import commit, git, new_repository

from sonde import Engine
from sonde.answers import commits
from sonde.answers.results import Answer, NotFound
from sonde.config import load_settings
from sonde.history.kept import Kept, kept
from sonde.history.store import History, Unread
from sonde.store.location import Workspace

CART = "def total(cart):\n    return 1\n"
TASK = "narwhal offset of the total"
NOTE = "without the history of commits, which is not readable: see 'sonde status'"
READING = "without the history of commits, which is still being read: ask again"
Opener = Callable[..., Engine]


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    root = new_repository(tmp_path / "shop")
    commit(root, "Start", cart__py=CART)
    commit(root, "Narwhal offset corrected", cart__py=CART.replace("1", "2"))
    return root


@pytest.fixture
def opened(repository: Path, tmp_path: Path) -> Iterator[Opener]:
    made: list[Engine] = []

    def over(**how: Any) -> Engine:
        settings = load_settings(repository, {"SONDE_CACHE_DIR": str(tmp_path / "cache")}, {})
        made.append(Engine(repository, settings, **how))
        return made[-1]

    yield over
    for engine in made:
        engine.close()


def place_of(engine: Engine) -> Workspace:
    place = engine.place()
    assert isinstance(place, Workspace)
    return place


def asked(engine: Engine, task: str = TASK) -> Answer:
    answer = engine.for_task(task)
    assert isinstance(answer, Answer), answer
    return answer


def hears(engine: Engine) -> bool:
    """Whether the commit that speaks of the task is heard."""
    evidence = [proof for one in engine.rank(TASK).ranked for proof in one.evidence]  # type: ignore[union-attr]
    return any("Narwhal" in proof.reason for proof in evidence)


def told(engine: Engine) -> Kept | Unread | None:
    place = place_of(engine)
    return kept(place.root, place.history)


def test_an_answer_did_not_say_that_its_history_could_not_be_opened(opened: Opener) -> None:
    engine = opened()
    place = place_of(engine).history
    place.mkdir(parents=True)
    assert NOTE in asked(engine).text
    assert NOTE in asked(engine).text
    problem = told(engine)
    assert isinstance(problem, Unread)
    assert str(place) in problem.message
    place.rmdir()
    assert NOTE not in asked(engine).text
    assert hears(engine)
    assert told(engine) == Kept(2, whole=True, current=True)


def test_without_git_what_was_read_of_the_history_was_thrown_away(
    opened: Opener, repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = opened()
    before = asked(engine)
    assert NOTE not in before.text
    commit(repository, "Later", other__py="x = 1\n")
    with monkeypatch.context() as poorer:
        poorer.setenv("PATH", str(tmp_path))
        assert NOTE in asked(engine).text
        assert isinstance(told(engine), Unread)
    with closing(sqlite3.connect(place_of(engine).history)) as database:
        assert database.execute("SELECT count(*) FROM commits").fetchone() == (2,)
    assert hears(engine)
    assert told(engine) == Kept(3, whole=True, current=True)


def test_commits_that_are_not_in_the_checkout_spoke_while_another_process_wrote(
    opened: Opener, repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sonde.history.store._PATIENCE", 0.05)
    engine = opened()
    assert hears(engine)
    with closing(sqlite3.connect(place_of(engine).history)) as other:
        other.execute("BEGIN IMMEDIATE")
        git(repository, "reset", "-q", "--soft", "HEAD~1")
        assert NOTE in asked(engine).text
        assert not hears(engine)
        other.rollback()
    assert NOTE not in asked(engine).text
    assert not hears(engine)


@pytest.mark.parametrize("patient", [True, False])
def test_a_history_that_was_found_damaged_stayed_so(
    opened: Opener, repository: Path, *, patient: bool
) -> None:
    with opened() as engine:
        asked(engine)
        place = place_of(engine).history
    with closing(sqlite3.connect(place)) as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    data = place.read_bytes()
    place.write_bytes(data[:4096] + b"\xff" * (len(data) - 4096))
    commit(repository, "Later", other__py="x = 1\n")
    engine = opened(patient=patient)
    asked(engine)
    assert hears(engine)
    assert told(engine) == Kept(3, whole=True, current=True)


def test_a_server_did_not_say_that_it_is_still_reading(
    opened: Opener, repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    released = threading.Event()
    real = commits.refresh

    def late(*given: Any, **options: Any) -> Any:
        released.wait(60.0)
        return real(*given, **options)

    engine = opened(patient=False)
    asked(engine)
    monkeypatch.setattr(commits, "refresh", late)
    commit(repository, "Later", other__py="x = 1\n")
    assert READING in asked(engine).text
    released.set()
    monkeypatch.setattr(commits, "_MOMENT", 60.0)
    assert READING not in asked(engine).text
    assert hears(engine)


def test_what_was_not_found_did_not_say_that_no_commit_was_read(opened: Opener) -> None:
    engine = opened()
    place_of(engine).history.mkdir(parents=True)
    found = engine.for_task("narwhal offset")
    assert isinstance(found, NotFound)
    assert NOTE in found.message


def test_a_folder_without_git_lacks_nothing(tmp_path: Path) -> None:
    (tmp_path / "plain").mkdir()
    (tmp_path / "plain" / "cart.py").write_text(CART)
    settings = load_settings(tmp_path / "plain", {"SONDE_CACHE_DIR": str(tmp_path / "cache")}, {})
    with Engine(tmp_path / "plain", settings) as engine:
        assert "without the history" not in asked(engine).text
        assert told(engine) is None


def test_what_is_not_read_yet_is_no_problem(repository: Path, tmp_path: Path) -> None:
    History(tmp_path / "h.db").close()
    for name in ("h.db", "none.db"):
        assert kept(repository, tmp_path / name) == Kept(0, whole=False, current=False)
    assert kept(new_repository(tmp_path / "new"), tmp_path / "h.db") == Kept(0, True, True)


def test_what_git_proposes_when_it_refuses_was_not_told(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = (
        "warning: odd settings\nfatal: detected dubious ownership in repository at '/shop'\n"
        "To add an exception for this directory, call:\n\n"
        "\tgit config --global --add safe.directory /shop\n"
    )
    refusing = tmp_path / "bin" / "git"
    refusing.parent.mkdir()
    refusing.write_text(f"#!/bin/sh\ncat >&2 << END\n{said}END\nexit 128\n")
    refusing.chmod(0o755)
    monkeypatch.setenv("PATH", str(refusing.parent), prepend=":")
    problem = kept(repository, tmp_path / "h.db")
    assert isinstance(problem, Unread)
    assert problem.message == (
        "git: fatal: detected dubious ownership in repository at '/shop':"
        " 'git config --global --add safe.directory /shop'"
    )


def test_why_nothing_can_be_read_of_a_clone_without_trees_was_not_told(
    repository: Path, tmp_path: Path
) -> None:
    clone = tmp_path / "clone"
    git(repository, "config", "uploadpack.allowFilter", "true")
    git(tmp_path, "clone", "-q", "--filter=tree:0", f"file://{repository}", str(clone))
    settings = load_settings(clone, {"SONDE_CACHE_DIR": str(tmp_path / "cache")}, {})
    with Engine(clone, settings) as engine:
        assert NOTE in asked(engine).text
        problem = told(engine)
    assert isinstance(problem, Unread)
    assert problem.message.startswith("git: fatal: ")
