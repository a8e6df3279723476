"""What a walk saw holds only as long as another walk would see the same."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from walked import mutate, rules

from sonde.discover import Walker, discover
from sonde.discover.sighting import Sighting, decode, encode

Tree = Callable[..., Path]
_TICK = 0.02  # seconds, longer than a tick of any file system's clock that tests run on


@pytest.fixture(autouse=True)
def trusted_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Times are trusted right away; the tests let the clock tick instead."""
    monkeypatch.setattr("sonde.discover.stamp._RACY_NS", 0)


def _seen(root: Path, **changes: Any) -> Sighting:
    """What a walk sees, as the next process reads it."""
    time.sleep(_TICK)
    walker = Walker(root, rules(**changes))
    walker.walk({})
    sighting = walker.sighting()
    assert sighting is not None
    read = decode(encode(sighting, "key"), "key")
    assert read is not None
    assert read.still_holds(str(root))
    time.sleep(_TICK)
    return read


@pytest.mark.parametrize("seed", range(4))
def test_it_holds_no_longer_when_a_walk_would_find_something_else(tree: Tree, seed: int) -> None:
    chance = random.Random(seed)
    root = tree({f"{a}/{b}/{c}.py": "" for a in "ab" for b in "cd" for c in "ef"})
    found = 0
    for _ in range(30):
        (root / "stays.py").touch()
        before, sighting = discover(root, rules()), _seen(root)
        mutate(root, chance)
        if discover(root, rules()) != before:
            found += 1
            assert not sighting.still_holds(str(root))
    assert found > 10


def test_ignore_rules_outside_and_in_the_repository_count(tree: Tree) -> None:
    root = tree({".git/info/exclude": "", "a.py": "", "b.py": ""})
    outside = root.parent / "excludes"
    for place in (root / ".git/info/exclude", outside):
        sighting = _seen(root, excludes_file=outside)
        place.write_text("a.py\n")
        assert not sighting.still_holds(str(root))


def test_a_link_that_leads_elsewhere_counts(tree: Tree) -> None:
    root = tree({"in/a.py": ""})
    outside = root.parent / "outside"
    outside.mkdir()
    (root.parent / "way").symlink_to(root / "in")
    (root / "link").symlink_to(root.parent / "way")
    sighting = _seen(root)
    (root.parent / "way").unlink()
    (root.parent / "way").symlink_to(outside)
    assert not sighting.still_holds(str(root))


def test_a_file_that_is_too_large_no_longer_counts(tree: Tree) -> None:
    root = tree({"a.py": "", "large.py": "x = 1\n" * 100})
    sighting = _seen(root, max_file_bytes=100)
    (root / "large.py").write_text("x = 1\n")
    assert not sighting.still_holds(str(root))


def test_times_of_a_moment_ago_tell_nothing(tree: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sonde.discover.stamp._RACY_NS", 2_000_000_000)
    root = tree({"a.py": ""})
    walker = Walker(root, rules())
    walker.walk({})
    assert walker.sighting() is None


def test_another_key_and_damaged_bytes_are_nothing(tree: Tree) -> None:
    data = encode(_seen(tree({"a.py": "", "b/c.py": ""})), "key")
    assert decode(data, "other") is None
    for cut in (0, 8, 20, len(data) - 1):
        assert decode(data[:cut], "key") is None
    assert decode(data[:40] + bytes([data[40] ^ 1]) + data[41:], "key") is None
