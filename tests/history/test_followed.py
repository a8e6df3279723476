"""Commits speak for what their functions and files are called today, and only for those."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from git_history import commit, git, new_repository

from sonde import Engine
from sonde.answers.results import SymbolAnswer
from sonde.config import load_settings

CART = "def total(cart):\n    return 1\n\n\ndef clear(cart):\n    cart.items = []\n"
OTHER = "import os\n\n\ndef serve(port):\n    os.listen(port)\n"


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = new_repository(tmp_path / "shop")
    monkeypatch.setenv("GIT_COMMITTER_DATE", "2024-03-01T12:00:00Z")
    commit(root, "Start", cart__py=CART, other__py=OTHER)
    return root


@pytest.fixture
def days(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Each commit on a day of its own: call next() before it."""

    def pass_on() -> Iterator[None]:
        for day in range(2, 28):
            monkeypatch.setenv("GIT_COMMITTER_DATE", f"2024-03-{day:02}T12:00:00Z")
            yield

    return pass_on()


def found_by(root: Path, task: str) -> dict[str, str]:
    """What a task finds by history: the reason of each symbol, by file and name."""
    settings = load_settings(root, {"SONDE_CACHE_DIR": str(root.parent / "cache")}, {})
    with Engine(root, settings) as engine:
        ranked = engine.rank(task).ranked
    return {
        f"{one.symbol.file}:{one.symbol.qualname}": proof.reason
        for one in ranked
        for proof in one.evidence
        if proof.channel == "history"
    }


def last_change(root: Path, name: str) -> dict[str, str]:
    """The subject of the last change of each symbol of a name, by file."""
    settings = load_settings(root, {"SONDE_CACHE_DIR": str(root.parent / "cache")}, {})
    with Engine(root, settings) as engine:
        answer = engine.symbol(name)
    assert isinstance(answer, SymbolAnswer)
    return {
        each.record.file: each.authored_by.subject
        for each in answer.found
        if each.authored_by is not None and not each.authored_by.whole_file
    }


def test_a_renamed_function_lost_the_commits_before(repository: Path, days: Iterator[None]) -> None:
    next(days)
    commit(repository, "Narwhal offset corrected", cart__py=CART.replace("1", "2"))
    next(days)
    git(repository, "mv", "cart.py", "tusk.py")
    commit(repository, "Move")
    next(days)
    renamed = CART.replace("1", "2").replace("total", "tusked")
    commit(repository, "Other words", tusk__py=renamed)
    assert "Narwhal" in found_by(repository, "narwhal offset")["tusk.py:tusked"]
    next(days)
    commit(repository, "Once more", tusk__py=renamed.replace("tusked", "toothed"))
    assert "Narwhal" in found_by(repository, "narwhal offset")["tusk.py:toothed"]


def test_a_name_that_is_used_again_keeps_its_commits(
    repository: Path, days: Iterator[None]
) -> None:
    next(days)
    commit(repository, "Narwhal offset corrected", cart__py=CART.replace("1", "2"))
    next(days)
    renamed = CART.replace("total", "tusked")
    commit(repository, "Other words", cart__py=renamed)
    next(days)
    commit(repository, "Sums again", cart__py=renamed + "\n\ndef total(cart):\n    return 0\n")
    assert set(found_by(repository, "narwhal offset")) == {"cart.py:total"}


@pytest.mark.parametrize("suffix", ["mjs", "cjs", "mts", "cts"])
def test_commits_of_modules_with_other_endings_did_not_exist(repository: Path, suffix: str) -> None:
    source = "export function jumpHigh(far) {\n  return far + 1;\n}\n"
    commit(repository, "Kangaroo springs", **{f"jump__{suffix}": source})
    assert f"jump.{suffix}:jumpHigh" in found_by(repository, "kangaroo springs")
    assert last_change(repository, "jumpHigh") == {f"jump.{suffix}": "Kangaroo springs"}


def test_a_picked_commit_was_as_old_as_its_author_says(
    repository: Path, days: Iterator[None], monkeypatch: pytest.MonkeyPatch
) -> None:
    next(days)
    monkeypatch.setenv("GIT_AUTHOR_DATE", "2024-03-02T12:00:00Z")
    commit(repository, "On the main line", cart__py=CART.replace("1", "2"))
    next(days)
    monkeypatch.setenv("GIT_AUTHOR_DATE", "2023-01-01T12:00:00Z")
    commit(repository, "Picked", cart__py=CART.replace("1", "3"))
    assert last_change(repository, "total") == {"cart.py": "Picked"}


def test_of_commits_of_one_second_the_last_was_told_by_its_hash(repository: Path) -> None:
    for step in range(2, 12):
        commit(repository, f"Step {step}", cart__py=CART.replace("1", str(step)))
        assert last_change(repository, "total") == {"cart.py": f"Step {step}"}  # read one by one
    git(repository, "branch", "-m", "other")
    fresh = repository.parent / "fresh" / "shop"
    git(repository, "clone", "-q", str(repository), str(fresh))
    assert last_change(fresh, "total") == {"cart.py": "Step 11"}  # read at once


