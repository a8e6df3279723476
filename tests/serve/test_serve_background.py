"""Syncing behind the questions: they wait a moment, see their own edits, and name what is old."""

from __future__ import annotations

import os
import re
import threading
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from served_repository import children_running, write_files

from sonde.answers.results import Refusal
from sonde.answers.state import State
from sonde.config import Settings
from sonde.discover import DiscoverRules
from sonde.engine import Engine
from sonde.serve.background import BackgroundSync
from sonde.store.errors import Problem
from sonde.store.fulltext import wear
from sonde.store.location import workspace
from sonde.sync.changes import Changes
from sonde.sync.report import Progress
from sonde.sync.watch import Watched

MANY = 400


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return write_files(tmp_path / "work", {"a.py": "def first(): pass\n"})


@pytest.fixture
def told() -> list[Progress]:
    return []


@pytest.fixture
def engine(root: Path, tmp_path: Path, told: list[Progress]) -> Iterator[Engine]:
    settings = Settings(tmp_path / "cache", DiscoverRules(excludes_file=None), workers=1)
    with Engine(root, settings, partial(BackgroundSync, told.append, {"z_open.py": None})) as made:
        yield made


def test_a_question_sees_the_edit_made_before_it(engine: Engine, root: Path) -> None:
    for number in range(4):
        (root / "a.py").write_text(f"def name_{number}(): pass\n")
        answer = engine.symbol(f"name_{number}")
        assert not isinstance(answer, Problem)
        assert answer.found, number  # type: ignore[union-attr]


