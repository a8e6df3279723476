"""`python -m bench`: what cannot work is refused before anything is measured."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from bench.__main__ import main

from bench import archive

TASK = {"id": "a", "repo": "shop", "description": "add an article", "ground_truth": ["Cart.add"]}
SOURCE = """class Cart:
    def add(self, article):
        self.articles.append(article)

    def total(self):
        return sum(article.price for article in self.articles)
"""


@pytest.fixture
def options(tmp_path: Path) -> list[str]:
    """A task about a small repository of the corpus, and where results go."""
    shop = tmp_path / "corpus" / "shop"
    shop.mkdir(parents=True)
    (shop / "cart.py").write_text(SOURCE)
    (tmp_path / "tasks.jsonl").write_text(json.dumps(TASK) + "\n")
    data, out = tmp_path / "tasks.jsonl", tmp_path / "out.json"
    return ["--data", str(data), "--corpus", str(tmp_path / "corpus"), "--out", str(out)]


@pytest.mark.parametrize(
    ("command", "told"),
    [
        (["symbols", "--ablate", "nonsense"], "no rule 'nonsense'; there are"),
        (["symbols", "--adapter", "bm25", "--ablate", "meaning"], "add it to --adapter"),
        (["symbols", "--adapter", "grep"], "no adapter 'grep'; there are"),
        (["symbols", "--repos", "other"], "no cases of 'symbols' are left"),
        (["all"], "--data is of one suite's form"),
        (["search"], "case 1 lacks base_commit, query, relevant"),
        (["symbols", "--out", "/dev/null/results.json"], "no results can be written to"),
        (["symbols", "--out", "{data}"], "is not a results file"),
    ],
)
def test_what_cannot_work_is_refused_before_it_is_measured(
    command: list[str], told: str, options: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    given = [part.replace("{data}", options[1]) for part in command]
    assert main([given[0], *options, *given[1:]]) == 2
    shown = capsys.readouterr()
    assert told in shown.err
    assert shown.out == ""  # no table, hence nothing was run
    assert len(shown.err.splitlines()) == 1


@pytest.mark.parametrize("count", ["-1", "0", "many"])
def test_a_number_of_cases_is_positive(
    count: str, options: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main(["symbols", *options, "--limit-cases", count])
    assert "is not a number of cases" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("suite", "told"),
    [("nope", "no suite 'nope'; there are symbols"), ("symbols,search", "name it with --suite")],
)
def test_the_corpus_of_a_suite_that_is_not_there_is_refused(
    suite: str, told: str, options: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["corpus", *options[:4], "--suite", suite]) == 2
    assert told in capsys.readouterr().err


def test_archives_without_a_case_in_common_say_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    paths = []
    for name in ("one", "two"):
        run = {"suite": "symbols", "adapter": "sonde", "configuration": "defaults"}
        cases = {name: {"repo": "r", "scores": {"sR10": 1.0}}}
        paths.append(archive.save([{**run, "cases": cases}], [name], str(tmp_path / name)))
    assert main(["compare", *map(str, paths)]) == 0
    assert "no case is in both" in capsys.readouterr().out


def test_a_task_without_words_scores_nothing_and_stops_no_run(
    options: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wanted = {"repo": "shop", "expected_files": ["cart.py"], "expected_symbols": []}
    rows = [{"id": "a", "query": "x", **wanted}, {"id": "b", "query": "fix Cart.add", **wanted}]
    Path(options[1]).write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert main(["sweep", *options]) == 0
    [run] = archive.load(tmp_path / "out.json")["runs"]
    assert [row["scores"]["fileR"] for row in run["cases"].values()] == [0.0, 1.0]
    assert "intent" not in run["summary"]  # none was expected
    assert "confusion" not in run
