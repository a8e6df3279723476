from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "engine"))

from neural_engine import over
from tiny_onnx import write_embedding_model

from sonde.engine import Engine

# Words of one meaning have one vector.
MEANINGS = (("seal", "sign"), ("biscuit", "cookie"), ("greet", "hello"), ("parcel", "box"))


@pytest.fixture(scope="session")
def tiny_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model that knows eight words of four meanings."""
    words = {
        word: [float(at == number) for at in range(len(MEANINGS))]
        for number, same in enumerate(MEANINGS)
        for word in same
    }
    return write_embedding_model(tmp_path_factory.mktemp("model") / "tiny", words)


@pytest.fixture
def engine(root: Path, tmp_path: Path, tiny_model: Path) -> Iterator[Engine]:
    """An engine over the test's own files, whose user chose the small model."""
    with over(root, tmp_path / "cache", embedding=tiny_model) as made:
        made.sync()
        yield made
