from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from example_repository import EXAMPLE, engine_over, write

from sonde.engine import Engine


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    """An engine over the example that no test changes."""
    root = write(tmp_path_factory.mktemp("example"), EXAMPLE)
    with engine_over(root, tmp_path_factory.mktemp("cache")) as engine:
        yield engine


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A copy of the example that the test may change."""
    return write(tmp_path / "work", EXAMPLE)


@pytest.fixture
def engine(repository: Path, tmp_path: Path) -> Iterator[Engine]:
    """An engine over the test's own copy."""
    with engine_over(repository, tmp_path / "cache") as opened:
        yield opened
