"""Every question sees the disk as it is, and the cache never shows what is gone."""

from __future__ import annotations

import gc
import sqlite3
import threading
import time
from contextlib import closing

import pytest
from example_repository import EXAMPLE, engine_over, git, write

from sonde.answers import pack_cache
from sonde.answers.results import Refusal
from sonde.engine import Engine
from sonde.pack.render import FORMATS, render
from sonde.retrieve.view import View
from sonde.session.session import Session
from sonde.store.errors import Problem, ProblemKind
from sonde.store.lock import writer_lock

TASK = "fix the crash in DatabaseClient.connect"


def test_an_edit_is_seen_by_the_next_question(engine, repository):
    assert not engine.symbol("brand_new").found
    write(repository, {"app/fresh.py": "def brand_new():\n    return 1\n"})
    assert engine.symbol("brand_new").found
    (repository / "app/fresh.py").unlink()
    assert not engine.symbol("brand_new").found


@pytest.mark.parametrize("process", ["that walked", "that compared with an earlier walk"])
@pytest.mark.parametrize("place", ["repository", "worktree"])
def test_what_git_begins_to_track_is_seen_by_the_next_question(
    repository, tmp_path, monkeypatch, place, process
):
    monkeypatch.setattr("sonde.discover.stamp._RACY_NS", 0)
    write(repository, {".gitignore": "gradle/\n"})
    git(repository, "init", "-q")
    git(repository, "add", ".")
    git(repository, "commit", "-qm", "first")
    root = repository
    if place == "worktree":
        root = tmp_path / "worktree"
        git(repository, "worktree", "add", "-q", str(root))
    write(root, {"gradle/plugin.py": "def plugged_in():\n    return 1\n"})
    time.sleep(0.02)
    if process != "that walked":
        for _ in range(2):
            with engine_over(root, tmp_path / "cache") as before:
                before.symbol("plugged_in")
    with engine_over(root, tmp_path / "cache") as engine:
        for _ in range(3):  # until it trusts the kernel's notices
            assert not engine.symbol("plugged_in").found
        git(root, "add", "-f", "gradle/plugin.py")
        assert engine.symbol("plugged_in").found
        git(root, "rm", "-q", "--cached", "gradle/plugin.py")
        assert not engine.symbol("plugged_in").found


def test_a_repeated_question_is_served_from_the_cache(engine):
    first = engine.for_task(TASK)
    again = engine.for_task(TASK)
    assert not first.cached
    assert again.cached
    assert again.text == first.text
    assert again.pack == first.pack


def test_the_cache_outlives_the_process(repository, tmp_path):
    with engine_over(repository, tmp_path / "cache") as engine:
        first = engine.for_task(TASK)
    with engine_over(repository, tmp_path / "cache") as engine:
        again = engine.for_task(TASK)
    assert again.cached
    assert again.pack == first.pack
    assert again.text == first.text


def test_a_change_in_a_shown_file_makes_a_new_answer(engine, repository):
    engine.for_task(TASK)
    changed = EXAMPLE["app/client.py"].replace("return normalise_url", "return 'x' + normalise_url")
    write(repository, {"app/client.py": changed})
    again = engine.for_task(TASK)
    assert not again.cached
    assert "'x' + normalise_url" in again.text


def test_an_unrelated_change_leaves_the_answer_in_the_cache(engine, repository):
    engine.for_task(TASK)
    write(repository, {"app/report.py": EXAMPLE["app/report.py"] + "\n\ndef footer():\n    pass\n"})
    assert engine.symbol("footer").found
    assert engine.for_task(TASK).cached


def test_a_new_symbol_of_the_asked_name_makes_a_new_answer(engine, repository):
    engine.for_task("explain `render_table`")
    write(repository, {"app/other.py": "def render_table():\n    return 'other'\n"})
    assert not engine.for_task("explain `render_table`").cached


def test_a_new_caller_of_what_is_shown_makes_a_new_answer(engine, repository):
    engine.for_task(TASK)
    caller = (
        "from app.client import DatabaseClient\n\n\ndef late(c: DatabaseClient):\n    c.connect()\n"
    )
    write(repository, {"app/late.py": caller})
    assert not engine.for_task(TASK).cached


def test_other_options_are_another_question(engine):
    engine.for_task(TASK)
    assert not engine.for_task(TASK, 4000).cached
    assert not engine.for_task(TASK, format="json").cached
    assert not engine.for_task(TASK, without=frozenset({"walk"})).cached


