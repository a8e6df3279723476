"""What chosen models change in an answer: candidates, order and explanation; never a wait."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest
from example_repository import write
from full_disk import full_disk
from neural_engine import over, slow_to_load
from tiny_onnx import write_cross_encoder, write_embedding_model

from sonde.answers.results import Answer, RankAnswer, WhyAnswer
from sonde.engine import Engine
from sonde.neural import models
from sonde.store.errors import Problem

# `glaze` shares no word with the task, and by its text is about what the task is about.
FILES = {
    "shop/oven.py": (
        'def glaze(jar):\n    """Seal every biscuit."""\n    return jar\n\n\n'
        'def measure(jar):\n    """Greet the parcel."""\n    return jar\n'
    ),
    "shop/errors.py": "class Overflow(Exception):\n    pass\n",
}
TASK = "where do we sign a cookie"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return write(tmp_path / "work", FILES)


def ranked(engine: Engine, task: str = TASK, *without: str) -> RankAnswer:
    answer = engine.rank(task, without=frozenset(without))
    assert isinstance(answer, RankAnswer), answer
    return answer


def names(answer: RankAnswer) -> list[str]:
    return [one.symbol.qualname for one in answer.ranked]


def test_a_symbol_is_found_by_what_the_model_knows_and_says_so(engine: Engine) -> None:
    engine.embed()
    answer = ranked(engine, TASK, "meaning")
    assert names(answer)[0] == "glaze"
    best = answer.ranked[0]
    assert dict(best.contributions)["neural"] > 0.0
    assert "neural" in {each.channel for each in best.evidence}
    assert dict(answer.statistics)["neural embedded"] == 1.0


def test_it_can_be_switched_off(engine: Engine) -> None:
    engine.embed()
    answer = ranked(engine, TASK, "neural")
    assert all("neural" not in dict(one.contributions) for one in answer.ranked)
    assert "neural embedded" not in dict(answer.statistics)


def test_what_is_not_embedded_is_no_candidate_of_the_channel(engine: Engine, root: Path) -> None:
    answer = ranked(engine, TASK, "meaning")
    assert dict(answer.statistics)["neural hits"] == 0.0
    assert dict(answer.statistics)["neural embedded"] == 0.0
    engine.embed()
    (root / "shop/oven.py").write_text(FILES["shop/oven.py"] + "\n\ndef third():\n    pass\n")
    stale = dict(ranked(engine, TASK).statistics)  # the file is another one than was embedded
    assert stale["neural embedded"] == pytest.approx(1 / 4)


def test_a_question_does_not_wait_for_the_model_of_a_server(
    root: Path, tmp_path: Path, tiny_model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with over(root, tmp_path / "cache", embedding=tiny_model) as patient:
        patient.sync()
        patient.embed()
    may_load = slow_to_load(monkeypatch)
    with over(root, tmp_path / "cache", embedding=tiny_model, patient=False) as engine:
        assert dict(ranked(engine).statistics)["neural hits"] == 0.0
        may_load.set()
        deadline = time.monotonic() + 20.0
        while dict(ranked(engine).statistics)["neural hits"] == 0.0:
            assert time.monotonic() < deadline
            time.sleep(0.02)


def test_an_answer_is_kept_only_when_all_is_embedded_and_for_one_model(
    engine: Engine, root: Path, tmp_path: Path
) -> None:
    def kept() -> bool:
        answer = engine.for_task(TASK)
        assert isinstance(answer, Answer), answer
        return answer.cached

    assert [kept(), kept()] == [False, False]
    engine.embed()
    assert [kept(), kept()] == [False, True]
    with over(root, tmp_path / "cache") as plain:
        other = plain.for_task(f"{TASK}, and measure")
        assert isinstance(other, Answer)
        assert not other.cached


def asked(engine: Engine, task: str) -> Answer:
    answer = engine.for_task(task)
    assert isinstance(answer, Answer), answer
    return answer


def test_an_answer_tells_what_share_is_embedded(engine: Engine, root: Path) -> None:
    engine.embed()
    assert "embedded" not in asked(engine, TASK).text
    (root / "shop/oven.py").write_text(FILES["shop/oven.py"] + "\n\ndef third():\n    pass\n")
    assert "partial: 25 % of functions and types are embedded" in asked(engine, TASK).text


def test_an_answer_that_did_without_the_judge_was_kept_for_good(
    root: Path, tmp_path: Path, tiny_model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    judge = write_cross_encoder(tmp_path / "judge", {"parcel": 4.0, "biscuit": -4.0})
    may_load = slow_to_load(monkeypatch, only=judge)
    chosen = over(root, tmp_path / "cache", embedding=tiny_model, reranking=judge, patient=False)
    with chosen as engine:
        engine.sync()
        engine.embed()
        first = asked(engine, "return the jar")
        assert "without the reranking model, which is still loading: ask again" in first.text
        may_load.set()
        deadline = time.monotonic() + 20.0
        while "still loading" in (later := asked(engine, "return the jar")).text:
            assert not later.cached
            assert time.monotonic() < deadline
            time.sleep(0.02)
        assert asked(engine, "return the jar").cached


def test_a_model_that_was_only_loading_sent_its_user_to_a_doctor_who_found_nothing(
    root: Path, tmp_path: Path, tiny_model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    may_load = slow_to_load(monkeypatch)
    chosen = over(root, tmp_path / "cache", embedding=tiny_model, patient=False)
    with chosen as engine:
        engine.sync()
        first = asked(engine, TASK)
        may_load.set()
    assert "without the embedding model, which is still loading: ask again" in first.text
    assert "doctor" not in first.text
    with over(root, tmp_path / "cache", embedding=tmp_path / "gone") as engine:
        assert "not ready: see 'sonde doctor'" in asked(engine, TASK).text


def test_a_judge_that_once_failed_to_load_was_given_up_by_a_server(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    judge = tmp_path / "judge"
    monkeypatch.setattr(models, "_AGAIN", 0.1)
    with over(root, tmp_path / "cache", reranking=judge, patient=False) as engine:
        engine.sync()
        deadline = time.monotonic() + 20.0
        while "not ready: see 'sonde doctor'" not in asked(engine, "return the jar").text:
            assert time.monotonic() < deadline
            time.sleep(0.02)
        write_cross_encoder(judge, {"parcel": 4.0, "biscuit": -4.0})
        while "reranking model" in asked(engine, "return the jar").text:
            assert time.monotonic() < deadline
            time.sleep(0.02)


def test_an_answer_that_did_without_the_vectors_was_kept_for_good(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = {"biscuit": (1.0, 0.0), "parcel": (0.0, 1.0)}
    model = write_embedding_model(tmp_path / "model", words)
    larger = write_embedding_model(tmp_path / "larger", {**words, "cookie": (1.0, 0.0)})
    shutil.copy(larger / "tokenizer.json", model)  # so that it fails for the word
    with over(root, tmp_path / "cache", embedding=model) as engine:
        engine.sync()
        engine.embed()
        assert "not ready" in asked(engine, TASK).text
        assert "not ready" in asked(engine, "seal the biscuit").text  # asked too soon after it
        monkeypatch.setattr(models, "_AGAIN", 0.0)
        later = asked(engine, "seal the biscuit")
        assert not later.cached
        assert "not ready" not in later.text


def test_the_judge_of_pairs_puts_the_first_in_order_and_why_tells(
    root: Path, tmp_path: Path
) -> None:
    judge = write_cross_encoder(tmp_path / "judge", {"parcel": 4.0, "biscuit": -4.0})
    task = "return the jar"
    with over(root, tmp_path / "plain") as plain:
        plain.sync()
        before = ranked(plain, task)
    with over(root, tmp_path / "cache", reranking=judge) as engine:
        engine.sync()
        after = ranked(engine, task)
        off = ranked(engine, task, "reranking")
        why = engine.why(task, "measure")
    assert sorted(names(before)[:2]) == ["glaze", "measure"]
    assert names(off) == names(before)
    assert names(after)[0] == "measure"
    assert isinstance(why, WhyAnswer)
    assert dict(why.contributions)["reranking"] > 0.0
    assert sum(part for _, part in why.contributions) == pytest.approx(why.score)


def test_a_model_of_the_other_sort_costs_its_channel_not_the_answer(
    root: Path, tmp_path: Path, tiny_model: Path
) -> None:
    judge = write_cross_encoder(tmp_path / "judge", {"parcel": 4.0})
    with over(root, tmp_path / "cache", embedding=judge, reranking=tiny_model) as engine:
        assert names(ranked(engine, "return the jar"))
        problem = engine.embed()
    assert "gives no vectors" in problem.message  # type: ignore[union-attr]


def test_a_model_that_cannot_read_a_text_ended_the_command_as_an_internal_error(
    root: Path, tmp_path: Path
) -> None:
    # The tokenizer, of another model, knows more words than the graph.
    embeds = write_embedding_model(tmp_path / "embeds", {"far": (1.0, 0.0)})
    judges = write_cross_encoder(tmp_path / "judges", {"far": 1.0})
    words = {**dict.fromkeys(TASK.split(), (1.0,)), "jar": (1.0,)}
    other = write_embedding_model(tmp_path / "other", words)
    for folder in (embeds, judges):
        shutil.copy(other / "tokenizer.json", folder)
    with over(root, tmp_path / "cache", embedding=embeds, reranking=judges) as engine:
        engine.sync()
        problem = engine.embed()
        assert isinstance(problem, Problem)
        assert f"the model in {embeds} cannot be used" in problem.message
        assert "\n" not in problem.message
        assert names(ranked(engine))


def test_on_a_full_disk_a_question_was_not_answered_once_a_model_was_chosen(
    root: Path, tmp_path: Path, tiny_model: Path
) -> None:
    with over(root, tmp_path / "cache", embedding=tiny_model) as engine:
        engine.sync()
        engine.embed()
    with over(root, tmp_path / "cache", embedding=tiny_model) as engine:
        with full_disk():
            answer = asked(engine, "seal the biscuit")
            problem = engine.embed()
        assert "glaze" in answer.text
        assert "without the embedding model, which is not ready" in answer.text
        assert isinstance(problem, Problem)
    with over(root, tmp_path / "cache", embedding=tiny_model) as engine:
        assert "embedding model" not in asked(engine, "seal the biscuit").text


def test_without_a_choice_nothing_of_it_is_imported(root: Path, tmp_path: Path) -> None:
    program = (
        f"import sys\nsys.argv = ['sonde', 'context', {TASK!r}, '--repo', {str(root)!r}]\n"
        "from sonde.cli import main\nmain()\n"
        "heavy = {'onnxruntime', 'tokenizers', 'qdrant_client', 'sonde.neural'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    environment = {**os.environ, "SONDE_CACHE_DIR": str(tmp_path / "cache"), "SONDE_ALONE": "1"}
    done = subprocess.run(
        [sys.executable, "-c", program],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert "glaze" in done.stdout
    assert done.stdout.endswith("\n[]\n")
