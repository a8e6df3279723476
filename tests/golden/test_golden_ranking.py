"""Rankings of our own fixture repositories do not move unseen."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from golden_ranking import GOLDEN, Asked, ask_all, fixture_engine, golden_text, queries


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> list[Asked]:
    return ask_all(tmp_path_factory.mktemp("golden"))


def test_the_ranking_is_the_golden_one(asked: list[Asked]) -> None:
    """A change of ranking is committed with its new golden file: `make golden`."""
    assert golden_text(asked).splitlines() == GOLDEN.read_text("utf-8").splitlines()


def test_most_of_what_a_person_expects_is_among_the_first_five(asked: list[Asked]) -> None:
    """A golden file written again cannot make a collapse look normal."""
    assert sum(one.recall(5) for one in asked) / len(asked) > 0.7
    assert sum(one.reciprocal_rank() for one in asked) / len(asked) > 0.7


def test_expected_answers_exist_in_the_fixtures(tmp_path: Path) -> None:
    wanted = queries()
    assert len(wanted) == 30
    for repo in sorted({one.repo for one in wanted}):
        with fixture_engine(repo, tmp_path) as engine:
            known = {f"{each.file}::{each.qualname}" for each in engine.symbols()}
        missing = {n for one in wanted if one.repo == repo for n in one.relevant} - known
        assert not missing


def test_figures_are_counted_as_the_file_says() -> None:
    one = Asked("x", "r", "k", "q", ("a", "b"), ("c", "a", "d", "e", "f", "b"))
    assert (one.recall(1), one.recall(5), one.reciprocal_rank()) == (0.0, 0.5, 0.5)
    text = golden_text([one])
    assert re.search(r"^\* 2 a$", text, re.M)
    assert "missed: b (6)" in text