def test_a_torn_cache_file_is_computed_again(repository, tmp_path):
    with engine_over(repository, tmp_path / "cache") as engine:
        first = engine.for_task(TASK)
    (kept,) = (tmp_path / "cache").rglob("answers/*.json")
    kept.write_text(kept.read_text()[:200])
    with engine_over(repository, tmp_path / "cache") as engine:
        again = engine.for_task(TASK)
    assert not again.cached
    assert again.text == first.text


def test_an_answer_in_the_place_of_a_longer_one_is_read_whole(repository, tmp_path, monkeypatch):
    monkeypatch.setattr(pack_cache, "_ON_DISK", 1)
    with engine_over(repository, tmp_path / "cache") as engine:
        long, short = engine.for_task(TASK), engine.for_task(TASK, 200)
    assert len(short.text) < len(long.text)
    with engine_over(repository, tmp_path / "cache") as engine:
        kept, anew = engine.for_task(TASK, 200), engine.for_task(TASK)
    assert (kept.cached, kept.text, kept.pack) == (True, short.text, short.pack)
    assert (anew.cached, anew.text) == (False, long.text)


def test_an_answer_half_written_over_another_is_computed_again(repository, tmp_path, monkeypatch):
    monkeypatch.setattr(pack_cache, "_ON_DISK", 1)
    with engine_over(repository, tmp_path / "cache") as engine:
        engine.for_task(TASK)
        (kept,) = (tmp_path / "cache").rglob("answers/*.json")
        long = kept.read_bytes()
        short = engine.for_task(TASK, 200)
    written = kept.read_bytes()
    for torn in (written + long[len(written) :], written[:-1] + long[len(written) - 1 :]):
        kept.write_bytes(torn)
        with engine_over(repository, tmp_path / "cache") as engine:
            again = engine.for_task(TASK, 200)
        assert (again.cached, again.text) == (False, short.text)


def test_a_kept_answer_mixed_with_another_is_not_read_although_it_is_json(repository, tmp_path):
    with engine_over(repository, tmp_path / "cache") as engine:
        first = engine.for_task(TASK)
    (kept,) = (tmp_path / "cache").rglob("answers/*.json")
    mixed = kept.read_text().replace("def connect", "def another")
    assert mixed != kept.read_text()
    kept.write_text(mixed)
    with engine_over(repository, tmp_path / "cache") as engine:
        again = engine.for_task(TASK)
    assert (again.cached, again.text) == (False, first.text)


def test_answers_of_former_versions_are_removed(repository, tmp_path):
    with engine_over(repository, tmp_path / "cache") as engine:
        engine.sync()
        former = engine.place().folder / "packs"
        write(former, {"0123.json": "{}"})
        engine.for_task(TASK)
    assert not former.exists()


def test_within_hold_the_disk_is_looked_at_once(engine, repository):
    with engine.hold() as problem:
        assert problem is None
        write(repository, {"app/fresh.py": "def brand_new():\n    return 1\n"})
        assert not engine.symbol("brand_new").found
    assert engine.symbol("brand_new").found


def test_while_another_process_writes_the_answer_names_what_is_stale(
    engine, repository, monkeypatch
):
    engine.sync()
    write(repository, {"app/report.py": "def changed_table():\n    return 1\n"})
    monkeypatch.setattr("sonde.answers.state._PATIENCE", 0.05)
    with writer_lock(engine._open().workspace.lock, 1.0):
        answer = engine.for_task("explain `render_table`")
    assert answer.pack.stale == ("app/report.py",)
    assert "not refreshed: app/report.py" in answer.text
    assert engine.symbol("changed_table").stale == ()


def test_after_a_branch_switch_an_answer_listed_every_stale_path(engine, repository, monkeypatch):
    session = Session.start(engine, "explain `render_table`")
    write(repository, {f"app/aa{n:02}.py": f"def a{n}():\n    return {n}\n" for n in range(60)})
    write(repository, {"app/report.py": EXAMPLE["app/report.py"] + "\n# changed\n"})
    monkeypatch.setattr("sonde.answers.state._PATIENCE", 0.05)
    with writer_lock(engine._open().workspace.lock, 1.0):
        pack = engine.for_task("explain `render_table`").pack
        answers = [
            pack,
            engine.rank("explain `render_table`"),
            engine.why("explain `render_table`", "render_table"),
            engine.symbol("render_table"),
            engine.search("render_table"),
            engine.impact("render_table"),
            engine.tests(files=["app/report.py"]),
            session.more(["render_table"]),
        ]
    for answer in answers:
        assert answer.stale_count == 61
        assert answer.stale[:2] == ("app/report.py", "app/aa00.py"), answer
        assert len(answer.stale) == 20
    told = "not refreshed: app/report.py, app/aa00.py, app/aa01.py and 58 more"
    assert all(told in render(pack, name) for name in FORMATS)
    assert told in answers[-1].text


