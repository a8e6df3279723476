"""Edits: after any sequence of them the index is what a first index would be."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from shop_workspace import opened, write

from sonde.model import EdgeKind
from sonde.store.dump import dump
from sonde.store.location import Workspace, workspace
from sonde.sync.report import SyncReport
from sonde.sync.update import sync

Sync = Callable[[Workspace], SyncReport]


def assert_as_from_scratch(place: Workspace, elsewhere: Path) -> None:
    shutil.rmtree(elsewhere / "workspaces", ignore_errors=True)
    fresh = workspace(place.root, elsewhere)
    assert isinstance(sync(fresh), SyncReport)
    one, other = opened(place), opened(fresh)
    left, right = dump(one), dump(other)
    one.close()
    other.close()
    assert left == right


def called_from(place: Workspace, qualname: str) -> list[str]:
    index = opened(place)
    (id,) = index.ids_qualified(qualname)
    found = [t for t, kind, _, _ in index.graph.out_edges(id) if kind == EdgeKind.CALLS]
    return sorted(f"{each.file}:{each.qualname}" for each in index.records(found))


def test_a_symbol_keeps_its_id_while_its_name_and_kind_stay(shop: Workspace, synced: Sync) -> None:
    synced(shop)
    before = opened(shop).ids_qualified("Cart.sum")
    text = (shop.root / "shop/cart.py").read_text()
    write(shop.root, {"shop/cart.py": "# moved down\n\n" + text + "\n\ndef extra(): pass\n"})
    report = synced(shop)
    assert report.modified == ("shop/cart.py",)
    assert opened(shop).ids_qualified("Cart.sum") == before


def test_only_files_that_rest_on_a_change_are_linked_again(shop: Workspace, synced: Sync) -> None:
    synced(shop)
    write(shop.root, {"shop/price.py": "\n\ndef total(items):\n    return len(items)\n"})
    assert synced(shop).relinked == 1  # moved and changed inside, but still the same to others
    write(shop.root, {"shop/price.py": "def price_sum(items):\n    return len(items)\n"})
    assert 1 < synced(shop).relinked < 6
    assert called_from(shop, "Cart.sum") == []


def test_a_new_definition_is_found_by_files_that_did_not_change(
    shop: Workspace, synced: Sync
) -> None:
    price = (shop.root / "shop/price.py").read_text()
    (shop.root / "shop/price.py").unlink()
    synced(shop)
    assert called_from(shop, "Cart.sum") == []
    write(shop.root, {"shop/price.py": price})
    assert synced(shop).added == ("shop/price.py",)
    assert called_from(shop, "Cart.sum") == ["shop/price.py:total"]


def test_a_deleted_file_leaves_no_trace(shop: Workspace, synced: Sync) -> None:
    synced(shop)
    (shop.root / "shop/price.py").unlink()
    assert synced(shop).deleted == ("shop/price.py",)
    index = opened(shop)
    assert index.ids_named("total") == []
    assert index.fulltext.search({"name": [("total", 1.0)]}, 5) == []
    assert index.file_record("shop/price.py") is None


def test_nothing_changed_makes_no_new_generation(shop: Workspace, synced: Sync) -> None:
    first = synced(shop)
    again = synced(shop)
    assert (again.generation, again.changed) == (first.generation, False)


def test_a_change_within_the_same_clock_tick_is_seen(shop: Workspace, synced: Sync) -> None:
    path = shop.root / "shop/price.py"
    tick = time.time_ns() + 60 * 10**9  # not over before the first sync, however slow it is
    os.utime(path, ns=(tick, tick))
    synced(shop)
    text = path.read_text().replace("total", "tatal")  # the same size
    path.write_text(text)
    os.utime(path, ns=(tick, tick))
    synced(shop)
    assert opened(shop).ids_named("tatal")


def test_a_touched_file_with_old_content_is_not_indexed_again(
    shop: Workspace, synced: Sync
) -> None:
    long_ago = time.time() - 1000
    for path in shop.root.rglob("*.*"):
        os.utime(path, (long_ago, long_ago))
    synced(shop)
    os.utime(shop.root / "shop/price.py", (long_ago + 5, long_ago + 5))
    assert not synced(shop).changed


def test_a_reader_keeps_its_generation(shop: Workspace, synced: Sync) -> None:
    synced(shop)
    before = opened(shop)
    (shop.root / "shop/price.py").unlink()
    synced(shop)
    assert before.ids_named("total")
    assert before.fulltext.search({"name": [("total", 1.0)]}, 5)
    assert not opened(shop).ids_named("total")


def test_a_renamed_file_is_not_parsed_again(shop: Workspace, synced: Sync) -> None:
    synced(shop)
    (shop.root / "shop/price.py").rename(shop.root / "shop/cost.py")
    report = synced(shop)
    assert (report.added, report.deleted) == (("shop/cost.py",), ("shop/price.py",))
    index = opened(shop)
    assert [each.name for each in index.records(index.ids_in_file("shop/cost.py"))] == [
        "cost",
        "total",
    ]


def git(root: Path, *arguments: str) -> None:
    identity = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", *identity, *arguments], cwd=root, check=True, capture_output=True)


def random_edit(root: Path, chance: random.Random) -> None:
    """Delete, rename, copy, move down or mutilate some file."""
    files = sorted(
        path for path in root.rglob("*.*") if path.is_file() and ".git" not in path.parts
    )
    path = chance.choice(files)
    lines = path.read_text().split("\n")
    place = chance.randrange(len(lines))
    match chance.randrange(7):
        case 0:
            path.unlink()
        case 1:
            path.rename(path.with_name(f"r{chance.randrange(9)}{path.name}"))
        case 2:
            target = chance.choice(files)
            target.write_text(target.read_text() + "\n" + "\n".join(lines[place : place + 9]))
        case 3:
            path.write_text("\n\n" + "\n".join(lines))
        case 4:
            new = "from shop.cart import Cart\n\n\ndef total(x):\n    return Cart(x).sum()\n"
            (path.parent / f"n{chance.randrange(5)}.py").write_text(new)
        case _:
            del lines[place : place + chance.randrange(1, 4)]
            path.write_text("\n".join(lines))


@pytest.mark.parametrize("seed", [1, 2])
def test_any_sequence_of_edits_gives_the_index_from_scratch(
    shop: Workspace, synced: Sync, tmp_path: Path, seed: int
) -> None:
    chance = random.Random(seed)
    git(shop.root, "init", "-q", "-b", "main")
    git(shop.root, "add", ".")
    git(shop.root, "commit", "-qm", "start")
    synced(shop)
    for step in range(4):
        for _ in range(chance.randrange(1, 4)):
            random_edit(shop.root, chance)
        if step == 2:
            git(shop.root, "checkout", "-qb", "side")
            git(shop.root, "add", "-A")
            git(shop.root, "commit", "-qm", "side")
            git(shop.root, "checkout", "-q", "main")
        synced(shop)
        assert_as_from_scratch(shop, tmp_path / "elsewhere")


def test_many_files_are_linked_again_by_the_workers_with_the_same_result(
    shop: Workspace, synced: Sync, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sonde.sync.edit._MANY", 0)
    synced(shop)
    moved = {
        "shop/price.py": "def total(items, tax=0):\n    return tax\n\n\ndef rebate():\n    pass\n",
        "shop/more.py": "from .price import rebate\n\n\ndef discount():\n    return rebate()\n",
    }
    for text in ("", "\n\n"):
        write(shop.root, {path: text + content for path, content in moved.items()})
        assert synced(shop).relinked >= 2
        assert_as_from_scratch(shop, tmp_path / "elsewhere")
    assert called_from(shop, "discount") == ["shop/price.py:rebate"]
    assert not list(shop.folder.glob("relinking*"))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            {
                "src/user-card.vue": "<script>\n"
                "export default { methods: { save() {} } };\n</script>\n"
                '<template><b @click="save()"/></template>\n',
                "src/App.vue": '<script setup>\nimport Card from "./user-card.vue";\n</script>\n'
                "<template><Card/></template>\n",
            },
            {"src/user-card.vue": None, "src/order-row.vue": "src/user-card.vue"},
        ),
        (
            {
                "made.ts": "export function Timed(B) { return class extends B { stamp() {} }; }\n",
                "used.ts": 'import { Timed } from "./made";\n'
                "class User extends Timed(Base) { go() { this.stamp(); } }\n",
            },
            {"made.ts": "export function Timed(B) { return class Row { stamp() {} }; }\n"},
        ),
        (
            {
                "Money.kt": "class Money(val n: Int) { companion object {\n"
                "  operator fun invoke(n: Int) = Money(n)\n} }\n",
                "Use.kt": "fun use() { Money(1) }\n",
            },
            {
                "Money.kt": "class Money private constructor(val n: Int) { companion object {\n"
                "  operator fun invoke(n: Int) = Money(n)\n} }\n"
            },
        ),
        (
            {
                "Both.scala": "class Both(n: Int)\n"
                "object Both { def apply(n: Int): Both = new Both(n) }\n",
                "Use.scala": "object Use { def use = Both(1) }\n",
            },
            {
                "Both.scala": "case class Both(n: Int)\n"
                "object Both { def apply(n: Int): Both = new Both(n) }\n"
            },
        ),
        (
            {
                "row.hpp": "struct Row {};\nbool operator==(const Row& a, int b);\n",
                "use.cpp": '#include "row.hpp"\nbool use(Row a, Row b) { return a == b; }\n',
            },
            {"row.hpp": "struct Row {};\nbool operator==(const Row& a, const Row& b);\n"},
        ),
    ],
    ids=["vue", "mixin", "companion", "case", "operator"],
)
def test_calls_by_other_forms_follow_edits_elsewhere(
    tmp_path: Path, before: dict[str, str], after: dict[str, str | None]
) -> None:
    root = tmp_path / "root"
    write(root, before)
    place = workspace(root, tmp_path / "cache")
    sync(place)
    for path, text in after.items():
        if text is None:
            (root / path).unlink()
        else:
            write(root, {path: before.get(text, text)})
    sync(place)
    assert_as_from_scratch(place, tmp_path / "elsewhere")