def test_the_sync_and_the_watch_of_a_server_follow_its_settings(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SONDE_CACHE_DIR", str(tmp_path / "cache"))
    write_files(root, {"b.py": "def second(): pass\n"})
    stop, told = threading.Event(), list[Watched]()
    with Engine(root, None, partial(BackgroundSync, lambda _: None, {}), patient=False) as engine:
        watching = threading.Thread(target=engine.watch, args=(stop, told.append), daemon=True)
        watching.start()
        assert engine.symbol("second").found  # type: ignore[union-attr]
        (root / "sonde.toml").write_text('ignore = ["b.py"]\n')
        assert not engine.symbol("second").found  # type: ignore[union-attr]
        (root / "sonde.toml").unlink()
        assert engine.symbol("second").found  # type: ignore[union-attr]
        known = len(told)
        (root / "later.py").write_text("def later(): pass\n")
        until = time.monotonic() + 20
        while time.monotonic() < until and len(told) == known:
            time.sleep(0.05)
        stop.set()
        watching.join(20)
    assert not isinstance(told[-1].result, Problem)


def test_a_worn_full_text_is_written_anew_when_nobody_asks(
    engine: Engine, root: Path, tmp_path: Path
) -> None:
    write_files(root, {"kept.py": "def kept(): pass\n"})  # else all of a segment would be deleted
    for number in range(3):
        (root / "a.py").write_text(f"def name_{number}(): pass\n" * 20)
        assert engine.symbol(f"name_{number}").found  # type: ignore[union-attr]
    place = workspace(root, tmp_path / "cache").fulltext
    deadline = time.monotonic() + 30
    while _wear_of_newest(place) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert _wear_of_newest(place) == 0
    assert len(engine.symbol("name_2").found) == 20  # type: ignore[union-attr]


def _wear_of_newest(place: Path) -> float:
    return wear(max(each for each in place.iterdir() if each.name.isdigit()))


def test_a_change_of_very_many_files_does_not_hold_a_question_up(
    engine: Engine, root: Path
) -> None:
    assert engine.symbol("first").found  # type: ignore[union-attr]
    body = "".join(f"def f{n}(x):\n    return g{n}(x) + {n}\n" for n in range(12))
    write_files(root, {f"b{n // 50}/m{n}.py": body for n in range(MANY)})
    began = time.monotonic()
    answer = engine.symbol("first")
    waited = time.monotonic() - began
    assert not isinstance(answer, Problem)
    assert answer.found  # type: ignore[union-attr]
    # Well above the second it takes on a quiet machine, whatever the whole update takes.
    assert waited < 5.0
    assert answer.stale or engine.symbol("f1").found  # type: ignore[union-attr]
    engine.sync()
    assert len(engine.symbol("f1").found) == 20  # type: ignore[union-attr]


def test_during_a_long_update_every_question_looked_at_the_whole_disk(
    engine: Engine, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from sonde.answers import look

    looked = []
    real = look.changes_seen_by
    monkeypatch.setattr(look, "changes_seen_by", lambda *given: looked.append(1) or real(*given))
    assert engine.symbol("first").found  # type: ignore[union-attr]
    assert engine.symbol("first").found  # type: ignore[union-attr]
    body = "".join(f"def f{n}(x):\n    return g{n}(x) + {n}\n" for n in range(40))
    write_files(root, {f"b{n // 50}/m{n}.py": body for n in range(MANY)})
    asked = 0
    while (answer := engine.symbol("first")).stale:  # type: ignore[union-attr]
        assert answer.stale_count == MANY  # type: ignore[union-attr]
        asked += 1
    assert asked > 2, "the update was over before it could be asked about"
    assert len(looked) <= 1
    write_files(root, {"later.py": "x = 1\n"})
    # Seen, or on a very busy machine named: not what was found out about the earlier change.
    assert engine.symbol("first").stale in ((), ("later.py",))  # type: ignore[union-attr]


def test_a_question_to_a_new_workspace_waited_for_the_first_part_as_if_nobody_asked(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sonde.sync.first._FIRST_PARTIAL", 60.0)
    monkeypatch.setattr("sonde.sync.first._AWAITED_PARTIAL", 0.1)
    write_files(root, {f"b{n // 50}/m{n}.py": f"def part_{n}(): pass\n" for n in range(MANY)})
    answered = threading.Event()

    def slowly(progress: Progress) -> None:
        if progress.done > MANY // 2 and not answered.is_set():
            answered.wait(0.2)

    settings = Settings(tmp_path / "cache", DiscoverRules(excludes_file=None), workers=1)
    with Engine(root, settings, partial(BackgroundSync, slowly, {})) as engine:
        answer = engine.rank("`part_1`")
        answered.set()
        assert 0.0 < answer.indexed_share < 1.0  # type: ignore[union-attr]
        engine.sync()
        assert engine.rank("`part_1`").indexed_share == 1.0  # type: ignore[union-attr]


def test_nothing_was_found_in_a_workspace_of_which_little_was_indexed(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sonde.sync.first._AWAITED_PARTIAL", 0.1)
    write_files(root, {f"b{n // 50}/m{n}.py": f"def part_{n}(): pass\n" for n in range(MANY)})
    answered = threading.Event()

    def slowly(progress: Progress) -> None:
        if progress.done > MANY // 2:
            answered.wait(60.0 if progress.done == MANY // 2 + 1 else 0.0)

    settings = Settings(tmp_path / "cache", DiscoverRules(excludes_file=None), workers=1)
    with Engine(root, settings, partial(BackgroundSync, slowly, {})) as engine:
        assert engine.rank("`part_1`").indexed_share < 1.0  # type: ignore[union-attr]
        refused = [
            engine.impact("no_such_name"),
            engine.for_task("`zzyzx` qwertyuiop"),
            engine.for_files(["no/such.py"]),
            engine.tests(files=["no/such.py"]),
        ]
        for each in refused:
            assert isinstance(each, Refusal)
            assert re.search(r"\(partial: \d+ % of the files are indexed so far\)$", each.message)
        empty = engine.for_task("")
        assert isinstance(empty, Refusal)
        assert "partial" not in empty.message
        answered.set()
        engine.sync()
        whole = engine.impact("no_such_name")
        assert isinstance(whole, Refusal)
        assert "partial" not in whole.message


def test_what_a_running_update_knows_is_used_until_the_disk_changes_again(
    engine: Engine, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from sonde.answers import look

    looked = []
    real = look.changes_seen_by
    monkeypatch.setattr(look, "changes_seen_by", lambda *given: looked.append(1) or real(*given))
    for _ in range(2):
        assert engine.symbol("first").found  # type: ignore[union-attr]
    body = "".join(f"def f{n}(x):\n    return g{n}(x) + {n}\n" for n in range(40))
    write_files(root, {f"b{n // 50}/m{n}.py": body for n in range(MANY)})
    assert engine.symbol("first").stale_count == MANY  # type: ignore[union-attr]
    opened = engine._opened
    assert opened is not None
    for _ in range(3):
        opened.freshness._behind = None  # as when another generation came meanwhile
        assert engine.symbol("first").stale_count == MANY  # type: ignore[union-attr]
    assert not looked
    write_files(root, {"later.py": "x = 1\n"})
    count = engine.symbol("first").stale_count  # type: ignore[union-attr]
    assert count == MANY + 1, "the update was over before it could be asked about"
    assert looked


def test_a_question_during_a_branch_switch_waited_for_its_own_look_at_the_disk(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from sonde.answers import look

    seen = threading.Event()
    real = look.changes_seen_by

    def late(*given: Any) -> Changes:
        seen.wait(60.0)
        return real(*given)

    monkeypatch.setattr(look, "changes_seen_by", late)
    settings = Settings(tmp_path / "cache", DiscoverRules(excludes_file=None), workers=1)
    updating = threading.Event()

    def slowly(progress: Progress) -> None:
        if progress.total >= MANY and progress.done >= MANY // 2:
            updating.wait(60.0)

    syncing = partial(BackgroundSync, slowly, {})
    with Engine(root, settings, syncing, patient=False) as engine:
        for _ in range(2):
            assert engine.symbol("first").found  # type: ignore[union-attr]
        write_files(root, {f"b{n // 50}/m{n}.py": "x = 1\n" for n in range(MANY)})
        assert engine.symbol("first").stale_count == MANY  # type: ignore[union-attr]
        write_files(root, {"later.py": "x = 1\n"})
        began = time.monotonic()
        answer = engine.symbol("first")
        assert time.monotonic() - began < 30.0
        assert answer.stale[0] == "what else changed is being looked for"  # type: ignore[union-attr]
        assert answer.stale_count == MANY + 1  # type: ignore[union-attr]
        seen.set()
        deadline = time.monotonic() + 30.0
        while "later.py" not in (stale := _all_stale(engine)):
            assert time.monotonic() < deadline
        assert len(stale) == MANY + 1
        updating.set()
        engine.sync()
        assert engine.symbol("first").stale == ()  # type: ignore[union-attr]


def _all_stale(engine: Engine) -> tuple[str, ...]:
    opened = engine._opened
    assert opened is not None
    state = opened.freshness.state()
    assert isinstance(state, State)
    return state.stale


def test_workers_of_a_large_update_leave_the_processor_to_questions_and_those_of_an_edit_do_not(
    root: Path, tmp_path: Path
) -> None:
    own, lowered = os.getpriority(os.PRIO_PROCESS, 0), set()
    before = children_running("sonde.sync.worker")

    def look(progress: Progress) -> None:
        if progress.done:
            workers = children_running("sonde.sync.worker") - before
            found = {os.getpriority(os.PRIO_PROCESS, each) for each in workers}
            lowered.update((progress.total > 1, each > own) for each in found)

    settings = Settings(tmp_path / "cache", DiscoverRules(excludes_file=None), workers=1)
    with Engine(root, settings, partial(BackgroundSync, look, {})) as engine:
        write_files(root, {f"b{n // 50}/m{n}.py": "x = 1\n" for n in range(MANY)})
        for each in root.rglob("*.py"):
            os.utime(each, (1e9, 1e9))  # what was written this moment would be read again
        engine.sync()
        assert (True, True) in lowered
        lowered.clear()
        (root / "a.py").write_text("def second(): pass\n")
        engine.sync()
        assert lowered == {(False, False)}


def test_a_question_waits_no_longer_than_until_an_update_is_known_to_be_large(
    engine: Engine, root: Path, told: list[Progress], monkeypatch: pytest.MonkeyPatch
) -> None:
    from sonde.serve import background

    monkeypatch.setattr(background, "_QUESTIONS_WAIT", 60.0)
    for _ in range(2):
        assert engine.symbol("first").found  # type: ignore[union-attr]
    body = "".join(f"def f{n}(x):\n    return g{n}(x) + {n}\n" for n in range(40))
    write_files(root, {f"b{n // 50}/m{n}.py": body for n in range(MANY)})
    assert engine.symbol("first").stale_count == MANY  # type: ignore[union-attr]


@pytest.fixture
def slow(engine: Engine, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Updates that take two seconds, in a folder that looks like a repository to who looks."""
    from sonde.serve import background

    real = background.Synchronizer.sync

    def late(*given: object) -> object:
        time.sleep(2.0)
        return real(*given)  # type: ignore[arg-type]

    (root / ".git").mkdir()
    assert engine.symbol("first").found  # type: ignore[union-attr]
    monkeypatch.setattr(background.Synchronizer, "sync", late)
    monkeypatch.setattr(background, "_QUESTIONS_WAIT", 0.01)


def test_a_question_waited_for_the_first_files_of_a_checkout(
    engine: Engine, root: Path, slow: None
) -> None:
    (root / ".git" / "index.lock").touch()
    (root / "a.py").write_text("def second(): pass\n")
    began = time.monotonic()
    assert engine.symbol("first").stale == ("a.py",)  # type: ignore[union-attr]
    assert time.monotonic() - began < 1.5


def test_a_lock_that_a_killed_git_left_let_no_question_wait_for_its_own_edit(
    engine: Engine, root: Path, slow: None
) -> None:
    (root / ".git" / "index.lock").touch()
    long_ago = time.time() - 3600
    os.utime(root / ".git" / "index.lock", (long_ago, long_ago))
    (root / "a.py").write_text("def second(): pass\n")
    assert engine.symbol("second").found  # type: ignore[union-attr]


def test_the_first_edit_waited_for_a_worker_to_start(engine: Engine) -> None:
    before = children_running("sonde.sync.worker")
    assert engine.symbol("first").found  # type: ignore[union-attr]
    deadline = time.monotonic() + 10
    while children_running("sonde.sync.worker") <= before:
        assert time.monotonic() < deadline
        time.sleep(0.02)
    engine.close()
    assert children_running("sonde.sync.worker") <= before


def test_files_in_use_are_read_first(engine: Engine, root: Path, told: list[Progress]) -> None:
    write_files(root, {f"m{n}.py": "x = 1\n" for n in range(30)} | {"z_open.py": "y = 1\n"})
    report = engine.sync()
    assert not isinstance(report, Problem)
    assert report.added[0] == "z_open.py"
    assert told


def test_a_closed_engine_leaves_no_thread_waiting(engine: Engine) -> None:
    assert engine.symbol("first").found  # type: ignore[union-attr]
    engine.close()
    assert engine.symbol("first").found  # type: ignore[union-attr]
