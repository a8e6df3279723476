"""Where the index lives, who may write it, and which schema is accepted."""

from __future__ import annotations

import errno
import os
import sqlite3
import subprocess
from pathlib import Path

import pytest

from sonde.history.log import head_stamp
from sonde.store.database import open_for_writing
from sonde.store.errors import ProblemKind, StoreError
from sonde.store.location import workspace
from sonde.store.lock import writer_lock
from sonde.store.source import Stale, read_source


def test_worktrees_share_facts_and_have_their_own_index(tmp_path: Path) -> None:
    root = tmp_path / "main"
    identity = ["-c", "user.name=a", "-c", "user.email=a@b"]
    subprocess.run(["git", "init", "-q", str(root)], check=True)
    commit = ["git", *identity, "commit", "-q", "--allow-empty", "-m", "x"]
    subprocess.run(commit, cwd=root, check=True)
    add = ["git", "worktree", "add", "-q", str(tmp_path / "other")]
    subprocess.run(add, cwd=root, check=True, capture_output=True)
    one, other = (workspace(tmp_path / name, tmp_path / "cache") for name in ("main", "other"))
    assert one.facts == other.facts
    assert one.folder != other.folder


def test_the_same_folder_through_a_link_is_the_same_workspace(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    cache = tmp_path / "cache"
    assert workspace(tmp_path / "real", cache) == workspace(tmp_path / "link", cache)


def test_a_hostile_folder_name_stays_inside_the_cache(tmp_path: Path) -> None:
    root = tmp_path / "..weird\n name'\x1b[31m"
    root.mkdir()
    place = workspace(root, tmp_path / "cache")
    assert place.folder.parent == tmp_path / "cache" / "workspaces"
    assert place.name.isascii()
    assert place.name.isprintable()


def test_a_second_writer_is_told_who_holds_the_lock(tmp_path: Path) -> None:
    lock = tmp_path / "writer.lock"
    with writer_lock(lock, 0), pytest.raises(StoreError) as error, writer_lock(lock, 0.05):
        pass
    assert error.value.problem.kind is ProblemKind.BUSY
    assert str(os.getpid()) in error.value.problem.message
    with writer_lock(lock, 0):
        pass


def test_an_index_of_a_newer_version_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "index.db"
    open_for_writing(path).close()
    with sqlite3.connect(path) as database:
        database.execute("PRAGMA user_version = 999")
    database.close()
    with pytest.raises(StoreError) as error:
        open_for_writing(path)
    assert error.value.problem.kind is ProblemKind.NEWER
    assert path.exists()


def test_a_cache_that_cannot_be_written_is_told_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError) as error:
        open_for_writing(tmp_path / "file" / "index.db")
    assert error.value.problem.kind is ProblemKind.UNWRITABLE
    assert "\n" not in error.value.problem.message


@pytest.mark.parametrize("pointer", [b"gitdir: a\0b\n", b"gitdir: loop\n", b"gitdir:\n", b"\xff"])
def test_a_hostile_pointer_to_a_repository_leads_nowhere(tmp_path: Path, pointer: bytes) -> None:
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / ".git").write_bytes(pointer)
    assert workspace(tmp_path, tmp_path / "cache").facts.parent == tmp_path / "cache" / "facts"
    assert not any(head_stamp(tmp_path)[:2])


@pytest.mark.parametrize("name", ["HEAD", "commondir"])
def test_hostile_files_of_git_neither_block_nor_raise(tmp_path: Path, name: str) -> None:
    place = tmp_path / ".git" / name
    place.parent.mkdir()
    place.write_bytes(b"ref: refs/heads/a\0b\n")
    head_stamp(tmp_path)
    place.unlink()
    os.mkfifo(place)
    head_stamp(tmp_path)


def test_what_is_no_regular_file_has_no_source(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").write_text("text")
    for path in ("folder", "a\0b", "\ud800", "file/below"):
        assert isinstance(read_source(str(tmp_path), path), Stale)
    assert read_source(str(tmp_path), "file", most=2) == b"te"


def test_source_lies_below_the_root_wherever_links_lead(tmp_path: Path) -> None:
    root = tmp_path / "root"
    (root / "folder").mkdir(parents=True)
    (root / "folder" / "file").write_text("ours")
    (tmp_path / "file").write_text("theirs")
    (root / "within").symlink_to(root / "folder")
    (root / "without").symlink_to(tmp_path)
    for path in ("folder/file", "within/file", "folder/../folder/file", "without/root/folder/file"):
        assert read_source(str(root), path) == b"ours"
    for path in ("without/file", "../file", "folder/../../file", "within/../../file"):
        assert isinstance(read_source(str(root), path), Stale)


def test_a_full_disk_is_told_by_whoever_takes_the_lock(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> int:
        raise OSError(errno.ENOSPC, "no space left on device")

    monkeypatch.setattr(os, "pwrite", full)
    with pytest.raises(StoreError) as error, writer_lock(tmp_path / "writer.lock", 0):
        pass
    assert error.value.problem.kind is ProblemKind.DISK_FULL
