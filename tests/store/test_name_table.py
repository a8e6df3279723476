"""Names are found whatever their case, in any script."""

from __future__ import annotations

from pathlib import Path

import pytest

from sonde.store.errors import Problem
from sonde.store.index import Index
from sonde.store.location import workspace
from sonde.sync.update import sync

_SOURCE = """
class Über:
    def Öffnen(self): ...

ÜBER = 1
_last = 1
"""


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Index:
    folder = tmp_path_factory.mktemp("names")
    (folder / "root").mkdir()
    (folder / "root/a.py").write_text(_SOURCE, "utf-8")
    place = workspace(folder / "root", Path(folder / "cache"))
    assert not isinstance(sync(place), Problem)
    opened = Index.open(place)
    assert isinstance(opened, Index)
    return opened


def _qualnames(index: Index, ids: list[int]) -> list[str]:
    return [record.qualname for record in index.records(ids)]


def test_capitals_beyond_ascii_are_found_by_their_small_letters(index: Index) -> None:
    assert _qualnames(index, index.ids_named("über")) == ["Über", "ÜBER"]
    assert _qualnames(index, index.ids_qualified("Über.Öffnen")) == ["Über.Öffnen"]
    assert _qualnames(index, index.ids_with_prefix("öff", 5)) == ["Über.Öffnen"]


def test_what_lies_behind_a_prefix_in_the_table_is_not_found_by_it(index: Index) -> None:
    assert index.ids_with_prefix("@", 5) == []


@pytest.mark.parametrize("text", ["\udcff", "\ud7ff", "a\ud800b"])
def test_text_that_no_table_can_hold_is_nobodys_name(index: Index, text: str) -> None:
    assert index.ids_named(text) == index.ids_with_prefix(text, 5) == []
