"""Where truths are lost, what other words change, and that runs do not see each other."""

from __future__ import annotations

from pathlib import Path

import pytest
from bench.__main__ import main
from bench.adapters.contract import Question
from bench.adapters.definitions import Definition
from bench.adapters.sonde import SondeAdapter
from bench.data import REWORDINGS, LocalizationCase, SymbolTask, load_rewordings
from bench.metrics import overlap_scores
from bench.pins import PINS
from bench.suites import CaseResult
from bench.trace import Trace, stage_recalls

from bench import archive, determinism, misses, report

TRUTH = ("Top", "Cut", "Low", "Unwalked", "Never", "Absent")
TASK = SymbolTask("t", "r", "", "q", "easy", TRUTH)
FILLERS = tuple(f"f::Filler{number}" for number in range(10))
TRACE = Trace(
    "t",
    ranked=("f::Top", "f::Cut", *FILLERS, "f::Low", "f::Unwalked"),
    walked=("f::Top", "f::Low"),
    packed=("f::Top",),
    fused=("f::Low", "f::Top"),
    channels={"names": ("f::Top",), "text": ()},
)
KNOWN = [Definition(name, "class", "f", 1, 2) for name in TRUTH if name != "Absent"]


def test_each_miss_has_the_first_stage_that_lost_it() -> None:
    found = misses.misses_of(TASK, TRACE, KNOWN)
    assert [(miss.truth, miss.stage, miss.rank) for miss in found] == [
        ("Cut", "cut by the budget", 2),
        ("Low", "ranked low", 13),
        ("Unwalked", "not walked", 14),
        ("Never", "not a candidate", 0),
        ("Absent", "not extracted", 0),
    ]


def test_misses_are_counted_for_each_repository_and_all() -> None:
    found = tuple(misses.misses_of(TASK, TRACE, KNOWN))
    counts = misses.Collected(found, {"r": 6}, ()).counts()
    assert counts["r"] == counts["ALL"]
    assert (counts["r"]["truths"], counts["r"]["found"], counts["r"]["ranked low"]) == (6, 1, 1)
    assert misses.miss_table(counts).splitlines()[1].split() == ["r", *"6111111"]


def test_localization_misses_are_told_apart_by_file() -> None:
    case = LocalizationCase("t", "r", "c", "q", "python", ("a.py",), ("a.py::run",))
    found = misses.misses_of(
        case, Trace("t", ("b.py::run",)), [Definition("run", "f", "b.py", 1, 2)]
    )
    assert [miss.stage for miss in found] == ["not extracted"]


def test_recall_is_told_for_each_channel_their_fusion_and_the_ranking() -> None:
    recalls = stage_recalls(TASK, TRACE)
    assert recalls["names R50"] == pytest.approx(1 / 6)
    assert recalls["text R500"] == 0.0
    assert recalls["fused R50"] == pytest.approx(2 / 6)
    assert recalls["ranked R50"] == pytest.approx(4 / 6)
    assert misses.by_stage(recalls)["names"] == [pytest.approx(1 / 6)] * 3


def test_depth_limits_a_recall() -> None:
    late = Trace("t", (*(f"f::Filler{n}" for n in range(60)), "f::Top"))
    recalls = stage_recalls(SymbolTask("t", "r", "", "q", "", ("Top",)), late)
    assert (recalls["ranked R50"], recalls["ranked R100"]) == (0.0, 1.0)


def test_overlap_is_the_share_of_the_first_ten_that_stays() -> None:
    first = [f"s{number}" for number in range(12)]
    scores = overlap_scores(first, [first, first[5:10], ["other"] * 3])
    assert scores == {"overlap10": pytest.approx((1.0 + 0.5 + 0.0) / 3), "worst10": 0.0}
    assert overlap_scores([], [[]]) == {"overlap10": 0.0, "worst10": 0.0}


