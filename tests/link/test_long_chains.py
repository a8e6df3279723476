"""Chains of calls are followed however much each of them is given."""

from __future__ import annotations

import pytest
from workspace import linked

from sonde.model import EdgeKind

TEXT = "a text that is long enough to be more than is kept of a receiver: " * 3
CASES = {
    "java": (
        "a/U.java",
        "package a;\nclass Row {\n  Row with(String a, int b) { return this; }\n"
        "  Key key() { return null; }\n}\nclass Key { void go() {} }\n"
        f'class Use {{ void run(Row row) {{ row.with("{TEXT}",\n  // (why\n'
        "  1).key().go(); } }\n",
    ),
    "go": (
        "u.go",
        "package u\ntype Row struct{}\nfunc (r *Row) With(a string, b int) *Row { return r }\n"
        "func (r *Row) Key() *Key { return nil }\ntype Key struct{}\nfunc (k *Key) Go() {}\n"
        f'func run(row *Row) {{\n\trow.With("{TEXT}", 1).\n\t\tKey().\n\t\tGo()\n}}\n',
    ),
    "rust": (
        "src/lib.rs",
        "pub struct Row;\nimpl Row {\n  fn with(self, a: &str, b: u8) -> Row { self }\n"
        "  fn key(&self) -> Key { Key }\n}\npub struct Key;\nimpl Key { fn go(&self) {} }\n"
        f'fn run(row: Row) {{ row.with("{TEXT}", 1)\n  .key()\n  .go(); }}\n',
    ),
    "python": (
        "u.py",
        "class Row:\n  def set(self, a, b) -> 'Row': ...\n  def key(self) -> 'Key': ...\n"
        "class Key:\n  def go(self): ...\n"
        f'def run(row: Row):\n  row.set("{TEXT}", 1).key().go()\n',
    ),
}


@pytest.mark.parametrize(("path", "text"), CASES.values(), ids=CASES)
def test_bug_calls_behind_long_arguments_were_not_followed(path: str, text: str) -> None:
    calls = {edge.rpartition(":")[2].lower() for edge in linked({path: text}).edges(EdgeKind.CALLS)}
    assert {"row.key", "key.go"} <= calls


def test_bug_a_kotlin_function_that_ends_in_a_property_gave_nothing() -> None:
    source = (
        "package k\n"
        "class Row { fun save() {} }\n"
        "class Box(val inner: Row)\n"
        "val held = Row()\n"
        "class Shop {\n  private val row = Row()\n  lateinit var box: Box\n"
        "  fun own() = row\n  fun mine() = this.row\n  fun deep() = box.inner\n  fun far() = held\n"
        "  fun given(row: Box) = row\n  fun again() = own()\n  fun yes() = true\n"
        "  fun one() { own().save() }\n  fun two() { mine().save() }\n"
        "  fun three() { deep().save() }\n  fun four() { far().save() }\n"
        "  fun five() { given(box).save() }\n  fun six() { again().save() }\n"
        "  fun seven() { yes().save() }\n}\n"
    )
    found = linked({"k.kt": source}).edges(EdgeKind.CALLS)
    callers = {edge.partition(" ->")[0] for edge in found if edge.endswith("Row.save")}
    numbers = ("one", "two", "three", "four", "six")
    assert callers == {f"k.kt:Shop.{number}" for number in numbers}
