"""A walker's later walks: quicker than its first, and equal to it."""

from __future__ import annotations

import os
import random
import shutil
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from walked import rules

from sonde.discover import Walker, discover, known_files

Tree = Callable[..., Path]
_TICK = 0.02  # seconds, longer than a tick of any file system's clock that tests run on


@pytest.fixture(autouse=True)
def trusted_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Times are trusted right away; the tests let the clock tick instead."""
    monkeypatch.setattr("sonde.discover.stamp._RACY_NS", 0)


def _mutate(root: Path, chance: random.Random) -> None:
    files = sorted(path for path in root.rglob("*") if path.is_file() and not path.is_symlink())
    folders = sorted({root, *(path for path in root.rglob("*") if path.is_dir())})
    choice = chance.randrange(8)
    target = chance.choice(files)
    folder = chance.choice(folders)
    if choice == 0:
        target.unlink()
    elif choice == 1:
        target.write_text(f"x = {chance.random()}\n")
    elif choice == 2:
        (folder / f"new{chance.randrange(5)}.py").write_text("y = 1\n")
    elif choice == 3:
        made = folder / f"sub{chance.randrange(3)}"
        made.mkdir(exist_ok=True)
        (made / "deep.py").write_text("z = 1\n")
    elif choice == 4:
        (folder / ".gitignore").write_text(chance.choice(["*.py\n", "sub1/\n", "new1.py\n"]))
    elif choice == 5:
        (folder / ".gitignore").unlink(missing_ok=True)
    elif choice == 6:
        tag = folder / "CACHEDIR.TAG"
        tag.unlink() if tag.exists() else tag.write_text("")
    elif folder != root:
        shutil.rmtree(folder)


@pytest.mark.parametrize("seed", range(4))
def test_after_any_edits_a_walk_again_finds_what_a_first_walk_finds(tree: Tree, seed: int) -> None:
    chance = random.Random(seed)
    root = tree({f"{a}/{b}/{c}.py": "" for a in "ab" for b in "cd" for c in "ef"})
    walker = Walker(root, rules())
    known = known_files(walker.walk({}))
    for _ in range(30):
        (root / "stays.py").touch()
        _mutate(root, chance)
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
