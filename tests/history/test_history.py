from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from sonde import Engine
from sonde.config import load_settings
from sonde.history.log import read_log
from sonde.history.refresh import refresh
from sonde.history.store import History, open_history


def git(root: Path, *arguments: str) -> str:
    identity = ("-c", "user.name=A Dev", "-c", "user.email=dev@example.invalid")
    done = subprocess.run(
        ["git", *identity, *arguments], cwd=root, check=True, capture_output=True, text=True
    )
    return done.stdout.strip()


def commit(root: Path, message: str, **files: str) -> str:
    for name, text in files.items():
        (root / name.replace("__", ".")).write_text(text)
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", message)
    return git(root, "rev-parse", "HEAD")


FIRST = (
    "class Cart:\n    def total(self):\n        return 1\n\n    def clear(self):\n        pass\n"
)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    root = tmp_path / "shop"
    root.mkdir()
    git(root, "init", "-q", "-b", "main")
    commit(root, "Start the shop", cart__py=FIRST)
    commit(
        root,
        "Fix rounding of sums\n\nPrices were cut.",
        cart__py=FIRST.replace("return 1", "return 2"),
    )
    return root


def test_a_commit_names_the_method_around_each_change(repository: Path) -> None:
    log = read_log(repository, "HEAD", 0, 10, 20.0)
    assert log.commits[0].subject == "Fix rounding of sums"
    assert log.commits[0].touched == (("cart.py", ("total",)),)


def test_messages_are_found_by_their_words(repository: Path, tmp_path: Path) -> None:
    history = History(tmp_path / "h.db")
    assert refresh(repository, history)
    found = history.search(["rounding", "prices"], 5)
    assert [match.subject for match in found] == ["Fix rounding of sums"]
    assert history.search(['"; DROP TABLE', "*"], 5) == []


def test_new_commits_are_added_and_nothing_is_read_twice(repository: Path, tmp_path: Path) -> None:
    history = History(tmp_path / "h.db")
    refresh(repository, history)
    emptied = FIRST.replace("return 1", "return 2").replace("pass", "self.items = []")
    commit(repository, "Empty the basket", cart__py=emptied)
    refresh(repository, history)
    assert history.count == history.walked == 3
    assert history.search(["basket"], 5)[0].touched == (("cart.py", ("clear",)),)


def test_only_ancestors_of_the_checked_out_commit_speak(repository: Path, tmp_path: Path) -> None:
    history = History(tmp_path / "h.db")
    earlier = git(repository, "rev-parse", "HEAD")
    commit(repository, "A later secret", cart__py=FIRST + "\nLATER = 1\n")
    refresh(repository, history)
    assert history.search(["secret"], 5)
    git(repository, "checkout", "-q", earlier)
    refresh(repository, history)
    assert history.search(["secret"], 5) == []
    assert history.count == 2


def test_commits_that_touch_everything_are_left_out(repository: Path, tmp_path: Path) -> None:
    files = {f"f{number}__py": f"x = {number}\n" for number in range(40)}
    commit(repository, "Reformat all", **files)
    history = History(tmp_path / "h.db")
    refresh(repository, history)
    assert history.search(["reformat"], 5) == []
    assert history.walked == 3


def test_a_folder_without_git_has_no_history(tmp_path: Path) -> None:
    history = History(tmp_path / "h.db")
    (tmp_path / "plain").mkdir()
    assert refresh(tmp_path / "plain", history)
    assert history.count == 0


def test_a_repository_cannot_make_us_run_a_program(repository: Path, tmp_path: Path) -> None:
    trap = tmp_path / "sprung"
    script = tmp_path / "trap.sh"
    script.write_text(f"#!/bin/sh\ntouch {trap}\ncat\n")
    script.chmod(0o755)
    for key in ("diff.external", "core.fsmonitor", "diff.python.textconv", "core.pager"):
        git(repository, "config", key, str(script))
    (repository / ".gitattributes").write_text("*.py diff=python\n")
    refresh(repository, History(tmp_path / "h.db"))
    assert not trap.exists()


def test_a_damaged_history_starts_over(tmp_path: Path) -> None:
    path = tmp_path / "h.db"
    path.write_bytes(b"not a database" * 100)
    history = open_history(path)
    assert history is not None
    assert history.count == 0


def test_a_task_finds_the_method_that_commits_about_it_changed(
    repository: Path, tmp_path: Path
) -> None:
    settings = load_settings(repository, {"SONDE_CACHE_DIR": str(tmp_path / "cache")}, {})
    with Engine(repository, settings) as engine:
        ranked = engine.rank("prices are cut by wrong rounding").ranked
        best = next(one for one in ranked if one.symbol.qualname == "Cart.total")
        reasons = [proof.reason for proof in best.evidence if proof.channel == "history"]
    assert reasons
    assert "Fix rounding of sums" in reasons[0]
