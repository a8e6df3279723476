"""A server embeds behind the questions, and goes on after every edit."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from example_repository import write
from neural_engine import over

from sonde.config import Settings
from sonde.discover import DiscoverRules
from sonde.engine import Engine
from sonde.neural.embed import Embedded
from sonde.serve import embedding
from sonde.serve.embedding import BackgroundEmbedding
from sonde.serve.reading import status
from sonde.serve.served import Served
from sonde.store.errors import Problem
from sonde.store.lock import writer_lock
from sonde.sync.report import SyncReport

FILES = {
    "shop/seals.py": 'def glaze(jar):\n    """Seal a biscuit."""\n    return jar\n',
    "shop/parcels.py": "class Parcel:\n    def weigh(self):\n        return 1\n",
}


@pytest.fixture
def served(tmp_path: Path, tiny_model: Path) -> Iterator[Served]:
    root = write(tmp_path / "work", FILES)
    rules = DiscoverRules(excludes_file=None)
    settings = Settings(tmp_path / "cache", rules, workers=1, embedding_model=tiny_model)
    made = Served(root, settings)
    made.start()
    yield made
    made.close()


def until(served: Served, task: str, wanted: str) -> dict[str, float]:
    """The statistics of the first answer in which the model proposes a symbol."""
    deadline = time.monotonic() + 60.0
    while time.monotonic() < deadline:
        answer = served.ask(lambda engine: engine.rank(task)).result()
        for one in answer.ranked:  # type: ignore[union-attr]
            channels = {each.channel for each in one.evidence}
            if one.symbol.qualname == wanted and "neural" in channels:
                return dict(answer.statistics)  # type: ignore[union-attr]
        time.sleep(0.05)
    raise AssertionError(f"{wanted} was not embedded")


def test_what_is_indexed_and_what_is_edited_gets_embedded_behind_the_questions(
    served: Served,
) -> None:
    until(served, "sign a cookie", "glaze")
    text = 'def welcome(guest):\n    """Greet."""\n    return guest\n'
    (served.root / "shop/doors.py").write_text(text)
    assert until(served, "print hello to visitors", "welcome")["neural embedded"] == 1.0
    told = served.ask(lambda engine: status(engine, served), "status").result()
    assert told["embedded"] == {"done": 4, "total": 4, "share": 1.0}


def test_what_another_process_was_embedding_and_left_was_not_taken_up_again(
    tmp_path: Path, tiny_model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embedding, "_AGAIN", 0.1)
    with over(write(tmp_path / "work", FILES), tmp_path / "cache", embedding=tiny_model) as engine:
        report = engine.sync()
        place = engine.place()
        assert isinstance(report, SyncReport)
        assert not isinstance(place, Problem)
        behind = BackgroundEmbedding(lambda: engine, ())
        with writer_lock(place.vectors / "embedding.lock", 0.0):  # as the other process has it
            behind.wake(report.generation)
            time.sleep(0.5)
        deadline = time.monotonic() + 10.0
        while (answer := engine.rank("sign a cookie")).statistics:  # type: ignore[union-attr]
            if dict(answer.statistics)["neural embedded"] == 1.0:  # type: ignore[union-attr]
                break
            assert time.monotonic() < deadline
            time.sleep(0.05)
        behind.close()


def test_a_generation_that_is_embedded_is_not_looked_at_again(
    tmp_path: Path, tiny_model: Path
) -> None:
    with over(write(tmp_path / "work", FILES), tmp_path / "cache", embedding=tiny_model) as engine:
        report = engine.sync()
        assert isinstance(report, SyncReport)
        rounds: list[float] = []

        def counted() -> Engine:
            rounds.append(time.monotonic())
            return engine

        behind = BackgroundEmbedding(counted, ())
        behind.wake(report.generation)
        deadline = time.monotonic() + 60.0
        while engine.embed() != Embedded(3, 3, 0) and time.monotonic() < deadline:
            time.sleep(0.02)
        behind.wake(report.generation)  # the first round may still be ending
        time.sleep(0.3)
        before = len(rounds)
        behind.wake(report.generation)
        time.sleep(0.3)
        assert len(rounds) == before
        behind.wake(report.generation + 1)
        while len(rounds) == before:
            assert time.monotonic() < deadline
            time.sleep(0.02)
        behind.close()
