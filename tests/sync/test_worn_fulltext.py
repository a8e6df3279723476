"""A full text worn by checkouts is written anew, so that scores are those of a first index."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from shop_workspace import FILES, opened, write

from sonde.store.dump import dump
from sonde.store.fulltext import wear
from sonde.store.location import Workspace, workspace
from sonde.sync import renew
from sonde.sync.report import SyncReport
from sonde.sync.update import Synchronizer, sync

Sync = Callable[[Workspace], SyncReport]
Scores = list[tuple[str, float]]

# Another branch, whose documents are much longer and bring other average lengths.
OTHER: dict[str, str] = {
    path: text + "".join(f"\n\ndef long_{n}(total, items):\n    return items\n" for n in range(30))
    if path.endswith(".py")
    else text
    for path, text in FILES.items()
}


def scores(place: Workspace) -> Scores:
    """What a search finds, by name and score, best first."""
    index = opened(place)
    words = {
        field: [("total", 1.0), ("items", 1.0), ("cart", 1.0)]
        for field in ("name", "body", "signature", "doc")
    }
    found = index.fulltext.search(words, 40)
    records = index.records([id for id, _ in found])
    names = {each.id: f"{each.file}:{each.qualname}" for each in records}
    index.close()
    return [(names[id], score) for id, score in found]


def check_out(place: Workspace, synced: Sync, *branches: Mapping[str, str]) -> None:
    for files in branches:
        write(place.root, files)
        synced(place)


def worn(place: Workspace) -> float:
    index = opened(place)
    index.close()
    return wear(place.fulltext / str(index.generation))


def from_scratch(place: Workspace, elsewhere: Path) -> Workspace:
    fresh = workspace(place.root, elsewhere)
    assert isinstance(sync(fresh), SyncReport)
    return fresh


def test_checkouts_back_and_forth_rank_as_an_index_from_scratch(
    shop: Workspace, synced: Sync, tmp_path: Path
) -> None:
    check_out(shop, synced, FILES, OTHER, FILES, OTHER, FILES)
    fresh = from_scratch(shop, tmp_path / "other cache")
    assert scores(shop) == scores(fresh)
    assert dump(opened(shop)) == dump(opened(fresh))


def test_what_is_not_written_anew_scores_otherwise(
    shop: Workspace, synced: Sync, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(renew, "_MOST_WORN", 1e9)
    check_out(shop, synced, FILES, OTHER, FILES)
    assert worn(shop) > 0.5
    assert scores(shop) != scores(from_scratch(shop, tmp_path / "other cache"))


def test_a_few_edits_write_nothing_anew(shop: Workspace, synced: Sync) -> None:
    write(shop.root, {f"shop/part_{n}.py": FILES["shop/cart.py"] for n in range(12)})
    generation = synced(shop).generation
    write(shop.root, {"shop/price.py": "def total(items):\n    return 0\n"})
    assert synced(shop).generation == generation + 1
    assert 0 < worn(shop) < 0.1


def test_a_reader_keeps_the_full_text_it_has(shop: Workspace, synced: Sync) -> None:
    check_out(shop, synced, FILES, OTHER)
    index = opened(shop)
    before = index.fulltext.search({"name": [("long_1", 1.0)]}, 5)
    check_out(shop, synced, FILES)
    assert worn(shop) == 0
    assert index.fulltext.search({"name": [("long_1", 1.0)]}, 5) == before != []
    index.close()


class Waiting(Synchronizer):
    """One that is told when to write anew, as a server's is."""

    _renews_at_once = False


def test_writing_anew_stops_when_asked_and_can_be_done_later(
    shop: Workspace, tmp_path: Path
) -> None:
    keeper = Waiting(shop, workers=2)
    try:
        for files in (FILES, OTHER, FILES):
            write(shop.root, files)
            keeper.sync()
        before = worn(shop)
        assert before > 0.5
        keeper.renew(lambda: True)
        assert worn(shop) == before
        write(shop.root, {"shop/price.py": "def changed(): pass\n"})
        keeper.renew(lambda: False)  # with a file that is another by now
        assert worn(shop) == before
        write(shop.root, FILES)
        keeper.sync()
        keeper.renew(lambda: False)
        assert worn(shop) == 0
    finally:
        keeper.close()
    assert scores(shop) == scores(from_scratch(shop, tmp_path / "other cache"))
    assert len([each for each in shop.fulltext.iterdir() if "writer" in each.name]) == 0
