# ruff: noqa: E501  (fixtures are whole files on a line)
"""A variable is the one of the block that a use stands in."""

from __future__ import annotations

import pytest
from workspace import linked

from sonde.model import EdgeKind

# in each, run() uses a Row by `go` and a Key by `to`, both called `it`; the other way is wrong
SIBLINGS = {
    "a.java": "class Row { void go() {} void to() {} }\nclass Key { void to() {} void go() {} }\nclass Use { void run() {\n  if (x) { Row it = f(); it.go(); } else { Key it = g(); it.to(); }\n} }\n",
    "catch.java": "class Row { void go() {} void to() {} }\nclass Key { void to() {} void go() {} }\nclass Use { void run() {\n  try { f(); } catch (Row it) { it.go(); } catch (Key it) { it.to(); }\n} }\n",
    "a.cs": "class Row { public void go() {} public void to() {} }\nclass Key { public void to() {} public void go() {} }\nclass Use { void run() {\n  foreach (Row it in f()) { it.go(); }\n  foreach (Key it in g()) { it.to(); }\n} }\n",
    "a.kt": "class Row { fun go() {}\n fun to() {} }\nclass Key { fun to() {}\n fun go() {} }\nclass Use { fun run() {\n  if (x) { val it: Row = f()\n it.go() } else { val it: Key = g()\n it.to() }\n} }\n",
    "a.ts": "class Row { go() {} to() {} }\nclass Key { to() {} go() {} }\nclass Use { run() {\n  if (x) { const it = new Row(); it.go(); } else { const it = new Key(); it.to(); }\n} }\n",
    "a.swift": "class Row { func go() {}\n func to() {} }\nclass Key { func to() {}\n func go() {} }\nclass Use { func run() {\n  if x { let it = Row(); it.go() } else { let it = Key(); it.to() }\n} }\n",
    "a.rs": "struct Row;\nimpl Row { fn go(&self) {} fn to(&self) {} }\nstruct Key;\nimpl Key { fn to(&self) {} fn go(&self) {} fn new() -> Key { Key } }\nstruct Use;\nimpl Use { fn run(it: Row) {\n  it.go();\n  let it = Key::new();\n  it.to();\n} }\n",
    "a.cpp": "class Row { public: void go() {} void to() {} };\nclass Key { public: void to() {} void go() {} };\nclass Use { void run() {\n  { Row it; it.go(); }\n  { Key it; it.to(); }\n} };\n",
}


@pytest.mark.parametrize("path", SIBLINGS)
def test_bug_variables_of_sibling_blocks_were_one(path: str) -> None:
    edges = linked({path: SIBLINGS[path]}).edges(EdgeKind.CALLS)
    met = {edge.partition(" -> ")[2] for edge in edges if edge.startswith(f"{path}:Use.run")}
    assert met >= {f"{path}:Row.go", f"{path}:Key.to"}
    assert not met & {f"{path}:Row.to", f"{path}:Key.go"}


def test_a_function_in_a_block_sees_the_variables_of_the_block() -> None:
    text = (
        "class Row { go() {} }\nclass Key { go() {} }\ndescribe('x', () => { const it = new Row(); function f() { it.go(); } });\n"
        "describe('y', () => { const it = new Key(); function g() { it.go(); } });\n"
    )
    edges = linked({"u.ts": text}).edges(EdgeKind.CALLS)
    assert {"u.ts:f -> u.ts:Row.go", "u.ts:g -> u.ts:Key.go"} <= edges


def test_bug_a_variable_made_by_the_function_of_its_name_hid_it() -> None:
    text = "struct Row;\nimpl Row { fn go(&self) {} }\nfn row() -> Row { Row }\nfn run() { let row = row(); row.go(); }\n"
    edges = linked({"u.rs": text}).edges(EdgeKind.CALLS)
    assert edges == {"u.rs:run -> u.rs:row", "u.rs:run -> u.rs:Row.go"}


def test_a_pattern_of_rust_binds_what_it_unwraps() -> None:
    text = (
        "struct Row;\nimpl Row { fn go(&self) {} fn to(&self) {} fn up(&self) {} }\n"
        "fn run(one: Option<Row>, rows: Vec<Row>) {\n  if let Some(one) = one { one.go(); }\n"
        "  match rows.get(0) { Some(row) => row.to(), None => {} }\n  let Some(last) = rows.last() else { return };\n  last.up();\n}\n"
    )
    edges = linked({"u.rs": text}).edges(EdgeKind.CALLS)
    assert {f"u.rs:run -> u.rs:Row.{name}" for name in ("go", "to", "up")} <= edges


def test_bug_fields_of_rust_without_a_name_were_unknown() -> None:
    text = "struct Row;\nimpl Row { fn go(&self) {} }\nstruct Use(u8, pub Row);\nimpl Use { fn run(&self) { self.1.go(); } }\n"
    assert linked({"u.rs": text}).edges(EdgeKind.CALLS) == {"u.rs:Use.run -> u.rs:Row.go"}


def test_bug_a_variable_with_a_long_value_did_not_hide_the_module_of_its_name() -> None:
    chain = "".join(f".step_{at}(1)" for at in range(30))
    files = {
        "src/lib.rs": "mod output;\nmod user;\npub fn path() {}\n",
        "src/output.rs": "use super::*;\n",
        "src/user.rs": f"use super::*;\nfn run() {{ let output = Test::new(){chain}; output.path(); }}\n",
    }
    assert linked(files).edges(EdgeKind.CALLS) == set()


def test_bug_a_pattern_of_rust_hid_the_module_of_its_name() -> None:
    files = {
        "src/lib.rs": "mod row;\nfn run(rows: Vec<u8>) { if let Some(row) = rows.get(0) { use_it(row); } else { row::get(); } }\n",
        "src/row.rs": "pub fn get() {}\n",
    }
    assert "src/lib.rs:run -> src/row.rs:get" in linked(files).edges(EdgeKind.CALLS)
