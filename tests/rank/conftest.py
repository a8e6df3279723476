from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "engine"))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "neural"))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "retrieve"))

from judged_repository import judged_view

from sonde.retrieve.view import View


@pytest.fixture(scope="session")
def judged(tmp_path_factory: pytest.TempPathFactory) -> Iterator[View]:
    """The repository in which every rule has something to say, indexed once."""
    with judged_view(tmp_path_factory.mktemp("rank")) as opened:
        yield opened
