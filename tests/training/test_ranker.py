"""Learned weights: tasks come from requests and commits, and the fit finds the rule that tells."""

from __future__ import annotations

import subprocess
from pathlib import Path

import numpy
import pytest
from bench.corpus import Corpus
from bench.data import FURTHER_TASKS, TASKS, SymbolTask, load_symbols
from training.ranker import Group, fit, trained_on
from training.tasks import COLUMNS, Judged, commit_tasks, request_tasks

from sonde.rank.rules import ALL
from training import tasks

NAMES = [rule.name for rule in ALL]
NONE = numpy.zeros(20, bool)


def git(folder: Path, *arguments: str) -> str:
    who = ("-c", "user.name=a", "-c", "user.email=a@b")
    done = subprocess.run(
        ("git", "-C", str(folder), *who, *arguments), capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


def committed(folder: Path, text: str, message: str) -> str:
    (folder / "till.py").write_text(text)
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", message)
    return git(folder, "rev-parse", "HEAD")


def test_a_later_commit_is_asked_on_the_commit_before_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tasks, "_EARLIER", 1)
    folder = tmp_path / "shop"
    folder.mkdir()
    git(folder, "init", "-q")
    before = (
        "def open_till():\n    return 1\n\n\ndef lock_till(key):\n    return key\n\n\n"
        "def close_till():\n    return lock_till(2)\n"
    )
    after = before.replace("(2)", "(3)") + "\n\ndef count_till():\n    return 4\n"
    committed(folder, before, "Add the till of the shop")
    last = committed(folder, after, "Fix the till that does not close at night")
    found = commit_tasks("a/shop", last, folder / ".git")
    assert len(found) == 1
    assert found[0].right.sum() == 1  # of the three functions that existed then
    assert len(found[0].right) >= 3
    assert found[0].relied.sum() == 1  # what the changed function calls
    assert sorted(found[0].gains)[-3:] == pytest.approx([0.0, 0.1, 1.0])
    assert found[0].values.shape == (len(found[0].right), len(COLUMNS))


def test_what_changed_code_relies_on_is_wanted_too_but_less() -> None:
    chance = numpy.random.default_rng(5)
    of_changed, of_relied = NAMES.index("size"), NAMES.index("walk")
    some = []
    for _ in range(50):
        values = chance.random((20, len(ALL)), numpy.float32)
        values[:, [of_changed, of_relied]] = 0.0
        values[0, of_changed] = values[1, of_relied] = 1.0
        some.append(Judged("a/b", values, numpy.arange(20) == 0, numpy.arange(20) == 1))
    told, silent = (
        fit([Group(some, 1.0)]),
        fit([Group([one._replace(relied=NONE) for one in some], 1.0)]),
    )
    assert told[of_relied] > silent[of_relied]
    assert told[of_changed] - ALL[of_changed].weight > told[of_relied] - ALL[of_relied].weight


def test_a_fit_raises_the_rule_that_tells_right_from_wrong_and_lowers_the_one_that_misleads() -> (
    None
):
    chance = numpy.random.default_rng(1)
    telling, misleading = NAMES.index("size"), NAMES.index("walk")
    some = []
    for _ in range(50):
        values = chance.random((20, len(ALL)), numpy.float32)
        right = numpy.zeros(20, bool)
        right[0] = True
        values[0, telling], values[0, misleading] = 1.0, 0.0
        some.append(Judged("a/b", values, right, NONE))
    weights = fit([Group(some, 1.0)])
    assert weights[telling] > ALL[telling].weight + 0.1
    assert weights[misleading] < ALL[misleading].weight - 0.1
    assert (fit([Group(some, 1.0)]) == weights).all()


def test_a_rule_that_was_never_at_work_keeps_its_weight() -> None:
    chance = numpy.random.default_rng(2)
    idle = NAMES.index("neural")
    some = []
    for _ in range(20):
        values = chance.random((20, len(ALL)), numpy.float32)
        values[:, idle] = 0.0
        some.append(Judged("a/b", values, numpy.arange(20) == 0, NONE))
    assert fit([Group(some, 1.0)])[idle] == ALL[idle].weight


def test_what_a_set_does_not_see_has_no_say_in_its_fit() -> None:
    values = numpy.random.default_rng(3).random((20, 20, len(COLUMNS)), numpy.float32)
    hidden, right = NAMES.index("whole-file"), numpy.arange(20) == 0
    values[:, :, hidden] = right
    some = [Judged("a/b", each, right, NONE) for each in values]
    seeing, blind = Group(some, 1.0), Group(some, 1.0).blind({"whole-file"})
    assert fit([seeing])[hidden] > ALL[hidden].weight
    assert fit([blind])[hidden] == ALL[hidden].weight


def test_the_base_brings_the_tenth_candidate_to_the_share_of_the_best_that_packs_expect() -> None:
    values = numpy.random.default_rng(4).random((20, 20, len(ALL)), numpy.float32)
    values[:, :, NAMES.index("base")] = 1.0
    right = numpy.arange(20) == 0
    weights = fit([Group([Judged("a/b", each, right, NONE) for each in values], 1.0)])
    ordered = numpy.sort(values @ weights, axis=1)
    assert numpy.median(ordered[:, -10] / ordered[:, -1]) == pytest.approx(0.585, abs=0.02)


@pytest.mark.parametrize(
    ("path", "repositories", "held"), [(TASKS, 88, 18), (FURTHER_TASKS, 81, 16)]
)
def test_every_fifth_repository_of_our_tasks_is_never_trained_on(
    path: Path, repositories: int, held: int
) -> None:
    every = load_symbols(path)
    known = {case.repo for case in every}
    assert len(known) == repositories
    assert len(known - {case.repo for case in trained_on(every)}) == held


def test_a_request_is_asked_in_its_own_words_and_in_others(tmp_path: Path) -> None:
    folder = tmp_path / "shop"
    folder.mkdir()
    git(folder, "init", "-q")
    committed(
        folder, "def open_till():\n    return 1\n\n\ndef close_till():\n    return 2\n", "till"
    )
    case = SymbolTask(
        "1",
        "shop",
        "",
        "how is the till opened",
        "",
        ("till.py::open_till",),
        ("where do we open a till", "the till stays shut, what lets it open?"),
    )
    found = list(request_tasks([case], Corpus.at(str(tmp_path), None)))
    assert [(task.right.sum(), task.wording) for task in found] == [(1, 0), (1, 1)]
    found = list(request_tasks([case], Corpus.at(str(tmp_path), None), wordings=3))
    assert [task.wording for task in found] == [0, 1, 2]
