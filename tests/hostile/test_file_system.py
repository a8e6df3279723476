"""Nasty file systems: the walk ends, reads nothing outside the root, and says what it left out."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from sonde.discover import DiscoverRules, discover
from sonde.model import SkipReason

RULES = DiscoverRules(excludes_file=None)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "workspace"
    folder.mkdir()
    (folder / "good.py").write_text("x = 1\n")
    return folder


def taken(root: Path) -> list[str]:
    return [file.path for file in discover(root, RULES).files]


def left_out(root: Path) -> dict[str, SkipReason]:
    return {skip.path: skip.reason for skip in discover(root, RULES).skipped}


@pytest.fixture
def opened_paths() -> Iterator[list[str]]:
    """Every path the interpreter opens or lists, resolved, as its audit events tell."""
    seen: list[str] = []
    watching = [True]

    def watch(event: str, arguments: tuple[object, ...]) -> None:
        if not watching or event not in ("open", "os.scandir", "os.listdir"):
            return
        folder, name = os.path.split(str(arguments[0]))
        if event == "open" and int(str(arguments[2])) & os.O_NOFOLLOW:
            seen.append(os.path.join(os.path.realpath(folder), name))  # refused if it is a link
        else:
            seen.append(os.path.realpath(str(arguments[0])))

    sys.addaudithook(watch)  # cannot be removed, only silenced
    yield seen
    watching.clear()


def test_links_out_of_the_root_are_reported_and_nothing_outside_is_opened(
    root: Path, tmp_path: Path, opened_paths: list[str]
) -> None:
    outside = tmp_path / "workspace-secrets"  # shares the root's name as a prefix
    (outside / "info").mkdir(parents=True)
    (outside / "secret.py").write_text("secret = 1\n")
    (outside / "info/exclude").write_text("good.py\n")
    (root / "file.py").symlink_to(outside / "secret.py")
    (root / "folder").symlink_to(outside)
    (root / "relative.py").symlink_to("../workspace-secrets/secret.py")
    (root / "chain.py").symlink_to("file.py")
    (root / "missing.py").symlink_to(outside / "nothing.py")
    (root / ".gitignore").symlink_to(outside / "info/exclude")
    (root / "sub").mkdir()
    (root / "sub/.git").write_text(f"gitdir: {outside}\n")
    (root / "sub/good.py").write_text("")
    (root / "linked").mkdir()
    (root / "linked/.git").symlink_to(outside)
    (root / "linked/good.py").write_text("")
    opened_paths.clear()
    found = discover(root, RULES)
    inside = str(root.resolve())
    assert inside in opened_paths
    assert [path for path in opened_paths if not f"{path}/".startswith(f"{inside}/")] == []
    assert [file.path for file in found.files] == ["good.py", "linked/good.py", "sub/good.py"]
    assert {skip.path for skip in found.skipped if skip.reason is SkipReason.OUTSIDE_ROOT} == {
        ".gitignore", "chain.py", "file.py", "folder", "linked/.git", "missing.py", "relative.py",
    }  # fmt: skip


def test_link_loops_end_and_are_reported(root: Path) -> None:
    (root / "a").mkdir()
    (root / "a/up").symlink_to("..")
    (root / "a/here").symlink_to(".")
    (root / "self").symlink_to("self")
    (root / "one").symlink_to("two")
    (root / "two").symlink_to("one")
    assert taken(root) == ["good.py"]
    loops = {path for path, reason in left_out(root).items() if reason is SkipReason.LINK_LOOP}
    assert loops == {"a/up", "a/here", "self", "one", "two"}


def test_link_inside_the_root_is_not_indexed_twice(root: Path) -> None:
    (root / "alias.py").symlink_to("good.py")
    (root / "pkg").mkdir()
    (root / "pkg/m.py").write_text("")
    (root / "again").symlink_to("pkg")
    assert taken(root) == ["good.py", "pkg/m.py"]
    assert left_out(root) == {}


def test_link_to_nothing_inside_the_root_is_unreadable(root: Path) -> None:
    (root / "gone.py").symlink_to("nothing.py")
    assert left_out(root) == {"gone.py": SkipReason.UNREADABLE}


def test_root_given_through_a_link_is_walked(root: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(root)
    assert taken(tmp_path / "link") == ["good.py"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes on this platform")
def test_pipes_and_sockets_are_reported_and_never_block(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    os.mkfifo(root / "pipe.py")
    os.mkfifo(root / ".gitignore")
    monkeypatch.chdir(root)  # the address of a socket is short
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("socket.py")
        assert taken(root) == ["good.py"]
        assert left_out(root) == dict.fromkeys(
            [".gitignore", "pipe.py", "socket.py"], SkipReason.SPECIAL_FILE
        )


def test_hostile_names_are_plain_data(root: Path) -> None:
    names = [
        "new\nline.py", "\x1b[31mred.py", "quo'te\".py", "-rf.py", "--help.py", " .py", "$(id).py",
        "a\\b.py", "*.py", "tab\t.py", "é😀.py", "\u202egnp.py",
    ]  # fmt: skip
    for name in names:
        (root / name).write_text("x = 1\n")
    assert taken(root) == sorted([*names, "good.py"])
    assert left_out(root) == {}


@pytest.mark.skipif(sys.platform != "linux", reason="names must be UTF-8 on other platforms")
def test_names_that_are_not_utf8_are_reported_in_escapes(root: Path) -> None:
    base = os.fsencode(root)
    Path(os.fsdecode(base + b"/bad\xff.py")).write_text("")
    os.mkdir(base + b"/dir\xfe")
    Path(os.fsdecode(base + b"/dir\xfe/in.py")).write_text("")
    os.symlink("good.py", base + b"/link\xfd")
    assert taken(root) == ["good.py"]
    assert left_out(root) == dict.fromkeys(
        [r"bad\xff.py", r"dir\xfe", r"link\xfd"], SkipReason.BAD_NAME
    )


@pytest.mark.skipif(not hasattr(os, "seteuid"), reason="no permissions to take away")
def test_unreadable_files_and_folders_cost_only_themselves() -> None:
    folder = Path(tempfile.mkdtemp())  # unlike the usual one, others may look into it
    try:
        folder.chmod(0o755)
        (folder / "good.py").write_text("x = 1\n")
        (folder / "closed.py").write_text("x = 1\n")
        (folder / "shut").mkdir()
        (folder / "shut/in.py").write_text("")
        (folder / "closed.py").chmod(0)
        (folder / "shut").chmod(0)
        as_root = os.geteuid() == 0
        if as_root:
            os.seteuid(65534)  # permissions do not bind the superuser
        try:
            found, skipped = taken(folder), left_out(folder)
        finally:
            if as_root:
                os.seteuid(0)
        assert found == ["good.py"]
        assert skipped == dict.fromkeys(["closed.py", "shut"], SkipReason.UNREADABLE)
    finally:
        (folder / "shut").chmod(0o700)
        shutil.rmtree(folder)


def make_deep(root: Path, name: str, depth: int) -> None:
    """Folders inside each other, made from within: the whole path may be too long to name."""
    here = os.open(root, os.O_RDONLY)
    for _ in range(depth):
        os.mkdir(name, dir_fd=here)
        deeper = os.open(name, os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = deeper
    os.close(os.open("leaf.py", os.O_CREAT | os.O_WRONLY, dir_fd=here))
    os.close(here)


def remove_deep(root: Path) -> None:
    """The library's own removal recurses, and so would fail when old test folders are cleared."""
    subprocess.run(["rm", "-rf", str(root)], check=True)


