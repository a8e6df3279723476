"""Our reading of ignore patterns agrees with git's own, on made-up patterns and trees."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest
from walked import paths

NAMES = ["a", "b", "ab", "abc", "a.py", "b.py", "x y", "foo", "bar", "b-d", "#n", "!n", "é", "a]"]
GLOBS = [
    "a", "b", "ab", "a*", "*b", "*.py", "?", "a?c", "[ab]", "[!a]", "[^a]*", "[a-c]b", "[]a]*",
    "*[]]", "[[:alpha:]]", "[[:digit:]a]b", "[a-", "[[:nope:]]", "foo", "b*r", "*o*", "x\\ y",
    "x y", "\\#n", "\\!n", "#n", "é", "*", "**", "a\\", "\\a", "f**o", "b\\-d", "[b\\-]?d", "*a*b*",
    "[z-a]*", "[a-]*", "[!]a]", "[\\]]*", "a[]]",
]  # fmt: skip


def make_pattern(dice: random.Random) -> str:
    """One line of an ignore file, mostly sensible."""
    depth = dice.choice([1, 1, 1, 2, 2, 3])
    parts = [dice.choice([*GLOBS, "**"]) if depth > 1 else dice.choice(GLOBS) for _ in range(depth)]
    # Glued to a literal that follows a slash, git's "**" crosses slashes by accident.
    parts = ["f*o" if part == "f**o" and depth > 1 else part for part in parts]
    text = "/".join(parts)
    text = dice.choice(["", "", "", "/"]) + text + dice.choice(["", "", "", "/"])
    return dice.choice(["", "", "", "!"]) + text + dice.choice(["", "", "", "", "  ", "\r"])


def make_tree(dice: random.Random, root: Path) -> list[str]:
    """Files up to four folders deep; returns the folders."""
    folders = [""]
    for _ in range(60):
        parts = [dice.choice(NAMES) for _ in range(dice.choice([1, 2, 2, 3, 4]))]
        target = root.joinpath(*parts)
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text("#!/bin/sh\n")  # has a language whatever its name
        except OSError:  # a file stands where a folder is wanted, or the reverse
            continue
        folders.append("/".join(parts[:-1]))
    return folders


def make_sources_of_rules(dice: random.Random, root: Path, folders: list[str]) -> None:
    (root / ".git/info/exclude").write_text(f"{make_pattern(dice)}\n")
    for folder in {"", dice.choice(folders), dice.choice(folders)}:
        lines = [make_pattern(dice) for _ in range(dice.choice([2, 4, 8]))]
        (root / folder / ".gitignore").write_text("\n".join(lines))


@pytest.mark.parametrize("seed", range(80))
def test_walk_takes_what_git_does_not_ignore(
    seed: int, tmp_path: Path, git: Callable[..., str]
) -> None:
    dice = random.Random(seed)
    root = tmp_path / "repository"
    root.mkdir()
    git(root, "init", "-q")
    make_sources_of_rules(dice, root, make_tree(dice, root))
    listed = git(root, "ls-files", "--others", "--exclude-standard", "-z").split("\0")
    expected = sorted(path for path in listed if path and not path.endswith(".gitignore"))
    assert paths(root) == expected


def test_single_patterns_match_what_check_ignore_matches(
    tmp_path: Path, git: Callable[..., str]
) -> None:
    dice = random.Random(2024)
    root = tmp_path / "repository"
    root.mkdir()
    git(root, "init", "-q")
    make_tree(dice, root)
    everything = paths(root)
    differing = []
    for pattern in sorted({make_pattern(dice).removeprefix("!") for _ in range(150)}):
        (root / ".gitignore").write_text(pattern + "\n")
        listed = git(root, "ls-files", "--others", "--ignored", "--exclude-standard", "-z")
        ignored = {path for path in listed.split("\0") if path} - {".gitignore"}
        if set(everything) - set(paths(root)) != ignored:
            differing.append(pattern)
    assert differing == []
