"""Any ONNX model of a folder: which sort it is, what it says of texts, and what is refused."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy
import pytest
from tiny_onnx import INT32, set_longest, write_cross_encoder, write_embedding_model

from sonde.neural.model_folder import find_folder, model_files
from sonde.neural.onnx_model import CrossEncoder, EmbeddingModel, load_model
from sonde.neural.weights import weight_files
from sonde.store.errors import Problem

WORDS = {"cat": (3.0, 0.0), "dog": (0.0, 3.0), "far": (-3.0, 0.0)}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_embedding_model(tmp_path / "model", WORDS)


def embedding(folder: Path) -> EmbeddingModel:
    model = load_model(folder)
    assert isinstance(model, EmbeddingModel), model
    return model


def test_the_graph_tells_which_sort_of_model_it_is(folder: Path, tmp_path: Path) -> None:
    assert embedding(folder).dimensions == 2
    judge = load_model(write_cross_encoder(tmp_path / "judge", {"good": 1.0}))
    assert isinstance(judge, CrossEncoder)


def test_a_text_is_the_mean_of_its_tokens_as_a_unit_vector_without_padding(folder: Path) -> None:
    model = embedding(folder)
    alone = model.embed(["cat cat dog"])
    assert alone[0] == pytest.approx(numpy.array([2.0, 1.0]) / numpy.sqrt(5.0))
    beside = model.embed(["cat cat dog", "dog " * 30])  # the shorter one is padded
    assert beside[0] == pytest.approx(alone[0])
    assert beside[1] == pytest.approx([0.0, 1.0])


def test_texts_keep_their_order_whatever_their_length(folder: Path) -> None:
    texts = ["dog dog dog", "cat", *["dog"] * 20, "far far"]
    found = embedding(folder).embed(texts)
    assert found[1] == pytest.approx([1.0, 0.0])
    assert found[-1] == pytest.approx([-1.0, 0.0])
    assert all(row == pytest.approx([0.0, 1.0]) for row in found[2:-1])


def test_a_model_gets_only_the_inputs_it_wants(tmp_path: Path) -> None:
    few = write_embedding_model(tmp_path / "few", WORDS, ("input_ids", "attention_mask"))
    assert embedding(few).embed(["cat"])[0] == pytest.approx([1.0, 0.0])


def test_a_text_is_cut_at_what_the_model_takes(folder: Path) -> None:
    set_longest(folder, 4)
    assert embedding(folder).embed(["cat " * 4 + "dog " * 9])[0] == pytest.approx([1.0, 0.0])


def test_the_name_of_a_model_follows_its_content_not_its_place(
    folder: Path, tmp_path: Path
) -> None:
    same = write_embedding_model(tmp_path / "elsewhere", WORDS)
    other = write_embedding_model(tmp_path / "other", {**WORDS, "cow": (1.0, 1.0)})
    assert embedding(same).id == embedding(folder).id
    assert embedding(other).id != embedding(folder).id
    assert embedding(folder).id.endswith("-2")


@pytest.mark.parametrize("weights", ["weights.bin", "parts/model.data", "model.onnx_data"])
def test_changed_weights_in_a_file_of_another_name_left_the_model_its_name(
    tmp_path: Path, weights: str
) -> None:
    folder = write_embedding_model(tmp_path / "model", WORDS, weights=weights)
    before = embedding(folder)
    assert before.embed(["cat"])[0] == pytest.approx([1.0, 0.0])
    again = write_embedding_model(
        tmp_path / "model", {**WORDS, "cat": (0.0, -3.0)}, weights=weights
    )
    assert embedding(again).embed(["cat"])[0] == pytest.approx([0.0, -1.0])
    assert embedding(again).id != before.id
    assert folder / weights in model_files(folder)


def test_weights_that_lead_out_of_the_folder_are_not_read(tmp_path: Path) -> None:
    folder = write_embedding_model(tmp_path / "model", WORDS, weights="../weights.bin")
    assert weight_files(folder / "model.onnx") == []
    assert isinstance(load_model(folder), Problem)


def test_a_graph_that_is_damaged_names_no_weights(tmp_path: Path) -> None:
    folder = write_embedding_model(tmp_path / "model", WORDS, weights="weights.bin")
    graph = folder / "model.onnx"
    whole = graph.read_bytes()
    for cut in range(len(whole)):
        graph.write_bytes(whole[:cut] + b"\xff" * 12)
        assert set(weight_files(graph)) <= {folder / "weights.bin"}
        graph.write_bytes(whole[:cut])
        assert set(weight_files(graph)) <= {folder / "weights.bin"}


def test_pairs_are_judged_between_zero_and_one_in_their_order(tmp_path: Path) -> None:
    judge = load_model(write_cross_encoder(tmp_path / "judge", {"good": 2.0, "bad": -2.0}))
    assert isinstance(judge, CrossEncoder)
    scores = judge.scores("what", ["bad", "good good good good", "unknown"])
    assert scores[0] < scores[2] < scores[1]
    assert scores[2] == pytest.approx(0.5)
    assert all(0.0 <= score <= 1.0 for score in scores)


def test_a_model_exported_for_one_length_gets_texts_of_that_length(tmp_path: Path) -> None:
    judge = load_model(write_cross_encoder(tmp_path / "judge", {"good": 2.0}, tokens=6))
    assert isinstance(judge, CrossEncoder), judge
    short, long = judge.scores("what", ["good", "good " * 40])
    assert 0.5 < short < long


def test_a_model_that_wants_short_integers_was_refused(tmp_path: Path) -> None:
    short = write_embedding_model(tmp_path / "short", WORDS, numbers=INT32)
    assert embedding(short).embed(["cat"])[0] == pytest.approx([1.0, 0.0])


@pytest.mark.parametrize("texts", [1, 3])
def test_a_model_exported_for_one_number_of_texts_could_not_read_others(
    tmp_path: Path, texts: int
) -> None:
    rigid = write_embedding_model(tmp_path / "rigid", WORDS, texts=texts)
    found = embedding(rigid).embed(["cat", "dog dog", "far", "cat"])
    assert found == pytest.approx(numpy.array([[1, 0], [0, 1], [-1, 0], [1, 0]]))


def test_a_model_that_gives_no_numbers_was_accepted(tmp_path: Path) -> None:
    nothing = {"a": (numpy.nan, numpy.nan), "b": (numpy.nan, 1.0)}
    problem = load_model(write_embedding_model(tmp_path / "nothing", nothing))
    assert isinstance(problem, Problem)
    assert "finite numbers" in problem.message


def test_a_text_for_which_a_model_gives_no_number_is_near_to_nothing(tmp_path: Path) -> None:
    folder = write_embedding_model(tmp_path / "model", {**WORDS, "odd": (numpy.inf, 1.0)})
    assert not embedding(folder).embed(["odd", "cat"])[0].any()
    judge = load_model(write_cross_encoder(tmp_path / "judge", {"odd": numpy.nan, "good": 900.0}))
    assert isinstance(judge, CrossEncoder)
    assert judge.scores("what", ["odd", "good"]) == pytest.approx([0.0, 1.0])


def test_a_damaged_tokenizer_was_not_named(folder: Path) -> None:
    tokenizer = folder / "tokenizer.json"
    tokenizer.write_text("{")
    problem = load_model(folder)
    assert isinstance(problem, Problem)
    assert str(tokenizer) in problem.message


def test_the_current_folder_was_taken_for_the_name_of_a_model(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "models").mkdir()
    monkeypatch.chdir(folder)
    assert find_folder(".", tmp_path) == folder


def test_what_is_no_model_is_refused_in_one_line(folder: Path, tmp_path: Path) -> None:
    odd = write_embedding_model(tmp_path / "odd", WORDS, ("input_ids", "pixels"))
    (folder / "tokenizer.json").write_text("{}")
    broken = tmp_path / "broken"
    broken.mkdir()
    for place, said in ((broken, "no model.onnx"), (folder, "cannot be used"), (odd, "'pixels'")):
        problem = load_model(place)
        assert isinstance(problem, Problem)
        assert said in problem.message
        assert "\n" not in problem.message


def test_the_runtime_collected_what_it_ran_on_for_its_maker(folder: Path, tmp_path: Path) -> None:
    script = (
        "import pathlib, sys\n"
        "from sonde.neural.onnx_model import load_model\n"
        "print(load_model(pathlib.Path(sys.argv[1])).dimensions)\n"
    )
    home = tmp_path / "home"
    home.mkdir()
    own = {"HOME": str(home), "XDG_CACHE_HOME": str(home / ".cache")}
    inherited = {key: each for key, each in os.environ.items() if "TELEMETRY" not in key}
    ran = subprocess.run(
        [sys.executable, "-c", script, str(folder)],
        env={**inherited, **own},
        capture_output=True,
        text=True,
        check=True,
    )
    assert ran.stdout == "2\n"
    assert not list(home.rglob("*"))