def test_without_any_index_and_another_writer_the_problem_tells_who(engine, monkeypatch):
    monkeypatch.setattr("sonde.answers.state._PATIENCE", 0.05)
    with writer_lock(engine._open().workspace.lock, 1.0):
        answer = engine.for_task(TASK)
    assert isinstance(answer, Problem)
    assert answer.kind is ProblemKind.BUSY


def test_a_partial_index_marks_its_answers(repository, tmp_path, monkeypatch):
    monkeypatch.setattr("sonde.sync.first._FIRST_PARTIAL", 0.0)
    monkeypatch.setattr("sonde.answers.state._PATIENCE", 0.05)
    many = {f"app/part{n}.py": f"def part_{n}():\n    return {n}\n" for n in range(4)}
    write(repository, many)
    seen = threading.Event()
    go_on = threading.Event()

    def slowly(progress):
        if progress.stage == "extract" and progress.done == 9:
            seen.set()
            go_on.wait(10)

    def build():
        with engine_over(repository, tmp_path / "cache") as writer:
            writer.sync(slowly)

    thread = threading.Thread(target=build)
    thread.start()
    try:
        assert seen.wait(20)
        with engine_over(repository, tmp_path / "cache") as reader:
            answer = reader.rank("part_1")
            assert 0.0 < answer.indexed_share < 1.0
            pack = reader.for_task("explain `DatabaseClient`")
            assert isinstance(pack, Refusal) or "partial: " in pack.text
    finally:
        go_on.set()
        thread.join(20)


def test_a_folder_that_is_gone_is_told(tmp_path):
    with engine_over(tmp_path / "nowhere", tmp_path / "cache") as engine:
        answer = engine.for_task(TASK)
    assert isinstance(answer, Problem)
    assert answer.kind is ProblemKind.NO_ROOT


def test_nothing_is_answered_from_a_folder_that_was_deleted_since(engine, repository):
    engine.symbol("DatabaseClient")
    repository.rename(repository.with_name("away"))
    answers = (engine.symbol("DatabaseClient"), engine.search("connect"), engine.for_task(TASK))
    for answer in (*answers, engine.chunks(["app/url.py"])):
        assert isinstance(answer, Problem)
        assert answer.kind is ProblemKind.NO_ROOT
    repository.with_name("away").rename(repository)
    assert engine.symbol("DatabaseClient").found


def test_settings_that_cannot_be_used_are_told_by_every_question(tmp_path, monkeypatch):
    monkeypatch.setenv("SONDE_CACHE_DIR", str(tmp_path / "cache"))
    write(tmp_path / "work", {"sonde.toml": "budgit = 3\n"})
    engine = Engine(tmp_path / "work")
    for answer in (engine.sync(), engine.status(), engine.rank("x"), engine.for_task("x")):
        assert isinstance(answer, Problem)
        assert "budgit" in answer.message


def test_settings_that_change_while_an_engine_is_open_count_from_the_next_question(
    repository, tmp_path, monkeypatch
):
    monkeypatch.setenv("SONDE_CACHE_DIR", str(tmp_path / "cache"))
    settings = repository / "sonde.toml"
    with Engine(repository) as engine:
        assert engine.symbol("normalise_url").found
        settings.write_text('ignore = ["app/url.py"]\n')
        assert not engine.symbol("normalise_url").found
        settings.write_text("ignor = 3\n")
        assert "ignor" in engine.symbol("normalise_url").message
        settings.unlink()
        assert engine.symbol("normalise_url").found
        with engine.hold():
            settings.write_text('ignore = ["app/url.py"]\n')
            assert engine.symbol("normalise_url").found
        assert not engine.symbol("normalise_url").found
        settings.write_text("ignor = 3\n")
        assert engine.forget() is None
    assert not list((tmp_path / "cache").rglob("index.db"))


