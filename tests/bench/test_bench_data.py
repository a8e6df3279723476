"""Data files of others: what is wrong with one is told by its case, before anything runs."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from bench.data import (
    REPORTS,
    DataError,
    load_localization,
    load_rewordings,
    load_search,
    load_sweep,
    load_symbols,
)

COMMIT = "0123456789abcdef0123456789abcdef01234567"
TASK = {"id": "a", "repo": "o/n", "description": "find it", "ground_truth": ["Box.open"]}
CASE = {"id": "a", "repo": "o/n", "base_commit": COMMIT, "query": "find it"}
QUERY = {**CASE, "relevant": ["lib/a.py"]}
PACKED = {"id": "a", "query": "find it", "expected_files": ["a.py"], "expected_symbols": ["f"]}


def written(folder: Path, *rows: dict[str, Any], name: str = "data.jsonl") -> Path:
    path = folder / name
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


@pytest.mark.parametrize(
    ("load", "row", "told"),
    [
        (load_symbols, {**TASK, "ground_truth": "Box.open"}, "'ground_truth' is not a list"),
        (load_symbols, {**TASK, "ground_truth": [5]}, "'ground_truth' is not a list"),
        (load_symbols, {**TASK, "id": 5}, "'id' is not a text"),
        (load_symbols, {**TASK, "description": None}, "'description' is not a text"),
        (load_symbols, {**TASK, "description": " "}, "'description' is not a text"),
        (load_symbols, {**TASK, "base_commit": "main"}, "'main' is not a commit"),
        (load_localization, {**CASE, "base_commit": None}, "'base_commit' is not a text"),
        (load_localization, {**CASE, "base_commit": "--output=x"}, "'--output=x' is not a commit"),
        (load_localization, {**CASE, "gold_files": "a.py"}, "'gold_files' is not a list"),
        (load_search, {**QUERY, "relevant": [{"file": "a.py"}]}, "'relevant' is not a list"),
        (load_search, {**QUERY, "secondary": 3}, "'secondary' is not a list"),
        (load_sweep, {**TASK, "ground_truth": ["Box::open"]}, "'Box::open' of a names none"),
    ],
)
def test_a_row_of_another_form_is_told_by_its_case(
    load: Callable[[Path], Any], row: dict[str, Any], told: str, tmp_path: Path
) -> None:
    with pytest.raises(DataError, match=told.replace("(", r"\(")):
        load(written(tmp_path, row))


def test_two_cases_of_one_id_are_refused_instead_of_one_being_lost(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="case 2: another case has the id 'a'"):
        load_symbols(written(tmp_path, TASK, TASK))


@pytest.mark.parametrize(
    ("name", "content"),
    [("a.jsonl", b'{"id": "\xe9"}\n'), ("a.jsonl.gz", b"not packed"), ("b.jsonl.gz", b"\x1f\x8b")],
)
def test_a_file_that_cannot_be_read_is_told_in_one_line(
    name: str, content: bytes, tmp_path: Path
) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(DataError, match="cannot be read"):
        load_symbols(tmp_path / name)


def test_cases_that_cannot_be_scored_are_left_out(tmp_path: Path) -> None:
    assert load_symbols(written(tmp_path, {**TASK, "ground_truth": []})) == []
    assert load_search(written(tmp_path, {**QUERY, "relevant": []})) == []
    assert load_rewordings(written(tmp_path, {**CASE, "rewordings": []})) == []


def test_fields_that_are_null_count_as_absent(tmp_path: Path) -> None:
    [task] = load_symbols(written(tmp_path, {**TASK, "base_commit": None, "tier": None}))
    assert (task.commit, task.tier) == ("", "")
    [case] = load_localization(written(tmp_path, {**CASE, "gold_files": None}))
    assert case.files == ()


def test_an_intent_is_not_needed_to_judge_a_pack(tmp_path: Path) -> None:
    [case] = load_sweep(written(tmp_path, PACKED))
    assert case.intent == ""


@pytest.mark.parametrize(
    ("written_root", "root"),
    [("", ""), (".", ""), ("/", ""), ("./lib/", "lib"), ("lib//deep", "lib/deep"), ("lib", "lib")],
)
def test_a_root_may_be_written_in_many_ways(written_root: str, root: str, tmp_path: Path) -> None:
    [case] = load_search(written(tmp_path, {**QUERY, "benchmark_root": written_root}))
    assert case.root == root


def test_rewordings_may_name_their_commit(tmp_path: Path) -> None:
    [case] = load_rewordings(written(tmp_path, {**CASE, "rewordings": ["look for it"]}))
    assert case.commit == COMMIT


def test_our_own_reports_want_functions_of_the_files_they_name() -> None:
    cases = load_localization(REPORTS)
    assert len(cases) > 1000
    assert max(Counter(case.repo for case in cases).values()) <= 12
    for case in cases:
        assert {symbol.partition("::")[0] for symbol in case.symbols} <= {*case.files}, case.id
