"""A walker's later walks: quicker than its first, and equal to it."""

from __future__ import annotations

import os
import random
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from walked import mutate, rules

from sonde.discover import Walker, discover, known_files

Tree = Callable[..., Path]
_TICK = 0.02  # seconds, longer than a tick of any file system's clock that tests run on


@pytest.fixture(autouse=True)
def trusted_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Times are trusted right away; the tests let the clock tick instead."""
    monkeypatch.setattr("sonde.discover.stamp._RACY_NS", 0)


@pytest.mark.parametrize("seed", range(4))
def test_after_any_edits_a_walk_again_finds_what_a_first_walk_finds(tree: Tree, seed: int) -> None:
    chance = random.Random(seed)
    root = tree({f"{a}/{b}/{c}.py": "" for a in "ab" for b in "cd" for c in "ef"})
    walker = Walker(root, rules())
    known = known_files(walker.walk({}))
    for _ in range(30):
        (root / "stays.py").touch()
        mutate(root, chance)
        time.sleep(_TICK)
        found = walker.walk(known)
        assert found == discover(root, rules())
        known = known_files(found)
        time.sleep(_TICK)


def test_an_unchanged_folder_is_not_listed_again(
    tree: Tree, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = tree({"a/x.py": "", "b/y.py": "", ".gitignore": "*.log\n"})
    time.sleep(_TICK)
    walker = Walker(root, rules())
    known = known_files(walker.walk({}))
    (root / "b/z.py").write_text("")
    time.sleep(_TICK)
    listed: list[str] = []
    scandir = os.scandir
    monkeypatch.setattr(os, "scandir", lambda path: listed.append(str(path)) or scandir(path))
    found = walker.walk(known)
    assert [file.path for file in found.files] == ["a/x.py", "b/y.py", "b/z.py"]
    assert [os.path.relpath(path, root) for path in listed] == ["b"]


def test_a_folder_changed_a_moment_ago_is_listed_again(
    tree: Tree, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two changes within one tick of the clock leave one and the same time."""
    monkeypatch.setattr("sonde.discover.stamp._RACY_NS", 2_000_000_000)
    root = tree({"a/x.py": ""})
    walker = Walker(root, rules())
    known = known_files(walker.walk({}))
    before = (root / "a").stat()
    (root / "a/y.py").write_text("")
    os.utime(root / "a", ns=(before.st_atime_ns, before.st_mtime_ns))
    assert [file.path for file in walker.walk(known).files] == ["a/x.py", "a/y.py"]


def test_changed_excludes_of_the_repository_count_at_once(tree: Tree) -> None:
    root = tree({".git/info/exclude": "", "a.py": "", "b.py": ""})
    time.sleep(_TICK)
    walker = Walker(root, rules())
    known = known_files(walker.walk({}))
    (root / ".git/info/exclude").write_text("a.py\n")
    assert [file.path for file in walker.walk(known).files] == ["b.py"]


def test_an_edit_made_all_that_is_known_of_its_folder_anew(tree: Tree) -> None:
    root = tree({"a/x.py": "", "a/y.py": "", "a/b/z.py": ""})
    time.sleep(_TICK)
    walker = Walker(root, rules())
    first = walker.walk({})
    (root / "a/new.py").write_text("")
    time.sleep(_TICK)
    again = walker.walk(known_files(first))
    assert again == discover(root, rules())
    before = {id(each) for each in first.files}
    assert [each.path for each in again.files if id(each) not in before] == ["a/new.py"]


def test_a_file_of_the_time_zero_is_looked_at_again(tree: Tree) -> None:
    """Archives that are built reproducibly unpack files of 1970, and no time stood for no look."""
    root = tree({"a/x.py": "one = 1\n", "a/data": "\0" * 80})
    for path in ("a/x.py", "a/data"):
        os.utime(root / path, ns=(0, 0))
    time.sleep(_TICK)
    walker = Walker(root, rules())
    known = known_files(walker.walk({}))
    (root / "a/x.py").write_text("one = 1\ntwo = 2\n")
    (root / "a/data").write_text("#!/usr/bin/env python3\n")
    assert walker.sighting() is None
    assert walker.walk(known) == discover(root, rules())
