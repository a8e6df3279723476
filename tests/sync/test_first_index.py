"""The first index: from files to a readable, linked generation."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from shop_workspace import opened, write

from sonde.model import EdgeKind, FileKind, SkipReason
from sonde.store.errors import Problem, ProblemKind
from sonde.store.graph import Graph
from sonde.store.index import Index
from sonde.store.location import Workspace, workspace
from sonde.store.source import Stale
from sonde.sync.open_index import OpenIndex
from sonde.sync.report import SyncReport

Sync = Callable[[Workspace], SyncReport]


def test_symbols_files_and_edges_are_readable(shop: Workspace, synced: Sync) -> None:
    report = synced(shop)
    assert report.files == 6
    index = opened(shop)
    (cart,) = index.records(index.ids_qualified("Cart.sum"))
    assert (cart.file, cart.file_kind, cart.start_line) == ("shop/cart.py", FileKind.SOURCE, 8)
    calls = [
        index.record(target)
        for target, kind, _, _ in index.graph.out_edges(cart.id)
        if kind == EdgeKind.CALLS
    ]
    assert [each.qualname for each in calls if each] == ["total"]
    assert index.status().share == 1.0


def test_no_part_is_shown_once_half_is_read(
    shop: Workspace, synced: Sync, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sonde.sync.first._FIRST_PARTIAL", 0.0)
    shown = []

    def commit(index: OpenIndex, graph: Graph, *, share: float) -> None:
        shown.append(share)
        committed(index, graph, share=share)

    committed = OpenIndex.commit
    monkeypatch.setattr(OpenIndex, "commit", commit)
    write(shop.root, {f"more/part{n}.py": "def part(): ...\n" for n in range(30)})
    synced(shop)
    *parts, whole = shown
    assert parts
    assert max(parts) < 0.5
    assert whole == 1.0


def test_names_are_found_by_prefix_part_and_any_case(shop: Workspace, synced: Sync) -> None:
    synced(shop)
    index = opened(shop)
    names = {each.qualname for each in index.records(index.ids_named("cart"))}
    assert "Cart" in names
    assert index.ids_with_prefix("tot", 5) == index.ids_containing("OTA", 5)
    assert index.ids_with_prefix("", 5) == []
    assert "total" in index.names()


def test_full_text_finds_symbols_and_sections(shop: Workspace, synced: Sync) -> None:
    synced(shop)
    index = opened(shop)
    hits = index.fulltext.search({"body": [("price", 1.0)], "name": [("total", 3.0)]}, 3)
    best = index.record(hits[0][0])
    assert best is not None
    assert best.qualname == "total"
    sections = index.fulltext.search({"body": [("pip", 1.0)]}, 3, chunks=True)
    assert [each.title for each in index.chunks(id for id, _ in sections)] == ["Install"]


def test_nothing_is_written_into_the_workspace(shop: Workspace, synced: Sync) -> None:
    before = sorted(shop.root.rglob("*"))
    synced(shop)
    assert sorted(shop.root.rglob("*")) == before


def test_an_empty_folder_gives_an_empty_index(tmp_path: Path, synced: Sync) -> None:
    (tmp_path / "root").mkdir()
    place = workspace(tmp_path / "root", tmp_path / "cache")
    assert synced(place).files == 0
    assert opened(place).status().symbols == 0


def test_without_an_index_the_reader_says_so(shop: Workspace) -> None:
    found = Index.open(shop)
    assert isinstance(found, Problem)
    assert found.kind is ProblemKind.NO_INDEX


def test_source_is_given_only_as_it_was_indexed(shop: Workspace, synced: Sync) -> None:
    synced(shop)
    index = opened(shop)
    assert index.source_bytes("shop/price.py") == (shop.root / "shop/price.py").read_bytes()
    write(shop.root, {"shop/price.py": "changed = 1\n"})
    assert index.source_bytes("shop/price.py") == Stale(
        "shop/price.py", "changed since it was indexed"
    )
    assert isinstance(index.source_bytes("../outside.py"), Stale)


def test_skipped_files_are_listed_with_their_reason(shop: Workspace, synced: Sync) -> None:
    write(shop.root, {"logo.png": b"\x89PNG\x00\x00", "deep.py": b"(" * 10_000 + b")" * 10_000})
    report = synced(shop)
    reasons = {path: reason for path, reason, _ in opened(shop).skipped()}
    assert reasons["logo.png"] is SkipReason.BINARY
    assert report.files >= 6
    assert opened(shop).ids_named("total")


def test_a_link_out_of_the_root_is_not_followed(
    shop: Workspace, tmp_path: Path, synced: Sync
) -> None:
    write(tmp_path / "outside", {"secret.py": "def secret_name(): pass\n"})
    (shop.root / "link").symlink_to(tmp_path / "outside")
    (shop.root / "file.py").symlink_to(tmp_path / "outside" / "secret.py")
    synced(shop)
    assert opened(shop).ids_named("secret_name") == []


def test_unresolved_uses_and_leaves_are_kept(shop: Workspace, synced: Sync) -> None:
    write(shop.root, {"shop/env.py": "import os\n\n\ndef home():\n    return os.environ['HOME']\n"})
    synced(shop)
    index = opened(shop)
    (home,) = index.ids_named("home")
    assert [leaf.label for leaf in index.leaves(home)] == ["HOME"]
    assert index.unresolved_from(home) == []


def test_symbols_of_one_name_come_by_path_and_place_even_on_one_line(
    tmp_path: Path, synced: Sync
) -> None:
    write(
        tmp_path / "root",
        {"b.js": "class A { go() {} } class B { go() {} }\n", "a.js": "function Go() {}\n"},
    )
    place = workspace(tmp_path / "root", tmp_path / "cache")
    synced(place)
    index = opened(place)
    for found in (index.ids_named("go"), index.ids_containing("go", 9)):
        names = [f"{each.file}:{each.qualname}" for each in index.records(found)]
        assert names == ["a.js:Go", "b.js:A.go", "b.js:B.go"]
    prefixed = index.records(index.ids_with_prefix("g", 2))
    assert [each.qualname for each in prefixed] == ["Go", "A.go"]


def test_workers_start_and_link_without_numpy_and_the_full_text_engine() -> None:
    code = (
        "import sys, sonde.sync.worker, sonde.link.file, sonde.store.links;"
        " print(sorted({'numpy', 'tantivy'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_a_skipped_file_of_a_far_future_is_no_obstacle(shop: Workspace, synced: Sync) -> None:
    """Tables hold 64 bits, and nanoseconds need more from the year 2262 on."""
    path = shop.root / "noise"
    path.write_bytes(b"\0\1\2" * 100)
    os.utime(path, ns=(0, 1 << 63))
    if path.stat().st_mtime_ns < 1 << 63:
        pytest.skip("this file system knows no such time")
    synced(shop)
    assert ("noise", SkipReason.BINARY, "") in opened(shop).skipped()
    assert not synced(shop).changed