def test_a_watch_follows_settings_that_change(repository, tmp_path, monkeypatch):
    monkeypatch.setenv("SONDE_CACHE_DIR", str(tmp_path / "cache"))
    stop, deleted = threading.Event(), threading.Event()

    def told(watched):
        if "app/url.py" in getattr(watched.result, "deleted", ()):
            deleted.set()
        elif not deleted.is_set():
            (repository / "sonde.toml").write_text('ignore = ["app/url.py"]\n')

    with Engine(repository) as engine:
        watching = threading.Thread(target=engine.watch, args=(stop, told))
        watching.start()
        assert deleted.wait(20)
        stop.set()
        watching.join(20)
        assert not watching.is_alive()


def test_the_root_is_the_repository_around_the_folder(tmp_path):
    write(tmp_path, {"repo/.git/HEAD": "ref: refs/heads/main\n", "repo/a/b/x.py": ""})
    assert Engine(tmp_path / "repo/a/b").root == tmp_path / "repo"


def test_status_and_symbols_count_the_same(engine):
    assert isinstance(engine.status(), Problem)
    engine.sync()
    everything = list(engine.symbols())
    assert engine.status().symbols == len(everything)
    places = [(each.file, each.start_byte) for each in everything]
    assert places == sorted(places)


def test_symbols_are_read_to_the_end_while_other_questions_see_newer_files(engine, repository):
    names = [each.qualname for each in engine.symbols()]
    reading = engine.symbols()
    begun = [next(reading).qualname]
    write(repository, {"app/fresh.py": "def brand_new():\n    return 1\n"})
    assert engine.symbol("brand_new").found
    assert begun + [each.qualname for each in reading] == names


def test_forgetting_removes_the_index_and_the_next_question_builds_it(engine, tmp_path):
    engine.for_task(TASK)
    engine.forget()
    assert not list((tmp_path / "cache").rglob("index.db"))
    assert not list((tmp_path / "cache").rglob("answers/*"))
    assert engine.symbol("DatabaseClient").found


def test_a_repeated_question_takes_no_ranking(engine):
    engine.for_task(TASK)
    with engine.hold():
        engine.for_task(TASK)
        began = time.process_time()
        for _ in range(100):
            assert engine.for_task(TASK).cached
        assert (time.process_time() - began) / 100 < 0.002


def test_an_index_grown_by_edits_answers_as_one_from_scratch(engine, repository, tmp_path):
    engine.sync()
    moved = EXAMPLE["app/session.py"].replace("def run", "def start").replace("greet", "say hello")
    write(repository, {"app/aaa.py": EXAMPLE["app/url.py"], "app/session.py": moved})
    engine.sync()
    (repository / "app/report.py").unlink()
    with engine_over(repository, tmp_path / "another") as scratch:
        for task in (TASK, "normalise the url of a session", "explain `start`"):
            assert engine.for_task(task).text == scratch.for_task(task).text
        files = ["app/client.py", "app/url.py"]
        assert engine.for_files(files).text == scratch.for_files(files).text


def test_answers_kept_every_earlier_generation_in_memory(tmp_path):
    root = write(tmp_path / "work", {"cart.py": "def checkout(): return total()\n"})
    with engine_over(root, tmp_path / "cache") as engine:
        gc.collect()
        gc.disable()  # what only a collection would free is not free
        try:
            for number in range(5):
                (root / "late.py").write_text(f"def added_{number}(): pass\n")
                assert engine.for_task(f"change checkout, part {number}").text
                assert engine.symbol(f"added_{number}").found
            views = [each for each in gc.get_objects() if isinstance(each, View)]
        finally:
            gc.enable()
    assert len([view for view in views if view.index.workspace.root == root]) == 1


def test_bug_an_index_damaged_in_its_middle_was_never_built_again(engine, repository, tmp_path):
    names = [each.qualname for each in engine.symbols()]
    engine.close()
    (database,) = (tmp_path / "cache").rglob("index.db")
    with closing(sqlite3.connect(database)) as connection:
        (size,) = connection.execute("PRAGMA page_size").fetchone()
        query = "SELECT rootpage FROM sqlite_master WHERE name = 'names'"  # which no sync reads
        (page,) = connection.execute(query).fetchone()
    with database.open("r+b") as file:
        file.seek((page - 1) * size)
        file.write(b"\x5a" * size)
    card = engine.symbol("DatabaseClient.connect")
    assert [each.record.qualname for each in card.found] == ["DatabaseClient.connect"]
    assert [each.qualname for each in engine.symbols()] == names
