"""A server embeds behind the questions, and goes on after every edit."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from example_repository import write

from sonde.config import Settings
from sonde.discover import DiscoverRules
from sonde.serve.served import Served

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
    deadline = time.monotonic() + 20.0
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
