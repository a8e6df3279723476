"""What merges say of the commits that they brought."""

from __future__ import annotations

from pathlib import Path

import pytest
from git_history import commit, git, new_repository

from sonde import Engine
from sonde.history.refresh import refresh
from sonde.history.store import History

CART = "def total(cart):\n    return 1\n\n\ndef clear(cart):\n    return []\n"
BY_GITHUB = "Merge pull request #41 from somebody/patch-1\n\nKeep pennies when sums are rounded"


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A main line with one commit, and a branch with another that says nothing."""
    root = new_repository(tmp_path / "shop")
    commit(root, "Start", cart__py=CART)
    git(root, "checkout", "-q", "-b", "patch-1")
    commit(root, "wip", cart__py=CART.replace("1", "2"))
    git(root, "checkout", "-q", "main")
    commit(root, "Read me", basket__py="KIND = 1\n")
    return root


def merge(root: Path, branch: str, message: str) -> str:
    git(root, "merge", "-q", "--no-ff", "-m", message, branch)
    return git(root, "rev-parse", "HEAD")


def read(root: Path, place: Path) -> History:
    history = History(place)
    assert refresh(root, history) is True
    return history


def told(
    history: History, *words: str
) -> list[tuple[str, tuple[tuple[str, tuple[str, ...]], ...]]]:
    return [(match.subject, match.touched) for match in history.search(words, 9)]


def test_a_merge_tells_the_title_of_what_it_brought(repository: Path, tmp_path: Path) -> None:
    merge(repository, "patch-1", BY_GITHUB)
    history = read(repository, tmp_path / "h.db")
    expected = [("Keep pennies when sums are rounded", (("cart.py", ("total",)),))]
    assert told(history, "pennies") == told(history, "41") == expected
    assert history.count == 3  # a merge changes nothing itself


@pytest.mark.parametrize(
    ("message", "title"),
    [
        ("Merge branch 'patch-1' into 'main'\n\nKeep pennies\n\nSee shop!41", "Keep pennies"),
        ("Merged in patch-1 (pull request #41)\n\nKeep pennies", "Keep pennies"),
        ("Auto merge of #41 - somebody:patch-1, r=other\n\nKeep pennies\n\nMore", "Keep pennies"),
        ("Keep pennies (#41)", "Keep pennies (#41)"),
        ("Merge pull request 'Keep pennies' (#41) from patch-1 into main",) * 2,
        ("Rollup merge of #41 - somebody:patch-1, r=other\n\nKeep pennies", "Keep pennies"),
        ("Merge pull request #41 from x\n\nAutomatic merge from queue.\n\nMerge all sums\n\nMore",
         "Merge all sums"),
        ("Merge pull request #41 from x\n\nMerge pull request 41", "Merge pull request #41 from x"),
        ("Merge branch 'x' (#41)\n\n# By A\n* x:\n  wip\n  fix\n", "Merge branch 'x' (#41)"),
        ("Merge shop/pull/41\n\nSums: up\n\nChange-Id: I7\nSigned-off-by: A", "Sums: up"),
    ],
)  # fmt: skip
def test_the_merges_of_several_tools_are_read(
    repository: Path, tmp_path: Path, message: str, title: str
) -> None:
    merge(repository, "patch-1", message)
    expected = [(title, (("cart.py", ("total",)),))]
    assert told(read(repository, tmp_path / "h.db"), "41") == expected


@pytest.mark.parametrize(
    "message",
    [
        "Merge branch 'patch-1'",
        "Merge branch 'patch-1'\n\n# Conflicts:\n#\tcart.py",
        "Merge branch 'patch-1'\n\nSigned-off-by: Merge Patch <cart@example.invalid>",
        "Merge branch 'patch-1'\n\n* patch-1:\n  merge cart\n",
        "Automated merge with ssh://example.invalid/cart\n\n--HG--\nbranch : patch",
        "chore: merge branch 'patch-1'",
        "merge",
        "Fix merge conflict",
    ],
)
def test_a_merge_that_only_says_that_it_is_one_is_left_out(
    repository: Path, tmp_path: Path, message: str
) -> None:
    merge(repository, "patch-1", message)
    assert told(read(repository, tmp_path / "h.db"), "merge", "patch", "conflicts", "cart") == []


def test_a_merge_within_a_branch_tells_of_its_own_commits_alone(
    repository: Path, tmp_path: Path
) -> None:
    git(repository, "checkout", "-q", "-b", "next")
    merge(repository, "patch-1", BY_GITHUB)
    commit(repository, "wip", cart__py=CART.replace("1", "2").replace("[]", "None"))
    git(repository, "checkout", "-q", "main")
    commit(repository, "Read me twice", basket__py="KIND = 2\n")
    merge(repository, "next", "Merge pull request #50 from next\n\nVersion two")
    history = read(repository, tmp_path / "h.db")
    assert told(history, "41") == [
        ("Keep pennies when sums are rounded", (("cart.py", ("total",)),))
    ]
    assert told(history, "50") == [("Version two", (("cart.py", ("clear",)),))]


def test_a_merge_without_a_message_took_the_commits_from_the_one_that_tells(
    repository: Path, tmp_path: Path
) -> None:
    git(repository, "checkout", "-q", "-b", "next")
    merge(repository, "patch-1", "none")
    git(repository, "commit", "-q", "--amend", "--allow-empty-message", "-m", "")
    git(repository, "checkout", "-q", "main")
    merge(repository, "next", BY_GITHUB)
    assert told(read(repository, tmp_path / "h.db"), "41") == [
        ("Keep pennies when sums are rounded", (("cart.py", ("total",)),))
    ]


def test_a_branch_that_took_in_the_main_line_did_not_bring_it(
    repository: Path, tmp_path: Path
) -> None:
    git(repository, "checkout", "-q", "patch-1")
    merge(repository, "main", "Merge branch 'main' into patch-1")
    git(repository, "checkout", "-q", "main")
    merge(repository, "patch-1", BY_GITHUB)
    assert told(read(repository, tmp_path / "h.db"), "41") == [
        ("Keep pennies when sums are rounded", (("cart.py", ("total",)),))
    ]


def test_merges_since_the_last_question_are_as_read_from_scratch(
    repository: Path, tmp_path: Path
) -> None:
    """Also where the branch was read first, and where the merge was undone again."""
    history = read(repository, tmp_path / "h.db")
    start = git(repository, "rev-parse", "HEAD")
    for turn, step in enumerate(("patch-1", "main", "merge", "undone", "merge", "patch-1", "main")):
        if step == "merge":
            merge(repository, "patch-1", f"{BY_GITHUB} {turn}")
        elif step == "undone":
            git(repository, "reset", "-q", "--hard", start)
        else:
            git(repository, "checkout", "-q", step)
        assert refresh(repository, history, seconds=0.0, most=100) is True
        fresh = read(repository, tmp_path / f"{turn}.db")
        assert told(history, "pennies", "wip", "41") == told(fresh, "pennies", "wip", "41")
        assert history.merged == fresh.merged == git(repository, "rev-parse", "HEAD")


def test_back_from_a_branch_merges_of_the_main_line_were_not_known(
    repository: Path, tmp_path: Path
) -> None:
    merge(repository, "patch-1", BY_GITHUB)
    git(repository, "checkout", "-q", "patch-1")
    merge(repository, "main", "Merge branch 'main' into patch-1")
    history = read(repository, tmp_path / "h.db")  # from here the main line brought its commits
    git(repository, "checkout", "-q", "main")
    assert refresh(repository, history) is True
    assert told(history, "41") == told(read(repository, tmp_path / "fresh.db"), "41") != []


def test_a_commit_that_a_merge_left_out_spoke_only_if_it_was_known_before(
    repository: Path, tmp_path: Path
) -> None:
    git(repository, "checkout", "-q", "patch-1")
    history = read(repository, tmp_path / "h.db")
    git(repository, "checkout", "-q", "main")
    git(repository, "merge", "-q", "-s", "ours", "-m", BY_GITHUB, "patch-1")
    assert refresh(repository, history) is True
    fresh = read(repository, tmp_path / "fresh.db")
    assert told(history, "wip") == told(fresh, "wip") == [("wip", (("cart.py", ("total",)),))]


@pytest.mark.parametrize(
    "task", ["what did pull request 41 change?", "Review of PR #41", "see merge request !41"]
)
def test_a_pull_request_was_not_found_by_the_number_that_only_its_merge_has(
    repository: Path, task: str
) -> None:
    merge(repository, "patch-1", BY_GITHUB)
    assert by_history(repository, task)["total"].endswith("'Keep pennies when sums are rounded'")


def test_words_shared_by_chance_outweighed_the_commit_that_a_task_names(repository: Path) -> None:
    long = "\n".join(f"Line {each} of a long explanation." for each in range(60))
    commit(repository, f"Fix sums (#73)\n\n{long}", cart__py=CART.replace("1", "3"))
    words = "the order of the output is wrong now"
    commit(repository, f"Now {words}", cart__py=CART.replace("1", "3").replace("[]", "None"))
    task = f"fix the regression that came with #73: {words}"
    assert next(iter(by_history(repository, task))) == "total"


def test_a_task_that_names_a_commit_finds_what_it_changed(repository: Path) -> None:
    sha = commit(repository, "wip", cart__py=CART.replace("[]", "None"))
    assert by_history(repository, f"what broke with {sha}?")["clear"].startswith(
        f"changed by {sha[:7]}"
    )


def test_what_a_named_commit_changed_stood_behind_names_that_share_a_word(repository: Path) -> None:
    extra = "\n\ndef right(cart):\n    return cart\n\n\ndef right_total(cart):\n    return cart\n"
    commit(repository, "Sides", sides__py=extra)
    sha = commit(repository, "wip", cart__py=CART.replace("[]", "None"))
    task = f"what did {sha} change, and is it right?"
    with Engine(repository) as engine:
        found = {one.symbol.name: one for one in engine.rank(task).ranked[:2]}
        without = engine.rank(task, without=frozenset({"marked"})).ranked[:2]
    assert dict(found["clear"].contributions)["marked"] > 1.0
    assert "clear" not in {one.symbol.name for one in without}


def by_history(root: Path, task: str) -> dict[str, str]:
    """The names that commits vote for, the surest first, with their reasons."""
    with Engine(root) as engine:
        votes = [
            (proof.rank, one.symbol.name, proof.reason)
            for one in engine.rank(task).ranked
            for proof in one.evidence
            if proof.channel == "history"
        ]
    return {name: reason for _, name, reason in sorted(votes)}
