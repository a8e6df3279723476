"""After an amended commit, a rebase or another branch, what still holds is not read again."""

from __future__ import annotations

from pathlib import Path

import pytest
from git_history import commit, git, new_repository

from sonde.history.matches import Match
from sonde.history.refresh import refresh
from sonde.history.store import History

CART = "def total(cart):\n    return 1\n"
OLD = {"Start", "Step 2", "Step 3"}


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    root = new_repository(tmp_path / "shop")
    commit(root, "Start", cart__py=CART)
    commit(root, "Step 2", cart__py=CART.replace("1", "2"))
    commit(root, "Step 3", cart__py=CART.replace("1", "3"))
    commit(root, "Step 4\n\nNarwhal", cart__py=CART.replace("1", "4"))
    return root


@pytest.fixture
def history(repository: Path, tmp_path: Path) -> History:
    history = History(tmp_path / "h.db")
    assert refresh(repository, history)
    return history


def subjects(history: History) -> set[str]:
    found = history.search(["start", "step", "aside", "narwhal", "zebra"], 99)
    assert len(found) == history.count
    return {match.subject for match in found}


def told(history: History, words: list[str]) -> list[Match]:
    return [match._replace(place=0) for match in history.search(words, 99)]


def followed(root: Path, history: History) -> bool:
    """Follow the checkout as a question to a server does, which reads nothing old."""
    return refresh(root, history, seconds=0.0, most=100)


def test_an_amended_commit_let_the_whole_history_be_read_again(
    repository: Path, history: History
) -> None:
    git(repository, "commit", "-q", "--amend", "-m", "Zebra")
    assert followed(repository, history)
    assert subjects(history) == {*OLD, "Zebra"}
    assert not history.search(["narwhal"], 9)


def test_branches_back_and_forth_are_as_read_from_scratch(
    repository: Path, history: History, tmp_path: Path
) -> None:
    git(repository, "checkout", "-q", "-b", "side", "HEAD~1")
    git(repository, "mv", "cart.py", "basket.py")
    commit(repository, "Aside", basket__py=CART.replace("total", "sum").replace("1", "3"))
    expected = {"side": {*OLD, "Aside"}, "main": {*OLD, "Step 4"}}
    for turn, branch in enumerate(("side", "main", "side", "main")):
        git(repository, "checkout", "-q", branch)
        assert followed(repository, history)
        assert subjects(history) == expected[branch]
        fresh = History(tmp_path / f"{turn}.db")
        refresh(repository, fresh)
        words = ["start", "step", "aside", "narwhal"]
        assert told(history, words) == told(fresh, words)
        for path in ("cart.py", "basket.py"):
            assert history.paths_since(path, 0) == fresh.paths_since(path, 0)
            for name in ("total", "sum"):
                change = frozenset({name})
                assert history.last_change(path, change) == fresh.last_change(path, change)
                assert history.name_since(path, name) == fresh.name_since(path, name)


def test_a_rebased_branch_keeps_what_it_stands_on(repository: Path, history: History) -> None:
    git(repository, "checkout", "-q", "-b", "side", "HEAD~1")
    commit(repository, "Aside", other__py="x = 1\n")
    followed(repository, history)
    git(repository, "rebase", "-q", "main")
    assert followed(repository, history)
    assert subjects(history) == {*OLD, "Step 4", "Aside"}


def test_lines_that_share_nothing_start_over(repository: Path, history: History) -> None:
    git(repository, "checkout", "-q", "--orphan", "fresh")
    commit(repository, "Aside", cart__py=CART)
    assert not followed(repository, history)  # left for those who read in the background
    assert history.count == 0
    assert refresh(repository, history)
    assert subjects(history) == {"Aside"}


def test_a_commit_that_is_gone_from_the_repository_starts_over(
    repository: Path, history: History
) -> None:
    git(repository, "commit", "-q", "--amend", "-m", "Zebra")
    git(repository, "reflog", "expire", "--expire=now", "--all")
    git(repository, "gc", "-q", "--prune=now")
    assert refresh(repository, history)
    assert subjects(history) == {*OLD, "Zebra"}


def test_a_merge_while_old_commits_are_read_hid_some_of_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sonde.history.refresh._BATCH", 5)
    root = new_repository(tmp_path / "shop")
    for day in range(1, 21):
        monkeypatch.setenv("GIT_COMMITTER_DATE", f"2024-03-{day:02}T12:00:00Z")
        commit(root, f"Step {day}", **{f"main{day}__py": CART})
        if day == 2:
            git(root, "branch", "side")
    history = History(tmp_path / "h.db")
    refresh(root, history, stop=lambda: history.walked > 0)
    assert subjects(history) == {f"Step {day}" for day in range(16, 21)}
    git(root, "checkout", "-q", "side")
    for day in range(3, 9):  # older than all that is known
        monkeypatch.setenv("GIT_COMMITTER_DATE", f"2024-03-{day:02}T18:00:00Z")
        commit(root, f"Aside {day}", **{f"side{day}__py": CART})
    git(root, "checkout", "-q", "main")
    git(root, "merge", "-q", "side", "-m", "Merge")
    assert refresh(root, history)
    assert history.count == 20 + 6


def test_a_line_that_is_merged_late_is_told_as_read_from_scratch(
    repository: Path, history: History, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def at(day: int) -> None:
        monkeypatch.setenv("GIT_COMMITTER_DATE", f"2036-03-{day:02}T12:00:00Z")

    at(2)
    git(repository, "checkout", "-q", "-b", "side")
    commit(repository, "Side 2", aside__py=CART)
    at(4)
    commit(repository, "Side 4", aside__py=CART.replace("1", "4"))
    git(repository, "mv", "aside.py", "beside.py")
    at(6)
    commit(repository, "Side 6")
    git(repository, "checkout", "-q", "main")
    for day in (3, 5):
        at(day)
        commit(repository, f"Step {day}", cart__py=CART.replace("1", f"2{day}"))
    assert followed(repository, history)
    at(7)
    git(repository, "merge", "-q", "--no-ff", "-m", "Merge", "side")
    at(8)
    commit(repository, "Step 8", cart__py=CART.replace("1", "8"), beside__py=CART)
    assert followed(repository, history)
    fresh = History(tmp_path / "fresh.db")
    refresh(repository, fresh)
    newest_first = [
        [match.subject for match in sorted(each.search(["step", "side"], 99), key=by_place)]
        for each in (history, fresh)
    ]
    assert newest_first[0] == newest_first[1]
    assert newest_first[0][:5] == ["Step 8", "Step 5", "Side 4", "Step 3", "Side 2"]
    assert history.paths_since("aside.py", 0) == ["aside.py", "beside.py"]


def by_place(match: Match) -> int:
    return -match.place
