"""`since:` narrows a search to files that changed on disk then or later."""

from __future__ import annotations

import os
import time
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from example_repository import engine_over, write

from sonde.answers.results import Refusal, SearchAnswer

DAY = 86_400.0
FILES = {name: f"def {name[:-3]}_price():\n    return 1\n" for name in ("new.py", "old.py")}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = write(tmp_path / "work", FILES)
    changed(root / "old.py", days_ago=10)
    return root


def changed(path: Path, days_ago: float) -> None:
    moment = time.time() - days_ago * DAY
    os.utime(path, (moment, moment))


def found(root: Path, text: str) -> tuple[set[str], set[str]]:
    with engine_over(root, root.parent / "cache") as engine:
        answer = engine.search(text)
    assert isinstance(answer, SearchAnswer), answer
    return {each.name for each in answer.symbols}, {each.file for each in answer.lines}


@pytest.mark.parametrize("since", ["12h", "9d", "1w", "1W"])
def test_symbols_and_lines_of_files_that_changed_before_are_left_out(
    root: Path, since: str
) -> None:
    assert found(root, f"price since:{since}") == ({"new_price"}, {"new.py"})


@pytest.mark.parametrize("since", ["11d", "2w", "99999w"])
def test_an_age_reaches_back_as_far_as_it_says(root: Path, since: str) -> None:
    assert found(root, f"price since:{since}") == ({"new_price", "old_price"}, set(FILES))


def test_a_date_is_the_start_of_that_day_here(root: Path) -> None:
    for days, expected in ((5, {"new_price"}), (12, {"new_price", "old_price"})):
        date = datetime.now() - timedelta(days=days)
        assert found(root, f"price since:{date:%Y-%m-%d}")[0] == expected


def test_without_words_what_changed_is_listed(root: Path) -> None:
    assert found(root, "since:1d")[0] == {"new_price"}
    assert found(root, "since:1d since:30d")[0] == {"new_price"}  # the nearer of the two
    assert found(root, "since:30d kind:function")[0] == {"new_price", "old_price"}


def test_a_file_that_is_written_again_counts_as_changed(root: Path) -> None:
    changed(root / "old.py", days_ago=0)
    assert found(root, "price since:1d")[0] == {"new_price", "old_price"}


@pytest.mark.parametrize("since", ["yesterday", "7", "7m", "-1d", "2026-13-01", "999999d", "٣d"])
def test_a_time_that_is_none_is_refused_in_one_line(root: Path, since: str) -> None:
    with engine_over(root, root.parent / "cache") as engine:
        refused = engine.search(f"price since:{since}")
        assert isinstance(refused, Refusal)
        assert str(refused) == (
            f"no time {since!r}: write since:12h, since:7d, since:2w or since:2026-01-31"
        )
        assert isinstance(engine.search("price"), SearchAnswer)
