"""Said anywhere: the share of a task's words in a symbol's text, path and owner, by word."""

from __future__ import annotations

from pathlib import Path

import numpy
import pytest
from indexed_view import view_over

from sonde.retrieve import anywhere
from sonde.retrieve.match import Matcher
from sonde.understand.query import understand

CACHE = '''\
class Shelf:
    """Keeps things for a while."""

    def tidy(self, limit):
        while len(self.things) > limit:
            self.forget(self.things.oldest())
            self.evicted += 1

    def forget(self, thing):
        self.things.remove(thing)


def unrelated():
    return 1
'''


def shares(folder: Path, task: str) -> dict[str, float]:
    with view_over({"vault/store.py": CACHE}, folder) as view:
        ids = numpy.arange(1, view.index.graph.size)
        said = Matcher(understand(task), view).anywhere.shares(ids)
        records = {record.id: record.qualname for record in view.records(ids.tolist())}
        return {records[id]: float(share) for id, share in zip(ids.tolist(), said, strict=True)}


def test_words_of_the_text_count_in_other_forms_and_each_once(tmp_path: Path) -> None:
    found = shares(tmp_path, "when does it evict the oldest")
    assert found["Shelf.tidy"] == 1.0  # "evicted", "oldest"
    assert found["unrelated"] == 0.0


def test_words_of_path_and_owner_count(tmp_path: Path) -> None:
    found = shares(tmp_path, "a shelf in the vault")
    assert found["Shelf.forget"] == 1.0
    assert 0.0 < found["unrelated"] < 1.0  # only the path


def test_a_task_without_words_says_nothing(tmp_path: Path) -> None:
    assert set(shares(tmp_path, "?!").values()) == {0.0}


def test_of_more_symbols_than_are_looked_at_no_tie_is_cut_by_chance(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(anywhere, "_MOST", 2)
    found = shares(tmp_path, "what does a shelf forget, and when is the oldest evicted")
    assert found["Shelf.tidy"] > 0.0
    assert found["unrelated"] == 0.0
    assert len({found[name] for name in found if name != "Shelf.tidy"}) == 1
