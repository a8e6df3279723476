# ruff: noqa: E501  (fixtures are whole files on a line)
"""A loop's variable is an element of what the loop goes over."""

from __future__ import annotations

import pytest
from workspace import linked

from sonde.link.chain import element_type
from sonde.model import EdgeKind

CASES = {
    "c++": {
        "u.cpp": (
            "class Row { public: void go() {} };\nclass Use {\n  std::vector<Row> rows;\n  void run() { for (auto& r : this->rows) r.go(); }\n};\n"
            "void run(const std::vector<Row*>& rows) { for (auto* r : rows) { r->go(); } }\nvoid typed(Rows rows) { for (Row r : rows) r.go(); }\n"
        )
    },
    "go": {
        "u.go": (
            "package u\ntype Row struct{}\nfunc (r *Row) go_() {}\ntype Use struct { rows []*Row }\n"
            "func (u *Use) run() {\n\tfor _, r := range u.rows {\n\t\tr.go_()\n\t}\n}\n"
            "func run(rows map[string]Row) {\n\tfor _, r := range rows {\n\t\tr.go_()\n\t}\n}\n"
            "func typed(rows ...Row) {\n\tfor _, r := range rows {\n\t\tr.go_()\n\t}\n}\n"
        )
    },
    "java": {
        "a/U.java": (
            "package a;\nclass Row { void go() {} }\nclass Use {\n  List<Row> rows;\n  void run() { for (var r : this.rows) r.go(); }\n}\n"
            "class Run { void run(Row[] rows) { for (var r : rows) r.go(); } }\nclass Typed { void typed(List<Row> rows) { for (Row r : rows) r.go(); } }\n"
        )
    },
    "c#": {
        "U.cs": (
            "class Row { public void Go() {} }\nclass Use {\n  List<Row> rows;\n  void run() { foreach (var r in this.rows) r.Go(); }\n}\n"
            "class Run { void run(Row[] rows) { foreach (var r in rows) r.Go(); } }\nclass Typed { void typed(IEnumerable<Row> rows) { foreach (var r in rows) r.Go(); } }\n"
        )
    },
    "kotlin": {
        "a/U.kt": (
            "package a\nclass Row { fun go() {} }\nclass Use(val rows: List<Row>) {\n  fun run() { for (r in rows) r.go() }\n}\n"
            "fun run(rows: MutableList<Row>) { for (r in rows) r.go() }\nfun typed(rows: Any) { for (r: Row in rows) r.go() }\n"
        )
    },
    "swift": {
        "U.swift": (
            "class Row { func go() {} }\nclass Use {\n  var rows: [Row] = []\n  func run() { for r in self.rows { r.go() } }\n}\n"
            "func run(rows: Array<Row>) { for r in rows { r.go() } }\nfunc typed(rows: [Row]) { for r in rows { r.go() } }\n"
        )
    },
    "typescript": {
        "u.ts": (
            "class Row { go() {} }\nclass Use {\n  rows: Row[];\n  run() { for (const r of this.rows) { r.go(); } }\n}\n"
            "function run(rows: Array<Row>) { for (const r of rows) { r.go(); } }\nfunction typed(rows: Set<Row>) { for (const r of rows) { r.go(); } }\n"
        )
    },
    "rust": {
        "src/lib.rs": (
            "pub struct Row;\nimpl Row { fn go(&self) {} }\npub struct Use { rows: Vec<Row> }\nimpl Use {\n  fn run(&self) { for r in &self.rows { r.go(); } }\n}\n"
            "fn run(rows: &[Row]) { for r in rows.iter() { r.go(); } }\nfn typed(rows: Vec<Row>) { for r in rows { r.go(); } }\n"
        )
    },
    "scala": {
        "a/U.scala": (
            "package a\nclass Row { def go(): Unit = {} }\nclass Use(rows: List[Row]) {\n  def run() = for (r <- rows) r.go()\n}\n"
            "class Run { def run(rows: Seq[Row]) = for { r <- rows } yield r.go() }\nclass Typed { def typed(rows: Vector[Row]) = for (r <- rows) r.go() }\n"
        )
    },
}


@pytest.mark.parametrize("texts", CASES.values(), ids=CASES)
def test_bug_calls_on_the_variables_of_loops_were_not_followed(texts: dict[str, str]) -> None:
    found = {
        edge.partition(" -> ")[0].partition(":")[2] for edge in linked(texts).edges(EdgeKind.CALLS)
    }
    assert len(found) == 3


def test_variables_of_two_loops_over_different_things_are_two() -> None:
    index = linked(
        {
            "u.go": (
                "package u\ntype Row struct{}\nfunc (r *Row) Go() {}\ntype Key struct{}\nfunc (k *Key) Go() {}\n"
                "func run(rows []Row, keys []Key) {\n\tfor _, x := range rows {\n\t\tx.Go()\n\t}\n\tfor _, x := range keys {\n\t\tx.Go()\n\t}\n}\n"
            )
        }
    )
    assert index.edges(EdgeKind.CALLS) == {"u.go:run -> u.go:Row.Go", "u.go:run -> u.go:Key.Go"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("const std::vector<Row>&", "Row"),
        ("[]*Row", "*Row"),
        ("map[string]db.Row", "db.Row"),
        ("Row[]", "Row"),
        ("IReadOnlyList<Row>?", "Row"),
        ("[Row]", "Row"),
        ("[String: Row]", ""),
        ("&[Row; 3]", "Row"),
        ("Seq[Row]", "Row"),
        ("Optional[list[Row]]", "Row"),
        ("Map<String, Row>", ""),
        ("Row", ""),
    ],
)
def test_elements_of_collections(text: str, expected: str) -> None:
    assert element_type(text) == expected
