from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "engine"))

from indexed_view import REPOSITORY, view_over

from sonde.retrieve.view import View


@pytest.fixture(scope="session")
def view(tmp_path_factory: pytest.TempPathFactory) -> Iterator[View]:
    """The repository of these tests, indexed once."""
    with view_over(REPOSITORY, tmp_path_factory.mktemp("retrieve")) as opened:
        yield opened
