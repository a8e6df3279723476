"""A sure answer is small; an unsure one is wider, and never padded with junk."""

from __future__ import annotations

import pytest
from pack_requests import Repository, request_for

from sonde.pack.relevance import AIM, OPEN_FILES, relevant


@pytest.fixture
def repository() -> Repository:
    made = Repository()
    for file in range(30):
        for part in range(2):
            made.add_function(f"src/f{file}.py", f"f{file}_{part}", "pass")
    return made


def names(found: object) -> list[str]:
    return [entry.symbol.qualname for entry in found.symbols]  # type: ignore[attr-defined]


def test_symbol_spelled_out_in_the_task_keeps_the_answer_in_its_file(
    repository: Repository,
) -> None:
    scores = {"f3_0": 1.0, "f4_0": 0.75, "f3_1": 0.5, "f5_0": 0.5}
    found = relevant(request_for(repository, scores, named=["f3_0()"]))
    assert names(found) == ["f3_0", "f3_1"]
    assert (found.sure, found.aim) == (True, AIM)


def test_clear_drop_in_score_makes_the_leaders_obvious(repository: Repository) -> None:
    scores = {"f1_0": 1.0, "f2_0": 0.95, "f3_0": 0.5, "f4_0": 0.45}
    found = relevant(request_for(repository, scores))
    assert names(found) == ["f1_0", "f2_0"]


def test_nearly_as_good_symbol_of_one_other_file_stays(repository: Repository) -> None:
    scores = {"f3_0": 1.0, "f4_0": 0.9, "f5_0": 0.85}
    assert names(relevant(request_for(repository, scores, named=["f3_0"]))) == ["f3_0", "f4_0"]


def test_unsure_answer_spans_few_files_and_ends_at_the_floor(repository: Repository) -> None:
    scores = {f"f{i}_0": 0.97**i for i in range(30)} | {"f0_1": 0.3}
    found = relevant(request_for(repository, scores))
    assert names(found) == [f"f{i}_0" for i in range(OPEN_FILES)]
    assert (found.sure, found.aim) == (False, AIM)


def test_files_with_several_good_symbols_come_before_those_with_one(
    repository: Repository,
) -> None:
    scores = {f"f{i}_0": 0.97**i for i in range(9)} | {"f8_1": 0.7, "f7_1": 0.69}
    found = relevant(request_for(repository, scores))
    assert names(found) == ["f0_0", "f1_0", "f7_0", "f8_0", "f8_1", "f7_1"]


def test_file_whose_best_symbol_is_far_behind_is_left_out(repository: Repository) -> None:
    scores = {"f0_0": 1.0, "f1_0": 0.9, "f2_0": 0.85, "f3_0": 0.6, "f3_1": 0.6, "f0_1": 0.6}
    assert names(relevant(request_for(repository, scores))) == ["f0_0", "f1_0", "f2_0", "f0_1"]


def test_best_symbol_is_shown_even_when_its_score_is_below_zero(repository: Repository) -> None:
    assert names(relevant(request_for(repository, {"f0_0": -0.1, "f1_0": -0.2}))) == ["f0_0"]


def test_larger_budget_admits_more(repository: Repository) -> None:
    scores = {f"f{i}_0": 0.97**i for i in range(30)}
    few = relevant(request_for(repository, scores))
    more = relevant(request_for(repository, scores, budget=16000))
    assert len(more.symbols) > len(few.symbols)
    assert more.aim > few.aim


def test_name_shared_by_many_symbols_is_no_target() -> None:
    repository = Repository()
    for i in range(6):
        repository.add_class(f"src/f{i}.py", f"C{i}", {"run": "pass"})
    scores = {f"C{i}.run": 1.0 - i / 100 for i in range(6)}
    assert not relevant(request_for(repository, scores, named=["run"])).sure


def test_certainty_is_higher_the_more_the_answer_stands_out(repository: Repository) -> None:
    close = relevant(request_for(repository, {f"f{i}_0": 0.99**i for i in range(9)}))
    clear = relevant(request_for(repository, {"f1_0": 1.0, "f2_0": 0.1}))
    assert close.certainty < 0.1
    assert clear.certainty > 0.9
    assert relevant(request_for(repository, {})).certainty == 0.0
