from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from session_shop import copy_shop, engine_over

from sonde.engine import Engine


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    """An engine over a shop that no test changes."""
    place = tmp_path_factory.mktemp("shop")
    with engine_over(copy_shop(place / "repo"), place / "cache") as engine:
        yield engine


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Engine]:
    """An engine over a shop of the test's own."""
    with engine_over(copy_shop(tmp_path / "repo"), tmp_path / "cache") as engine:
        yield engine
