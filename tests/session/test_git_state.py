"""What is checked out and changed, read without running anything of the repository."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from sonde.session.git_state import git_state


def git(root: Path, *words: str) -> None:
    who = ("-c", "user.name=a", "-c", "user.email=a@example.com")
    subprocess.run(["git", *who, *words], cwd=root, check=True, capture_output=True)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    git(tmp_path, "init", "-q", "-b", "work")
    (tmp_path / "a.py").write_text("one = 1\n")
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-qm", "first")
    return tmp_path


def test_branch_changed_files_and_diff_are_told(repository: Path):
    (repository / "a.py").write_text("one = 2\n")
    state = git_state(repository)
    assert state is not None
    assert (state.branch, state.modified) == ("work", ("a.py",))
    assert "+one = 2" in state.diff


def test_without_a_repository_there_is_nothing_to_tell(tmp_path: Path):
    assert git_state(tmp_path) is None


def test_a_commit_without_branch_is_told_by_its_beginning(repository: Path):
    git(repository, "checkout", "-q", "--detach")
    state = git_state(repository)
    assert state is not None
    assert len(state.branch) == 12


def test_filters_of_the_repository_never_run(repository: Path, tmp_path: Path):
    ran = tmp_path / "ran"
    for key in ("clean", "smudge"):
        git(repository, "config", f"filter.evil.{key}", f"touch {ran}; cat")
    git(repository, "config", "filter.evil.required", "true")
    (repository / ".gitattributes").write_text("*.py filter=evil\n")
    (repository / "a.py").write_text("one = 3\n")
    state = git_state(repository)
    assert state is not None
    assert "+one = 3" in state.diff
    assert not ran.exists()


def test_a_work_tree_that_the_repository_names_elsewhere_is_not_read(tmp_path: Path):
    (tmp_path / "a.py").write_text("secret = 1\n")
    root = tmp_path / "repository"
    root.mkdir()
    git(root, "init", "-q")
    (root / "a.py").write_text("one = 1\n")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "first")
    git(root, "config", "core.worktree", str(tmp_path))
    state = git_state(root)
    assert state is not None
    assert state.diff == ""
    (root / "a.py").write_text("one = 2\n")
    changed = git_state(root)
    assert changed is not None
    assert "+one = 2" in changed.diff


def test_a_submodule_tells_what_changed_in_it(tmp_path: Path, repository: Path):
    outer = tmp_path / "outer"
    outer.mkdir()
    git(outer, "init", "-q")
    add = ("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(repository), "inner")
    git(outer, *add)
    (outer / "inner/a.py").write_text("one = 5\n")
    state = git_state(outer / "inner")
    assert state is not None
    assert state.modified == ("a.py",)


@pytest.mark.parametrize("name", [b"a=b", b"a\x0bb", b"a\xffb"])
def test_a_filter_whose_name_cannot_be_switched_off_costs_the_diff(
    repository: Path, tmp_path: Path, name: bytes
):
    ran = tmp_path / "ran"
    git(repository, "config", f"filter.{os.fsdecode(name)}.clean", f"touch {ran}; cat")
    (repository / ".gitattributes").write_bytes(b"*.py filter=" + name + b"\n")
    (repository / "a.py").write_text("one = 3\n")
    state = git_state(repository)
    assert not ran.exists()
    assert state is not None
    assert (state.branch, state.diff) == ("work", "")
