"""What git tracks is taken although a pattern of a `.gitignore` matches it."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest
from walked import paths, rules

from sonde.discover import Walker, discover, known_files

Tree = Callable[..., Path]
Git = Callable[..., str]
_TICK = 0.02  # seconds, longer than a tick of any file system's clock that tests run on


@pytest.fixture
def trusted_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Times are trusted right away; the tests let the clock tick instead."""
    monkeypatch.setattr("sonde.discover.stamp._RACY_NS", 0)


@pytest.fixture
def repository(tree: Tree, git: Git) -> Path:
    """A repository whose ignore patterns match some files that it tracks."""
    root = tree(
        {
            ".gitignore": "gradle/\n*_pb2.py\n",
            "src/gradle/Plugin.kt": "class Plugin\n",
            "src/gradle/deep/Task.kt": "class Task\n",
            "src/api_pb2.py": "x = 1\n",
            "src/main.py": "x = 1\n",
        }
    )
    git(root, "init", "-q")
    git(root, "add", "-f", ".")
    (root / "src/gradle/Local.kt").write_text("class Local\n")
    (root / "src/gradle/cache").mkdir()
    (root / "src/gradle/cache/Cached.kt").write_text("class Cached\n")
    (root / "src/other_pb2.py").write_text("x = 1\n")
    return root


TRACKED = ["src/api_pb2.py", "src/gradle/Plugin.kt", "src/gradle/deep/Task.kt", "src/main.py"]


def test_bug_tracked_sources_in_an_ignored_folder_were_left_out(repository: Path, git: Git) -> None:
    assert paths(repository) == TRACKED
    ignored = git(repository, "ls-files", "-ci", "--exclude-standard").split()
    assert set(ignored) == {*TRACKED} - {"src/main.py"}


def test_our_own_rules_and_what_is_left_out_by_default_are_stronger(tree: Tree, git: Git) -> None:
    root = tree(
        {
            ".gitignore": "gradle/\n*.py\nvendor/\n",
            ".sondeignore": "*_pb2.py\n/gradle/private/\n",
            "go.mod": "module x\n",
            "gradle/Plugin.kt": "class Plugin\n",
            "gradle/configured/A.kt": "class A\n",
            "gradle/node_modules/x.js": "let x = 1\n",
            "gradle/private/B.kt": "class B\n",
            "gradle/venv/pyvenv.cfg": "",
            "gradle/venv/x.kt": "class X\n",
            "main.py": "x = 1\n",
            "api_pb2.py": "x = 1\n",
            "vendor/x/x.go": "package x\n",
        }
    )
    git(root, "init", "-q")
    git(root, "add", "-f", ".")
    found = paths(root, ignore=("gradle/configured/",))
    assert found == ["go.mod", "gradle/Plugin.kt", "main.py"]


def test_a_worktree_has_an_index_of_its_own(repository: Path, git: Git) -> None:
    git(repository, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "-m", "one")
    worktree = repository.parent / "worktree"
    git(repository, "worktree", "add", "-q", str(worktree))
    git(worktree, "rm", "-q", "--cached", "src/api_pb2.py")
    assert paths(worktree) == [path for path in TRACKED if path != "src/api_pb2.py"]
    assert paths(repository) == TRACKED


def test_repositories_inside_have_indexes_of_their_own(repository: Path, git: Git) -> None:
    """One in an ignored folder counts only if the outer one tracks it, as a submodule."""
    for name in ("gradle/tracked", "gradle/ignored", "plain"):
        inner = repository / name
        (inner / "sub").mkdir(parents=True)
        (inner / ".gitignore").write_text("sub/\n")
        (inner / "sub/kept.py").write_text("x = 1\n")
        (inner / "open.py").write_text("x = 1\n")
        git(inner, "init", "-q")
        git(inner, "add", "-f", ".")
        git(inner, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "-m", "one")
    git(repository, "-c", "advice.addEmbeddedRepo=false", "add", "-f", "gradle/tracked")
    inside = [f"{name}/{path}" for name in ("gradle/tracked", "plain")
              for path in ("open.py", "sub/kept.py")]  # fmt: skip
    assert paths(repository) == sorted([*TRACKED, *inside])


def test_without_a_repository_or_an_index_patterns_alone_decide(tree: Tree, git: Git) -> None:
    root = tree({".gitignore": "a.py\n", "a.py": "", "b.py": ""})
    assert paths(root) == ["b.py"]
    git(root, "init", "-q")
    assert paths(root) == ["b.py"]
    (root / ".git/index").write_bytes(b"torn")
    assert paths(root) == ["b.py"]


@pytest.mark.usefixtures("trusted_at_once")
def test_what_git_begins_or_ceases_to_track_is_seen_by_the_next_walk(
    repository: Path, git: Git
) -> None:
    time.sleep(_TICK)
    walker = Walker(repository, rules())
    found = walker.walk({})
    for command in (
        ("add", "-f", "src/other_pb2.py"),
        ("add", "-f", "src/gradle/cache/Cached.kt"),
        ("rm", "-q", "--cached", "src/gradle/deep/Task.kt"),
        ("rm", "-q", "-r", "--cached", "src/gradle"),
    ):
        git(repository, *command)
        time.sleep(_TICK)
        again = walker.walk(known_files(found))
        assert again != found
        assert again == discover(repository, rules())
        found = again


@pytest.mark.usefixtures("trusted_at_once")
def test_a_sighting_ends_when_what_is_tracked_may_have_changed(repository: Path, git: Git) -> None:
    time.sleep(_TICK)
    walker = Walker(repository, rules())
    walker.walk({})
    sighting = walker.sighting()
    assert sighting is not None
    assert sighting.still_holds(str(repository))
    git(repository, "add", "-f", "src/other_pb2.py")
    assert not sighting.still_holds(str(repository))


def test_git_is_not_asked_where_it_ignores_nothing_that_is_met(
    repository: Path, git: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    (repository / ".gitignore").write_text("*.log\n__pycache__/\n")
    (repository / "src/__pycache__").mkdir()
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr("sonde.git.run_git", None)
    assert "src/gradle/Local.kt" in paths(repository)
