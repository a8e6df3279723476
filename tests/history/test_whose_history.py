"""Only ancestors of the commit that is checked out speak, however it came to be that commit."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from git_history import commit, git, new_repository

from sonde import Engine
from sonde.answers.results import Answer
from sonde.config import load_settings
from sonde.history.log import head_stamp

FIRST = "class Cart:\n    def total(self):\n        return 1\n"
WORD = "zwetschgen"  # which no source says


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    root = new_repository(tmp_path / "shop")
    commit(root, "Start the shop", cart__py=FIRST)
    commit(root, f"Sums of {WORD}", cart__py=FIRST.replace("return 1", "return 2"))
    commit(root, "Later", other__py="x = 1\n")
    return root


@pytest.fixture
def engine(repository: Path, tmp_path: Path) -> Iterator[Engine]:
    settings = load_settings(repository, {"SONDE_CACHE_DIR": str(tmp_path / "cache")}, {})
    with Engine(repository, settings) as opened:
        assert speaks(opened)
        yield opened


def speaks(engine: Engine) -> bool:
    """Whether the commit is heard, by the ranking and in an answer that may be a kept one."""
    ranked = bool(engine.rank(WORD).ranked)
    answer = engine.for_task(WORD, 2000)
    assert (isinstance(answer, Answer) and WORD in answer.text) == ranked
    return ranked


def test_a_soft_reset_changes_no_file_but_who_may_speak(engine: Engine, repository: Path) -> None:
    tip = git(repository, "rev-parse", "HEAD")
    git(repository, "reset", "-q", "--soft", "HEAD~2")
    assert not speaks(engine)
    git(repository, "reset", "-q", "--soft", tip)
    assert speaks(engine)


def test_a_commit_that_was_rebased_away_is_not_heard(engine: Engine, repository: Path) -> None:
    text = (repository / "cart.py").read_text()
    git(repository, "rebase", "-q", "--onto", "HEAD~2", "HEAD~1", "main")
    commit(repository, "The same by another name", cart__py=text)
    assert not speaks(engine)


def test_a_branch_without_commits_has_no_history(engine: Engine, repository: Path) -> None:
    git(repository, "checkout", "-q", "--orphan", "fresh")
    assert not speaks(engine)
    git(repository, "checkout", "-q", "-f", "main")
    assert speaks(engine)


def test_a_folder_that_is_no_repository_any_more_has_no_history(
    engine: Engine, repository: Path
) -> None:
    shutil.rmtree(repository / ".git")
    assert not speaks(engine)


@pytest.mark.parametrize(
    "does", ["exit 3", "head -c 9000 /dev/urandom", "echo main", "printf '\\0'"]
)
def test_nobody_speaks_when_git_cannot_tell_what_is_checked_out(
    engine: Engine, repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, does: str
) -> None:
    broken = tmp_path / "bin" / "git"
    broken.parent.mkdir()
    broken.write_text(f"#!/bin/sh\n{does}\n")
    broken.chmod(0o755)
    git(repository, "checkout", "-q", "HEAD~2")
    monkeypatch.setenv("PATH", str(broken.parent), prepend=":")
    assert not speaks(engine)


def test_without_a_server_another_line_of_history_is_read_by_the_question(
    engine: Engine, repository: Path
) -> None:
    git(repository, "checkout", "-q", "-b", "side", "HEAD~2")
    commit(repository, "Aside", aside__py="y = 1\n")
    assert not speaks(engine)
    git(repository, "checkout", "-q", "main")
    assert speaks(engine)


def test_without_a_server_a_clone_that_was_deepened_is_read_by_the_question(
    repository: Path, tmp_path: Path
) -> None:
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "-q", "--depth", "1", f"file://{repository}", str(clone))
    settings = load_settings(clone, {"SONDE_CACHE_DIR": str(tmp_path / "cache")}, {})
    with Engine(clone, settings) as engine:
        assert not speaks(engine)
        git(clone, "fetch", "-q", "--unshallow")
        assert speaks(engine)


def test_commits_are_noticed_without_a_log_of_references(engine: Engine, repository: Path) -> None:
    git(repository, "config", "core.logAllRefUpdates", "false")
    shutil.rmtree(repository / ".git" / "logs")
    assert speaks(engine)
    before = head_stamp(repository)
    git(repository, "commit", "-q", "--allow-empty", "-m", "Nothing")
    assert head_stamp(repository) != before
    git(repository, "reset", "-q", "--soft", "HEAD~3")
    assert not speaks(engine)


def test_a_task_that_is_only_the_number_of_an_issue_is_heard(
    engine: Engine, repository: Path
) -> None:
    commit(repository, "Sums (#4711)", cart__py=FIRST.replace("return 1", "return 3"))
    assert engine.rank("fix #4711").ranked[0].symbol.qualname == "Cart.total"
