"""Comparisons, archives and the command line of the harness."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from bench.__main__ import main
from bench.adapters.bm25 import Bm25Adapter, own_lines, words
from bench.adapters.contract import Question
from bench.adapters.definitions import Definition
from bench.data import REQUESTS, DataError, load_sweep, load_symbols
from bench.suites import CaseResult

from bench import archive, compare, report


def record(values: dict[str, float], repo: str = "one") -> dict[str, Any]:
    results = [
        CaseResult(name, {"repo": repo, "language": "go"}, {"sR10": value}, 1.0)
        for name, value in values.items()
    ]
    return archive.run_record("symbols", "sonde", "defaults", results, 1.0)


def test_interval_is_repeatable_and_contains_the_mean() -> None:
    changes = [0.1, -0.2, 0.3, 0.0, 0.4, 0.1]
    low, high = compare.paired_interval(changes)
    assert (low, high) == compare.paired_interval(changes)
    assert low < sum(changes) / len(changes) < high


def test_steady_gain_is_better_and_noise_is_not() -> None:
    names = [f"c{number}" for number in range(40)]
    before = record(dict.fromkeys(names, 0.2))
    gain = compare.differences(before, record(dict.fromkeys(names, 0.3)), ["sR10"])[0]
    assert (gain.verdict, round(gain.change, 6)) == ("better", 0.1)
    mixed = {name: 0.2 + (0.1 if i % 2 else -0.1) for i, name in enumerate(names)}
    assert compare.differences(before, record(mixed), ["sR10"])[0].verdict == ""


def test_fewer_wrong_files_is_better() -> None:
    drop = compare.Difference("ALL", "A2", 30, 0.6, 0.4, -0.3, -0.1)
    assert drop.verdict == "better"


def test_repository_that_lost_is_named() -> None:
    found = compare.differences(
        record({"a": 0.5, "b": 0.5}), record({"a": 0.1, "b": 0.5}), ["sR10"]
    )
    assert [loss.group for loss in compare.regressions(found)] == ["repo one"]
    assert "regressions: one sR10 -0.200" in compare.comparison_table(found)


def test_only_cases_of_both_runs_are_compared() -> None:
    found = compare.differences(record({"a": 0.5, "b": 1.0}), record({"a": 0.5}), ["sR10"])
    assert {difference.cases for difference in found} == {1}


def test_archive_survives_a_round_trip_with_one_line_a_case(tmp_path: Path) -> None:
    path = archive.save([record({"a": 1 / 3, "b": 1.0})], ["symbols"], str(tmp_path / "r.json"))
    loaded = archive.load(path)
    assert loaded["runs"][0]["cases"]["a"]["scores"] == {"sR10": 0.3333}
    assert loaded["runs"][0]["groups"]["repo"]["one"]["cases"] == 2
    assert sum(line.startswith('"a": ') for line in path.read_text().splitlines()) == 1


def test_runs_of_one_commit_share_an_archive_and_replace_their_like(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archive, "RESULTS", tmp_path)
    other = {**record({"a": 0.1}), "adapter": "bm25"}
    archive.save([record({"a": 0.5}), other], ["symbols"], None)
    path = archive.save([record({"a": 0.75})], ["symbols", "again"], None)
    runs = {run["adapter"]: run for run in archive.load(path)["runs"]}
    assert runs["sonde"]["summary"]["sR10"] == 0.75
    assert runs["sonde"]["command"] == "python -m bench symbols again"
    assert runs["bm25"]["summary"]["sR10"] == 0.1


def test_page_names_the_archive_and_its_figures(tmp_path: Path) -> None:
    path = archive.save([record({"a": 0.5})], ["symbols"], str(tmp_path / "r.json"))
    page = report.write_page(archive.load(path), path, tmp_path / "docs" / "benchmarks.md")
    text = page.read_text()
    assert "bench/results/r.json" in text
    assert "| sonde | 1 | – | 0.500 |" in text


def test_missing_data_file_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["symbols", "--data", "nowhere.jsonl"]) == 2
    assert capsys.readouterr().err == "bench: no data file at nowhere.jsonl\n"


def test_malformed_data_names_file_and_line(tmp_path: Path) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_text(
        '{"id": "a", "repo": "r", "description": "d", "ground_truth": ["X"]}\nnot json\n'
    )
    with pytest.raises(DataError, match=r"bad\.jsonl:2: not JSON"):
        load_symbols(path)


def test_identifiers_are_split_and_kept_whole() -> None:
    assert words("parseHTTPHeader of max_size") == [
        *("parse", "http", "header", "parsehttpheader", "of", "max", "size")
    ]


def test_lines_belong_to_the_innermost_definition() -> None:
    outer, inner = Definition("A", "class", "f", 1, 5), Definition("A.b", "method", "f", 3, 4)
    assert own_lines([outer, inner], 5) == [[1, 2, 5], [3, 4]]


def test_bm25_finds_the_symbol_that_shares_words(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("def open_door():\n    pass\n\ndef close_window():\n    pass\n")
    known = [
        Definition("open_door", "function", "a.py", 1, 2),
        Definition("close_window", "function", "a.py", 4, 5),
    ]
    adapter = Bm25Adapter("bm25", lambda repo: known)
    adapter.prepare(tmp_path)
    answer = adapter.rank(tmp_path, [Question("q", "how is a window closed")], 10)[0]
    assert answer.symbols[0].name == "close_window"
    assert answer.files == ("a.py",)


def test_bm25_runs_the_symbol_suite_from_files(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = tmp_path / "tasks.jsonl"
    task = {
        "id": "t1",
        "repo": "tiny",
        "description": "open the door",
        "ground_truth": ["Door.open"],
    }
    data.write_text(json.dumps(task) + "\n")
    (tmp_path / "corpus" / "tiny").mkdir(parents=True)
    (tmp_path / "corpus" / "tiny" / "door.py").write_text(
        "class Door:\n    def open(self):\n        return 1\n"
    )
    out = tmp_path / "out.json"
    arguments = ["symbols", "--data", str(data), "--corpus", str(tmp_path / "corpus")]
    code = main([*arguments, "--adapter", "bm25-ctags", "--out", str(out)])
    if code == 2:
        pytest.skip("universal-ctags is not installed")
    assert archive.load(out)["runs"][0]["summary"]["sR10"] == 1.0


def test_symbol_tasks_can_be_judged_by_their_packs() -> None:
    tasks, packs = load_symbols(REQUESTS), load_sweep(REQUESTS)
    assert [case.id for case in packs] == [task.id for task in tasks]
    for case, task in zip(packs, tasks, strict=True):
        assert {truth.rpartition("::")[2] for truth in task.truth} == set(case.symbols)
        assert all(
            any(truth.startswith(f"{file}::") for truth in task.truth) for file in case.files
        )
