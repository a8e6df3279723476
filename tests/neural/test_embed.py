"""Embedding a workspace: only what is new, files in use first, interruptible, shared by content."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from example_repository import write
from neural_engine import over

from sonde.answers.results import RankAnswer
from sonde.engine import Engine
from sonde.neural import models
from sonde.neural.embed import Embedded
from sonde.neural.onnx_model import EmbeddingModel
from sonde.store.errors import Problem, ProblemKind
from sonde.store.lock import writer_lock
from sonde.sync.report import Progress

FILES = {
    "shop/seals.py": (
        "def seal_biscuit(jar):\n    return jar\n\n\ndef other(jar):\n    return jar\n"
    ),
    "shop/parcels.py": "class Parcel:\n    def weigh(self):\n        return 1\n",
    "tests/test_seals.py": "def test_seal():\n    assert True\n",
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return write(tmp_path / "work", FILES)


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts that the model was given, in order."""
    seen: list[str] = []
    real = EmbeddingModel.embed

    def embed(self: EmbeddingModel, texts: list[str]) -> object:
        seen.extend(texts)
        return real(self, texts)

    monkeypatch.setattr(EmbeddingModel, "embed", embed)
    return seen


def share(engine: Engine, task: str = "sign the cookie") -> float:
    answer = engine.rank(task)
    assert isinstance(answer, RankAnswer)
    return dict(answer.statistics)["neural embedded"]


def ranked_first(engine: Engine, task: str = "sign the cookie") -> str:
    answer = engine.rank(task)
    assert isinstance(answer, RankAnswer)
    return answer.ranked[0].symbol.qualname


def test_functions_and_types_outside_tests_are_embedded_once(
    engine: Engine, read: list[str]
) -> None:
    assert engine.embed() == Embedded(4, 4, 4)
    given = len(read)
    assert engine.embed() == Embedded(4, 4, 0)
    assert len(read) == given


def test_after_an_edit_only_what_changed_is_read(
    engine: Engine, root: Path, read: list[str]
) -> None:
    engine.embed()
    read.clear()
    text = FILES["shop/seals.py"].replace("def other(jar):", "def hello(jar):")
    (root / "shop/seals.py").write_text(text)
    engine.sync()
    assert engine.embed() == Embedded(4, 4, 2)  # the file's two, one of them from the cache
    assert len(read) == 1
    assert "hello" in read[0]


def test_files_in_use_come_first_and_a_stop_loses_nothing(
    engine: Engine, root: Path, read: list[str]
) -> None:
    turns: list[Progress] = []
    stopped = engine.embed(turns.append, ["shop/seals.py"], stop=lambda: bool(turns))
    assert stopped == Embedded(2, 4, 2)
    assert all("seal" in text for text in read if text != "a")
    assert share(engine) == 0.5
    assert engine.embed() == Embedded(4, 4, 2)
    assert share(engine) == 1.0


def test_a_large_file_can_be_stopped_and_goes_on_where_it_was(
    engine: Engine, root: Path, read: list[str]
) -> None:
    names = (f"def box_{number}():\n    return {number}\n" for number in range(80))
    (root / "shop/parcels.py").write_text("\n\n".join(names))
    engine.sync()
    asked = iter([False, False, True, True])
    assert engine.embed(stop=lambda: next(asked)) == Embedded(0, 82, 0)
    assert 32 < len(read) < 80
    assert engine.embed() == Embedded(82, 82, 82)
    assert len([text for text in read if "box" in text]) == 80


def test_another_worktree_takes_the_vectors_of_equal_text(
    engine: Engine, root: Path, tmp_path: Path, tiny_model: Path, read: list[str]
) -> None:
    engine.embed()
    copy = shutil.copytree(root, tmp_path / "copy")
    with over(copy, tmp_path / "cache", embedding=tiny_model) as other:
        other.sync()
        read.clear()
        assert other.embed() == Embedded(4, 4, 4)
    assert read == []


def test_vectors_made_for_another_extractor_are_made_anew_from_the_cache(
    engine: Engine, monkeypatch: pytest.MonkeyPatch, read: list[str]
) -> None:
    engine.embed()
    engine.close()
    monkeypatch.setattr(models, "EXTRACTOR_VERSION", 0)
    assert share(engine) == 0.0
    read.clear()
    assert engine.embed() == Embedded(4, 4, 4)
    assert read == []
    place = engine.place()
    assert not isinstance(place, Problem)
    assert len(list(place.vectors.glob("*.db"))) == 1