def test_forty_tasks_have_five_different_rewordings_each() -> None:
    tasks = load_rewordings(REWORDINGS)
    assert len({task.id for task in tasks}) == 40
    texts = [text for task in tasks for text in (task.query, *task.rewordings)]
    assert len(set(texts)) == 40 * 6
    assert {task.repo for task in tasks} <= set(PINS)


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    """A corpus of one repository."""
    folder = tmp_path / "corpus" / "tiny"
    folder.mkdir(parents=True)
    (folder / "door.py").write_text(
        'class Door:\n    """A door."""\n\n    def open(self):\n        return self.push()\n\n'
        "    def push(self):\n        return 1\n"
    )
    return folder


def test_other_words_are_asked_and_compared(tiny: Path, tmp_path: Path) -> None:
    data = tmp_path / "rewordings.jsonl"
    data.write_text(
        '{"id": "t1", "repo": "tiny", "query": "open the door",'
        ' "rewordings": ["open the door", "qzxv"]}\n'
    )
    out = tmp_path / "out.json"
    arguments = ["--data", str(data), "--corpus", str(tiny.parent), "--out", str(out)]
    assert main(["rewordings", *arguments]) == 0
    summary = archive.load(out)["runs"][0]["summary"]
    assert (summary["overlap10"], summary["worst10"]) == (0.5, 0.0)


def test_truths_are_followed_through_the_stages_of_a_real_run(tiny: Path, tmp_path: Path) -> None:
    data = tmp_path / "tasks.jsonl"
    data.write_text(
        '{"id": "t1", "repo": "tiny", "description": "open the door",'
        ' "ground_truth": ["Door.open", "Window"]}\n'
    )
    out = tmp_path / "out.json"
    arguments = ["--data", str(data), "--corpus", str(tiny.parent), "--out", str(out)]
    assert main(["misses", *arguments]) == 0
    run = archive.load(out)["runs"][0]
    assert run["misses"]["tiny"]["found"] == run["misses"]["tiny"]["not extracted"] == 1
    assert run["summary"]["names R50"] == run["summary"]["ranked R50"] == 0.5
    page = report.write_page(archive.load(out), out, tmp_path / "page.md").read_text()
    assert "| tiny | 2 | 1 | 1 | 0 | 0 | 0 | 0 |" in page
    assert "| names | 0.500 | 0.500 | 0.500 |" in page


def test_runs_are_the_same_and_see_nothing_of_each_other(
    tiny: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(determinism, "_AT_ONCE", 2)  # each is a process of its own
    monkeypatch.setattr(determinism, "_ALONE", 1)
    questions = [Question("a", "open the door"), Question("b", "push")]
    found = dict(determinism.checks(tiny, questions, tmp_path / "scratch"))
    assert len(found) == 7
    assert set(found.values()) == {1.0}, found


def test_opinions_are_left_in_a_repository_of_functions_alone(tmp_path: Path) -> None:
    repo = tmp_path / "repo"
    repo.mkdir()
    (repo / "a.py").write_text("def push():\n    return 1\n")
    determinism._leave_opinions(repo, tmp_path / "scratch", [Question("a", "push")])
    assert list((tmp_path / "scratch").rglob("*"))


def test_answers_that_differ_and_files_that_change_are_noticed(tiny: Path) -> None:
    listing = determinism._listing(tiny)
    (tiny / "new.py").write_text("x = 1\n")
    assert determinism._listing(tiny) != listing
    assert determinism._share({"a": "1", "b": "2"}, [{"a": "1", "b": "3"}]) == 0.5


def test_page_tells_determinism_by_check(tmp_path: Path) -> None:
    groups = {"repo": "tiny", "category": "asked again"}
    results = [CaseResult("tiny: asked again", groups, {"same": 0.5}, 0.0)]
    run = archive.run_record("determinism", "sonde", "defaults", results, 1.0)
    path = archive.save([run], ["determinism"], str(tmp_path / "r.json"))
    page = report.write_page(archive.load(path), path, tmp_path / "page.md").read_text()
    assert "| asked again | 1 | 0.500 |" in page


def test_a_batch_tells_how_long_each_stage_took(tiny: Path, tmp_path: Path) -> None:
    adapter = SondeAdapter(tmp_path)
    answer = adapter.rank(tiny, [Question("a", "open the door")], 10)[0]
    assert {"names", "fulltext", "walk"} <= set(answer.stages)
