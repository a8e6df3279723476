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