def test_what_left_the_workspace_is_no_longer_found(engine: Engine, root: Path) -> None:
    engine.embed()
    (root / "shop/parcels.py").unlink()
    engine.sync()
    assert engine.embed() == Embedded(2, 2, 0)
    assert share(engine) == 1.0


def test_a_second_process_is_told_that_one_embeds(engine: Engine) -> None:
    place = engine.place()
    assert not isinstance(place, Problem)
    with writer_lock(place.vectors / "embedding.lock", 0.0):
        problem = engine.embed()
    assert isinstance(problem, Problem)
    assert problem.kind is ProblemKind.BUSY


def test_without_a_model_it_is_said_how_to_choose_one(root: Path, tmp_path: Path) -> None:
    with over(root, tmp_path / "cache") as engine:
        problem = engine.embed()
    assert isinstance(problem, Problem)
    assert "SONDE_EMBEDDING_MODEL" in problem.message


def test_forgetting_a_workspace_removes_its_vectors(engine: Engine) -> None:
    engine.embed()
    place = engine.place()
    assert not isinstance(place, Problem)
    assert list(place.vectors.glob("*.db"))
    engine.forget()
    assert not place.vectors.exists()


def test_the_same_is_found_with_qdrant(root: Path, tmp_path: Path, tiny_model: Path) -> None:
    pytest.importorskip("qdrant_client")
    place = str(tmp_path / "qdrant")
    with over(root, tmp_path / "cache", embedding=tiny_model, store=place) as engine:
        engine.sync()
        assert engine.embed() == Embedded(4, 4, 4)
        answer = engine.rank("sign the cookie")
        assert isinstance(answer, RankAnswer)
        assert answer.ranked[0].symbol.qualname == "seal_biscuit"
        assert dict(answer.statistics)["neural embedded"] == 1.0
        engine.forget()
        engine.sync()
        assert engine.embed() == Embedded(4, 4, 4)  # nothing was left there


@pytest.mark.parametrize("intact", [100, 4096])  # bytes: all but the header, all but a page
@pytest.mark.parametrize("place", ["vectors", "embeddings"])
def test_damaged_vectors_stayed_damaged_until_somebody_removed_them(
    root: Path, tmp_path: Path, tiny_model: Path, place: str, intact: int
) -> None:
    with over(root, tmp_path / "cache", embedding=tiny_model) as engine:
        engine.sync()
        assert isinstance(engine.embed(), Embedded)
    damaged = list(tmp_path.rglob(f"{place}/**/*.db"))
    assert damaged
    for path in damaged:
        path.write_bytes(path.read_bytes()[:intact] + b"\xff" * 20_000)
    (root / "shop/new.py").write_text("def brand_new(): ...\n")
    with over(root, tmp_path / "cache", embedding=tiny_model) as engine:
        engine.sync()
        assert isinstance(engine.rank("sign the cookie"), RankAnswer)
        done = engine.embed()
        assert isinstance(done, Embedded), done
        assert done.done == done.total == 5
        assert share(engine) == 1.0


@pytest.mark.parametrize("place", ["vectors", "embeddings"])
@pytest.mark.parametrize("row", [b"\1" * 7, b"", "text", None])
def test_a_row_of_a_wrong_length_ended_embedding_as_an_internal_error(
    root: Path, tmp_path: Path, tiny_model: Path, place: str, row: object
) -> None:
    with over(root, tmp_path / "cache", embedding=tiny_model) as engine:
        engine.sync()
        engine.embed()
    (path,) = tmp_path.rglob(f"{place}/**/*.db")
    table, column = ("files", "rows") if place == "vectors" else ("vectors", "row")
    with closing(sqlite3.connect(path)) as database, database:
        database.execute(f"UPDATE {table} SET {column} = ?", (row,))
    if place == "embeddings":  # they are read where the workspace's own are gone
        for each in tmp_path.rglob("vectors/**/*.db"):
            each.unlink()
    with over(root, tmp_path / "cache", embedding=tiny_model) as engine:
        assert share(engine) == 0.0
        assert engine.embed() == Embedded(4, 4, 4)
        assert ranked_first(engine) == "seal_biscuit"
    with closing(sqlite3.connect(path)) as database:
        ((shortest,),) = database.execute(f"SELECT min(length({column})) FROM {table}")
    assert shortest >= 4


def test_a_model_that_is_removed_while_it_is_in_use_is_no_traceback(tmp_path: Path) -> None:
    assert "gone" in models.Choice(tmp_path / "gone", None).stamp
