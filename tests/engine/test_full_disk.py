"""A disk without room: questions are answered from what is there, and nothing is lost."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from example_repository import write
from full_disk import full_disk

from sonde.answers.feedback import FILE, Opinion
from sonde.answers.results import Answer, SymbolAnswer
from sonde.cli.doctor import _cache
from sonde.config import Settings
from sonde.discover import DiscoverRules
from sonde.engine import Engine
from sonde.store.documents import FIELDS
from sonde.store.errors import Problem, ProblemKind, StoreError
from sonde.store.fulltext import FullTextWriter

FILES = {
    "shop/seals.py": "def seal_biscuit(jar):\n    return jar\n",
    "shop/parcels.py": "class Parcel:\n    def weigh(self):\n        return 1\n",
}
TASK = "where is a biscuit sealed"


def over(root: Path, cache: Path) -> Engine:
    return Engine(root, Settings(cache, DiscoverRules(excludes_file=None), workers=1))


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    """A new process's engine, with an index that was made before."""
    root = write(tmp_path / "work", FILES)
    with over(root, tmp_path / "cache") as first:
        first.sync()
    with over(root, tmp_path / "cache") as made:
        yield made


def asked(engine: Engine) -> Answer:
    answer = engine.for_task(TASK)
    assert isinstance(answer, Answer), answer
    return answer


def test_on_a_full_disk_a_question_that_only_reads_was_not_answered(engine: Engine) -> None:
    with full_disk():
        answer = asked(engine)
    assert "seal_biscuit" in answer.text
    assert not answer.pack.stale
    assert asked(engine).text == answer.text


def test_on_a_full_disk_an_answer_names_what_could_not_be_refreshed(engine: Engine) -> None:
    path = engine.root / "shop/seals.py"
    path.write_text(FILES["shop/seals.py"] + "\n\ndef reseal(jar):\n    return jar\n")
    with full_disk():
        for _ in range(3):
            assert asked(engine).pack.stale == ("shop/seals.py",)
    assert not asked(engine).pack.stale
    found = engine.symbol("reseal")
    assert isinstance(found, SymbolAnswer)
    assert found.found


def test_a_view_that_writers_do_not_see_is_for_one_question(engine: Engine) -> None:
    with full_disk():
        asked(engine)
        assert engine.ask(lambda state: state.view.index.guarded) is False
    assert engine.ask(lambda state: state.view.index.guarded) is True


def test_a_full_text_that_a_full_disk_had_interrupted_was_taken_for_damaged(
    tmp_path: Path,
) -> None:
    kinds = set()
    writer = FullTextWriter(tmp_path, 0)
    with full_disk():
        for generation in range(1, 6):  # the later ones find the engine's threads dead
            words = ["biscuit"] * len(FIELDS)
            try:
                writer.add(1, "seals", [(generation, words)])
                writer.publish(generation)
            except StoreError as error:
                kinds.add(error.problem.kind)
    writer.close()
    assert kinds
    assert kinds <= {ProblemKind.DISK_FULL, ProblemKind.UNWRITABLE}


def test_half_an_opinion_on_a_full_disk_spoilt_the_next_one(engine: Engine) -> None:
    opinion = Opinion("0f3c", useful=("seal_biscuit",))
    assert engine.feedback(opinion) == 1
    place = engine.place()
    assert not isinstance(place, Problem)
    path = place.home / FILE
    before = path.read_bytes()
    with full_disk(len(before) + 5):
        refused = engine.feedback(opinion)
    assert not isinstance(refused, int)
    assert "cannot be kept" in refused.message
    assert path.read_bytes() == before
    assert engine.feedback(opinion) == 2


def test_opinions_that_are_too_many_were_lost_on_a_full_disk(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    opinion = Opinion("0f3c", useful=("seal_biscuit",))
    assert [engine.feedback(opinion) for _ in range(4)] == [1, 2, 3, 4]
    monkeypatch.setattr("sonde.answers.feedback._LARGEST", 10)
    with full_disk(10):
        assert not isinstance(engine.feedback(opinion), int)
    assert engine.feedback(opinion) == 3


def test_history_that_could_not_be_opened_on_a_full_disk_was_not_tried_again(
    tmp_path: Path,
) -> None:
    root = write(tmp_path / "work", FILES)
    for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "Seal every biscuit"]):
        settings = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
        subprocess.run(["git", *settings, *words], cwd=root, check=True)
    with over(root, tmp_path / "cache") as first:
        first.sync()
    with over(root, tmp_path / "cache") as engine:
        with full_disk():
            assert engine.ask(lambda state: state.view.history) is None
        assert engine.ask(lambda state: state.view.history) is not None


def test_doctor_found_nothing_wrong_with_a_full_disk(tmp_path: Path) -> None:
    with full_disk():
        assert _cache(tmp_path).advice
    assert not _cache(tmp_path).advice
