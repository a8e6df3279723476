"""A commit that is larger than what we take from git costs its own functions only."""

from __future__ import annotations

from pathlib import Path

import pytest
from git_history import commit, new_repository

from sonde.history.refresh import refresh
from sonde.history.store import History

CART = "def total(cart):\n    return 1\n"
VAST = "".join(f"function f{number}() {{ return {number}; }}\n" for number in range(900))


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("sonde.git._LARGEST", 20_000)  # bytes
    root = new_repository(tmp_path / "shop")
    commit(root, "Start", cart__py=CART)
    commit(root, "Copy a library", library__js=VAST)
    for step in range(2, 14):
        commit(root, f"Step {step}", cart__py=CART.replace("1", str(step)))
    return root


def touched(history: History) -> dict[str, tuple[tuple[str, tuple[str, ...]], ...]]:
    found = history.search(["start", "copy", "step"], 99)
    return {match.subject: match.touched for match in found}


def test_one_vast_commit_hid_the_functions_of_a_thousand(repository: Path, tmp_path: Path) -> None:
    history = History(tmp_path / "h.db")
    assert refresh(repository, history)
    assert (history.walked, history.whole) == (14, True)
    found = touched(history)
    assert found.pop("Copy a library") == (("library.js", ()),)
    assert len(found) == 13
    assert set(found.values()) == {(("cart.py", ("total",)),)}


def test_a_vast_commit_among_new_ones_hid_their_functions(repository: Path, tmp_path: Path) -> None:
    history = History(tmp_path / "h.db")
    refresh(repository, history)
    commit(repository, "Copy it again", library__js=VAST.replace("return", "return 1 +"))
    commit(repository, "Step 14", cart__py=CART.replace("1", "14"))
    assert refresh(repository, history)
    assert touched(history)["Copy it again"] == (("library.js", ()),)
    assert touched(history)["Step 14"] == (("cart.py", ("total",)),)
