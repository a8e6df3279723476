"""The harness's metrics: equal to the published scorers, and right on hand-made cases."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path

import pytest
from bench.data import SHARED, load_localization, load_symbols

from bench import metrics

needs_scorers = pytest.mark.skipif(
    not (SHARED / "score_symbols.py").is_file(), reason="the published scorers are not here"
)

# What the published scorer prints for these predictions, kept for machines without it.
SAMPLE = [
    (
        ["Store", "Store.open", "pkg/store.go:Reader.Read", "Close", "store.open"],
        ["Store.open", "Reader", "Writer.Flush"],
        {"P10": 0.4, "R10": 2 / 3, "sP10": 0.1, "sR10": 1 / 3, "sMRR": 0.5, "MRR": 1.0},
    ),
    (
        ["module", "src/a.py:12", "a/b.run", "Runner#run"],
        ["Runner.run", "Runner"],
        {"P10": 0.2, "R10": 1.0, "sP10": 0.1, "sR10": 0.5, "sMRR": 0.5, "MRR": 0.5},
    ),
    (["Foo..("], ["a.py:12", "Other"], {"sP10": 0.0, "sR10": 0.0}),  # names no symbol: no hit
    ([], ["Thing"], {"P10": 0.0, "R10": 0.0, "sP10": 0.0, "sR10": 0.0, "sMRR": 0.0, "MRR": 0.0}),
]


@pytest.mark.parametrize(("predicted", "truth", "expected"), SAMPLE)
def test_symbol_scores_of_known_predictions(
    predicted: list[str], truth: list[str], expected: dict[str, float]
) -> None:
    scores = metrics.symbol_scores(predicted, truth)
    assert {name: scores[name] for name in expected} == pytest.approx(expected)


def _noisy_answer(truth: list[str], others: list[str], rng: random.Random) -> list[str]:
    """A ranking with some right names, some near ones and some wrong ones, written many ways."""
    names = rng.sample(truth, rng.randint(0, len(truth))) + rng.sample(others, 12)
    names += [name.rsplit(".", 1)[-1] for name in truth[:1]] + [truth[0].split(".")[0]]
    rng.shuffle(names)
    styles = ("{}", "src/x.py:{}", "pkg/file.go.{}", "{}(", "{}.")
    return [rng.choice(styles).format(name) for name in names]


@needs_scorers
def test_symbol_scores_agree_with_the_published_scorer(tmp_path: Path) -> None:
    path = SHARED / "symbols-dev.jsonl"
    tasks, rng = load_symbols(path), random.Random(7)
    pool = sorted({name for task in tasks for name in task.truth})
    answers = {task.id: _noisy_answer(list(task.truth), pool, rng) for task in tasks}
    (tmp_path / "answers.json").write_text(json.dumps(answers))
    command = [sys.executable, str(SHARED / "score_symbols.py"), str(path)]
    printed = subprocess.run(
        [*command, str(tmp_path / "answers.json")], capture_output=True, text=True, check=True
    ).stdout
    published = dict(cell.split("=") for cell in printed.split() if "=" in cell)
    ours = metrics.mean_scores(metrics.symbol_scores(answers[t.id], t.truth) for t in tasks)
    assert {name: f"{ours[name]:.3f}" for name in published} == published


@needs_scorers
def test_localization_scores_agree_with_the_published_scorer(tmp_path: Path) -> None:
    path = SHARED / "localization-dev.jsonl.gz"
    cases, rng = load_localization(path), random.Random(11)
    files = sorted({file for case in cases for file in case.files})
    places = sorted({symbol for case in cases for symbol in case.symbols})
    rows = []
    for case in cases:
        ranked_files = [*rng.sample(files, 6), *case.files]
        ranked_places = [*rng.sample(places, 12), *case.symbols]
        rng.shuffle(ranked_files)
        rng.shuffle(ranked_places)
        rows.append({"id": case.id, "files": ranked_files, "symbols": ranked_places})
    (tmp_path / "answers.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    command = [sys.executable, str(SHARED / "score_localization.py"), str(path)]
    printed = subprocess.run(
        [*command, str(tmp_path / "answers.jsonl")], capture_output=True, text=True, check=True
    ).stdout
    ours = metrics.mean_scores(
        metrics.localization_scores(row["files"], row["symbols"], case.files, case.symbols)
        for case, row in zip(cases, rows, strict=True)
    )
    for line in printed.splitlines():
        _, level, _, *cells = line.split()
        for name, value in (cell.split("=") for cell in cells):
            assert f"{100 * ours[level + name]:.1f}" == value, (level, name)


def test_constructor_counts_as_its_class() -> None:
    scores = metrics.localization_scores([], ["a.py::Box.__init__"], [], ["a.py::Box"])
    assert scores["funcAcc@1"] == 1.0


def test_accuracy_asks_for_as_many_gold_as_fit() -> None:
    scores = metrics.localization_scores(["a", "b", "x"], [], ["a", "b"], [])
    assert (scores["fileAcc@1"], scores["fileAcc@3"]) == (1.0, 1.0)
    scores = metrics.localization_scores(["a", "x", "y"], [], ["a", "b"], [])
    assert (scores["fileAcc@1"], scores["fileAcc@3"], scores["fileAny@3"]) == (1.0, 0.0, 1.0)


def test_level_without_gold_is_left_out() -> None:
    assert metrics.localization_scores(["a"], ["a::f"], [], []) == {}


def test_naming_a_container_does_not_help_strict_recall() -> None:
    scores = metrics.symbol_scores(["Site"], ["Site.read", "Site.write"])
    assert (scores["R10"], scores["sR10"]) == (1.0, 0.0)


def test_deep_recall_sees_what_the_first_ten_lack() -> None:
    filler = [f"Filler{number}" for number in range(40)]
    scores = metrics.symbol_scores([*filler, "Wanted"], ["Wanted"])
    assert (scores["sR10"], scores["sR50"]) == (0.0, 1.0)


def test_search_ndcg_rewards_the_earlier_file() -> None:
    first = metrics.search_scores(["a", "b"], ["a"], [])
    second = metrics.search_scores(["b", "a"], ["a"], [])
    assert first["NDCG10"] == 1.0
    assert second["NDCG10"] == pytest.approx(0.6309, abs=1e-4)


def test_secondary_files_count_in_ndcg_but_not_in_the_primary_one() -> None:
    scores = metrics.search_scores(["b", "a"], ["a"], ["b"])
    assert scores["NDCG10"] == 1.0
    assert scores["NDCG10primary"] < 1.0


def test_a_query_with_secondary_files_only_has_no_primary_score() -> None:
    assert metrics.search_scores(["b"], [], ["b"]) == {"NDCG10": 1.0, "MRR": 1.0}


def test_pack_scores_follow_their_definitions() -> None:
    scores = metrics.pack_scores(
        ["Chat", "Chat.send"], ["a.py", "b.py"], 500, ["Chat", "Other"], ["a.py"]
    )
    assert scores["A1"] == 0.5
    assert scores["A2"] == 0.5
    assert scores["A3"] == 1.0
    assert scores["fileF1"] == pytest.approx(2 / 3)
    assert scores["tokensPerSymbol"] == 500


def test_percentiles_are_values_that_occurred() -> None:
    assert metrics.latency([5.0, 1.0, 3.0, 100.0]) == {
        "p50": 3.0,
        "p90": 100.0,
        "p95": 100.0,
        "p99": 100.0,
    }


def test_confusion_counts_each_pair() -> None:
    table = metrics.confusion([("FIX", "FIX"), ("FIX", "TEST"), ("FIX", "FIX")])
    assert table == {"FIX": {"FIX": 2, "TEST": 1}}