@pytest.mark.parametrize("odd", ["2038-01-01T12:00:00Z", "1971-01-01T12:00:00Z"])
def test_a_commit_of_an_odd_date_was_the_last_change_for_ever_or_never(
    repository: Path, days: Iterator[None], monkeypatch: pytest.MonkeyPatch, odd: str
) -> None:
    next(days)
    commit(repository, "Before", cart__py=CART.replace("1", "2"))
    next(days)
    monkeypatch.setenv("GIT_COMMITTER_DATE", odd)
    commit(repository, "Odd clock", cart__py=CART.replace("1", "3"))
    assert last_change(repository, "total") == {"cart.py": "Odd clock"}
    next(days)
    git(repository, "mv", "cart.py", "basket.py")
    commit(repository, "Zebra", basket__py=CART.replace("1", "4"))
    assert last_change(repository, "total") == {"basket.py": "Zebra"}
    assert "basket.py:total" in found_by(repository, "odd clock")
    fresh = repository.parent / "fresh" / "shop"
    git(repository, "clone", "-q", str(repository), str(fresh))
    assert last_change(fresh, "total") == {"basket.py": "Zebra"}  # read at once


def test_a_file_at_a_path_that_another_had_lent_it_its_commits(
    repository: Path, days: Iterator[None]
) -> None:
    next(days)
    git(repository, "mv", "cart.py", "basket.py")
    commit(repository, "Move")
    next(days)
    commit(repository, "Other sums", cart__py="def total(lines):\n    print(lines)\n")
    next(days)
    commit(repository, "Zeppelin", cart__py="def total(lines):\n    print(lines, 2)\n")
    assert last_change(repository, "total") == {"basket.py": "Start", "cart.py": "Zeppelin"}


def test_a_file_that_moved_and_moved_back_lost_what_happened_between(
    repository: Path, days: Iterator[None]
) -> None:
    next(days)
    git(repository, "mv", "cart.py", "basket.py")
    commit(repository, "There")
    next(days)
    commit(repository, "Pangolin scales", basket__py=CART.replace("1", "2"))
    next(days)
    git(repository, "mv", "basket.py", "cart.py")
    commit(repository, "And back")
    assert "cart.py:total" in found_by(repository, "pangolin scales")


def test_a_path_that_was_given_up_twice_lent_its_first_commits_to_the_second_file(
    repository: Path, days: Iterator[None]
) -> None:
    next(days)
    commit(repository, "Pangolin scales", cart__py=CART.replace("1", "2"))
    next(days)
    git(repository, "mv", "cart.py", "basket.py")
    commit(repository, "Move")
    next(days)
    commit(repository, "Wheels", cart__py="def total(wheels):\n    return wheels.count\n")
    next(days)
    git(repository, "mv", "cart.py", "wagon.py")
    commit(repository, "Move this too")
    assert set(found_by(repository, "pangolin scales")) == {"basket.py:total"}


def test_the_comment_of_the_next_function_changed_the_one_before(repository: Path) -> None:
    total = "    fn total() -> i32 {\n        1\n    }\n"
    source = f"impl Cart {{\n{total}\n    /// %s\n    fn clear() {{}}\n}}\n"
    commit(repository, "Rust", cart__rs=source % "Empty")
    commit(repository, "Better words", cart__rs=source % "Takes all out of it")
    assert last_change(repository, "Cart.total") == {"cart.rs": "Rust"}


def test_lines_at_the_margin_changed_the_function_before(repository: Path) -> None:
    commit(repository, "Limits", cart__py=CART + "\n\nLIMIT = 1\n")
    commit(repository, "Higher", cart__py=CART + "\n\nLIMIT = 2\n")
    assert last_change(repository, "clear") == {"cart.py": "Start"}


def test_a_member_that_is_an_arrow_function_changed_the_method_before(repository: Path) -> None:
    source = (
        "class Store {\n  get(key: string) {\n    return key;\n  }\n\n"
        "  put = (key: string) => {\n    const name = key;\n    return name;\n  };\n}\n"
    )
    commit(repository, "Store", store__ts=source)
    commit(repository, "Meerkat", store__ts=source.replace("name = key", "name = key + key"))
    assert last_change(repository, "get") == {"store.ts": "Store"}
    assert last_change(repository, "put") == {"store.ts": "Meerkat"}


def test_a_function_in_a_function_was_told_to_have_changed_long_ago(repository: Path) -> None:
    source = "function open() {\n  function route(url) {\n    return url + 1;\n  }\n}\n"
    commit(repository, "Routes", open__js=source)
    commit(repository, "Further", open__js=source.replace("1", "2"))
    assert last_change(repository, "open.route") == {}  # only the file is sure


def test_the_number_of_an_issue_had_to_have_two_digits(repository: Path) -> None:
    commit(repository, "Hoatzin claws (#7)", cart__py=CART.replace("1", "2"))
    assert list(found_by(repository, "fix #7")) == ["cart.py:total"]
