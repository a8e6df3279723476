"""Histories that are not all there: shallow and partial clones, linked worktrees, older stores."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from git_history import commit, git, new_repository

from sonde.history.log import Log, head_stamp, read_log
from sonde.history.refresh import refresh
from sonde.history.store import History, open_history

FIRST = "def total(cart):\n    return 1\n"


@pytest.fixture
def origin(tmp_path: Path) -> Path:
    root = new_repository(tmp_path / "origin")
    commit(root, "Start the shop", cart__py=FIRST)
    commit(root, "Fix rounding of sums", cart__py=FIRST.replace("1", "2"))
    commit(root, "Fix the sum of nothing", cart__py=FIRST.replace("1", "3"))
    git(root, "config", "uploadpack.allowFilter", "true")
    return root


def cloned(origin: Path, *options: str) -> Path:
    place = origin.parent / "clone"
    git(origin, "clone", "-q", "--no-local", *options, f"file://{origin}", str(place))
    return place


def subjects(history: History) -> list[str]:
    found = history.search(["shop", "sums", "sum"], 9)
    return sorted(match.subject for match in found)


def test_what_the_last_commit_of_a_shallow_clone_changed_is_not_known(
    origin: Path, tmp_path: Path
) -> None:
    history = History(tmp_path / "h.db")
    assert refresh(cloned(origin, "--depth", "2"), history)
    assert subjects(history) == ["Fix the sum of nothing"]


def test_a_clone_that_is_deepened_later_is_read_on(origin: Path, tmp_path: Path) -> None:
    clone = cloned(origin, "--depth", "1")
    history = History(tmp_path / "h.db")
    refresh(clone, history)
    before = head_stamp(clone)
    git(clone, "fetch", "-q", "--unshallow")
    assert head_stamp(clone) != before
    assert refresh(clone, history)
    assert subjects(history) == ["Fix rounding of sums", "Start the shop"]


def test_a_clone_without_old_contents_tells_files_without_functions(
    origin: Path, tmp_path: Path
) -> None:
    clone = cloned(origin, "--filter=blob:none")
    log = read_log(clone, "HEAD", 0, 9, 20.0)
    assert [each.touched for each in log.commits] == [(("cart.py", ()),)] * 3
    assert not log.renames


def test_a_clone_without_large_files_knew_no_functions_at_all(origin: Path, tmp_path: Path) -> None:
    vast = "".join(f"def f{number}():\n    return {number}\n" for number in range(200))
    commit(origin, "Copy a library", library__py=vast)
    for step in range(4, 24):
        commit(origin, f"Sums {step}", cart__py=FIRST.replace("1", str(step)))
    git(origin, "rm", "-q", "library.py")
    commit(origin, "Without it")
    clone = cloned(origin, "--filter=blob:limit=2k")
    history = History(tmp_path / "h.db")
    assert refresh(clone, history)
    found = {match.subject: match.touched for match in history.search(["sums", "copy"], 99)}
    assert found.pop("Copy a library") == (("library.py", ()),)
    assert len(found) == 22
    assert set(found.values()) == {(("cart.py", ("total",)),)}


def test_a_commit_in_a_linked_worktree_is_noticed(origin: Path, tmp_path: Path) -> None:
    linked = tmp_path / "linked"
    git(origin, "worktree", "add", "-q", "-b", "other", str(linked))
    before = head_stamp(linked)
    commit(linked, "Another sum", cart__py=FIRST.replace("1", "4"))
    assert head_stamp(linked) != before


def test_a_store_of_an_older_version_is_read_again(origin: Path, tmp_path: Path) -> None:
    path = tmp_path / "h.db"
    history = History(path)
    refresh(origin, history)
    history.close()
    old = sqlite3.connect(path)
    old.execute("DROP TABLE renames")
    old.execute("PRAGMA user_version = 0")
    old.commit()
    old.close()
    again = open_history(path)
    assert isinstance(again, History)
    assert again.count == 0
    assert refresh(origin, again)
    assert again.count == 3


def test_a_missing_order_file_silenced_every_commit(origin: Path, tmp_path: Path) -> None:
    git(origin, "config", "diff.orderFile", str(tmp_path / "no-such-file"))
    log = read_log(origin, "HEAD", 0, 9, 20.0)
    assert isinstance(log, Log)
    assert log.walked == 3