def test_deep_nesting_beyond_the_recursion_limit_is_walked(root: Path) -> None:
    make_deep(root, "d", 1500)
    try:
        assert taken(root) == ["d/" * 1500 + "leaf.py", "good.py"]
    finally:
        remove_deep(root)


def test_paths_longer_than_the_system_bears_are_too_deep(root: Path) -> None:
    make_deep(root, "folder-with-a-rather-long-name", 200)
    try:
        assert taken(root) == ["good.py"]
        assert list(left_out(root).values()) == [SkipReason.TOO_DEEP]
    finally:
        remove_deep(root)


def test_ignore_patterns_made_to_backtrack_cost_no_time(root: Path) -> None:
    (root / ".gitignore").write_text(
        "*a" * 60 + "b\n" + "**/a*/" * 40 + "b\n" + "*" * 5000 + "b\n" + "[" * 5000 + "\n"
    )
    deep = root.joinpath(*["a" * 60] * 20)
    deep.mkdir(parents=True)
    (deep / ("a" * 200)).write_text("#!/bin/sh\n")
    started = time.process_time()
    assert len(taken(root)) == 2
    assert time.process_time() - started < 2


def test_ignore_file_of_garbage_is_survived(root: Path) -> None:
    (root / ".gitignore").write_bytes(bytes(range(256)) * 40 + b"\n\xff\xfe*\n!\n/\n//\n\\\n")
    (root / ".sondeignore").mkdir()
    assert taken(root) == ["good.py"]


def test_repository_configuration_runs_nothing_and_names_no_excludes(
    root: Path, tmp_path: Path
) -> None:
    excludes = tmp_path / "excludes"
    excludes.write_text("good.py\n")
    (root / ".git/info").mkdir(parents=True)
    (root / ".git/config").write_text(
        f"[core]\n\tfsmonitor = touch {tmp_path}/ran\n\texcludesFile = {excludes}\n"
    )
    assert taken(root) == ["good.py"]
    assert not (tmp_path / "ran").exists()


def test_enormous_and_one_line_files_are_decided_without_reading_them_whole(root: Path) -> None:
    with open(root / "huge.py", "wb") as file:
        file.truncate(50_000_000_000)  # sparse
    (root / "line.py").write_text("x = " + "1 + " * 200_000 + "1\n")
    assert left_out(root) == {"huge.py": SkipReason.TOO_LARGE, "line.py": SkipReason.MINIFIED}
