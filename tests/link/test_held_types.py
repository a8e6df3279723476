# ruff: noqa: E501  (fixtures are whole files on a line)
"""What declared collections and wrappers hold is followed: at an index, by their methods, in locals."""

from __future__ import annotations

import pytest
from workspace import linked

from sonde.link.generics import given_by, indexed
from sonde.model import EdgeKind

JAVA = "package a;\nclass Row { void go() {} Row next() { return this; } }\nclass Rows { Row get(int i) { return null; } }\nclass Use {\n  List<Row> kept; Map<String, List<Row>> by;\n  void run(Optional<Row> maybe, Row[] many, Map<String, Row> named) {\n    List<Row> local = new ArrayList<>();\n    var made = new ArrayList<Row>();\n    %s\n  }\n}\n"
PYTHON = "class Row:\n  def go(self): ...\nclass Use:\n  rows: list[Row]\n  by: dict[str, Row]\n  def run(self, many: dict[str, Row], some: 'Sequence[Row] | None'):\n    %s\n"
GO = "package u\ntype Row struct{}\nfunc (r *Row) Go() {}\ntype Use struct { rows []*Row; by map[string]Row }\nfunc (u *Use) run(many []Row) {\n\tlocal := make(map[string]*Row)\n\tmade := []Row{}\n\t%s\n}\n"
RUST = "pub struct Row;\nimpl Row { fn go(&self) {} }\npub struct Use { rows: Vec<Row>, by: HashMap<String, Row> }\nimpl Use {\n  fn run(&self, many: &[Row], maybe: Option<Row>) {\n    let local: Vec<Row> = vec![];\n    %s\n  }\n}\n"
TYPESCRIPT = "class Row { go() {} }\nclass Use {\n  rows: Row[]; by: Map<string, Row>;\n  async run(many: Record<string, Row>) {\n    const local: Promise<Row> = f(); const all: Array<Row> = [];\n    %s\n  }\n}\n"
CSHARP = "class Row { public void Go() {} }\nclass Use {\n  List<Row> rows; Dictionary<string, Row> by;\n  void run(Row[] many, Task<Row> task) {\n    IList<Row> local = Make();\n    %s\n  }\n}\n"
TEXTS = {
    "a/U.java": (JAVA, "kept.get(0).go();|this.kept.get(0).next().go();|maybe.get().go();|maybe.orElse(null).go();|many[0].go();|named.get(x).go();|local.get(0).go();|made.getFirst().go();|by.get(x).get(0).go();|for (var r : local) r.go();|for (Map.Entry<String, Row> e : named.entrySet()) e.getValue().go();|local.stream().findFirst().get().go();"),
    "u.py": (PYTHON, "self.rows[0].go()|self.by['a'].go()|many.get('a').go()|some[-1].go()|[r.go() for r in many.values()]|r = self.rows[0]; r.go()|for k, r in many.items(): r.go()|for i, r in enumerate(self.rows): r.go()"),
    "u.go": (GO, 'u.rows[0].Go()|u.by["a"].Go()|many[i].Go()|local["a"].Go()|made[0].Go()'),
    "src/lib.rs": (RUST, "self.rows[0].go();|many[0].go();|maybe.unwrap().go();|local[0].go();|local.first().unwrap().go();|for r in local.iter() { r.go(); }"),
    "u.ts": (TYPESCRIPT, "this.rows[0].go();|this.by.get('a').go();|many['a'].go();|(await local).go();|all.find(x).go();|for (const r of all) { r.go(); }"),
    "U.cs": (CSHARP, 'rows[0].Go();|by["a"].Go();|many[0].Go();|local.First().Go();|foreach (var r in local) r.Go();'),
}  # fmt: skip
CASES = [(path, text, use) for path, (text, uses) in TEXTS.items() for use in uses.split("|")]


@pytest.mark.parametrize(("path", "text", "use"), CASES, ids=[case[2] for case in CASES])
def test_a_call_on_what_a_collection_holds(path: str, text: str, use: str) -> None:
    found = {edge.rpartition(":")[2] for edge in linked({path: text % use}).edges(EdgeKind.CALLS)}
    assert found & {"Row.go", "Row.Go"}


@pytest.mark.parametrize(
    "use", ["kept.go();", "kept.size().go();", "named.go();", "many.go();", "by.get(x).go();", "kept[0][1].go();"]
)  # fmt: skip
def test_a_collection_is_not_what_it_holds(use: str) -> None:
    index = linked({"a/U.java": JAVA % use})
    assert not any(edge.endswith("Row.go") for edge in index.edges(EdgeKind.CALLS))


def test_a_method_of_the_project_comes_before_what_a_library_calls_so() -> None:
    index = linked({"a/U.java": JAVA % "Rows rows = f(); rows.get(0).go();"})
    assert {edge.rpartition(":")[2] for edge in index.edges(EdgeKind.CALLS)} >= {
        "Rows.get",
        "Row.go",
    }


@pytest.mark.parametrize(
    ("text", "name", "expected"),
    [
        ("List<Row>", "get", "Row"),
        ("Map<String, List<Row>>", "get", "List<Row>"),
        ("Map<String, Row>", "values", "Collection<Row>"),
        ("&mut HashMap<String, Row>", "get_mut", "Row"),
        ("Optional<List<Row>>", "get", "List<Row>"),
        ("Arc<Mutex<Row>>", "lock", "Mutex<Row>"),
        ("Row", "get", ""),
        ("Rows<Row>", "get", ""),
        ("List<Row>", "size", ""),
        ("[String: Row]", "values", "Collection<Row>"),
    ],
)
def test_what_a_member_of_a_collection_gives(text: str, name: str, expected: str) -> None:
    assert given_by(text, name) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [("Row[]", "Row"), ("map[string]*Row", "*Row"), ("[Row]", "Row"), ("Promise<Row[]>", "Row"), ("dict[str, list[Row]]", "list[Row]"), ("Row", "")],
)  # fmt: skip
def test_what_stands_at_an_index(text: str, expected: str) -> None:
    assert indexed(text) == expected


def test_bug_the_first_of_two_variables_of_a_name_was_taken_for_both() -> None:
    text = "package a;\nclass Row { void go() {} }\nclass Key { void go() {} }\nclass Use { void run() {\n  { Row it = f(); it.go(); }\n  { Key it = g(); it.go(); }\n} }\n"
    index = linked({"a/U.java": text})
    assert index.edges(EdgeKind.CALLS) == {"a/U.java:Use.run -> a/U.java:Row.go", "a/U.java:Use.run -> a/U.java:Key.go"}  # fmt: skip


def test_a_variable_that_is_made_of_itself_ends() -> None:
    text = "def run(rows):\n  rows = rows.filter()\n  rows = rows.copy()\n  rows.get(1).go()\n"
    assert linked({"u.py": text}).edges(EdgeKind.CALLS) == set()
    text = "def run():\n  rows = rows.filter()\n  one = two.get()\n  two = one.get()\n  one.first().go()\n"
    assert linked({"u.py": text}).edges(EdgeKind.CALLS) == set()


@pytest.mark.parametrize(
    ("use", "found"),
    [("make(Row.class).go();", True), ("make(1, Row.class).go();", True), ("other(Row.class).go();", False), ("held(Row.class).go();", False)],
)  # fmt: skip
def test_a_method_that_is_told_a_type_gives_one_of_it(use: str, found: bool) -> None:
    text = (
        "package a;\nclass Row { void go() {} }\nclass Shop<H> {\n  <T> T make(Key<T> key) { return null; }\n  <T> T make(Class<T> type) { return null; }\n"
        "  <T extends Row> T make(int a, Class<? extends T> type) { return null; }\n  Object other(Class<?> type) { return null; }\n  <T> H held(Class<T> type) { return null; }\n}\n"
        f"class Use {{ void run(Shop shop) {{ shop.{use} }} }}\n"
    )
    edges = linked({"a/U.java": text}).edges(EdgeKind.CALLS)
    assert any(edge.endswith("Row.go") for edge in edges) is found


ALIASES = {
    "a.kt": "class Row { fun save() {} }\ntypealias Line = Row\nfun run(line: Line) { line.save() }\n",
    "a.swift": "class Row { func save() {} }\npublic typealias Line = Row\nfunc run(line: Line) { line.save() }\n",
    "a.scala": "class Row { def save() = {} }\nobject Use {\n  type Line = Row\n  def run(line: Line) = line.save()\n}\n",
    "a.rs": "struct Row;\nimpl Row { fn save(&self) {} }\ntype Line = Row;\nfn run(line: Line) { line.save() }\n",
    "a.ts": "class Row { save() {} }\nexport type Line = Row;\nfunction run(line: Line) { line.save() }\n",
    "a.cpp": "struct Row { void save() {} };\nusing Line = Row;\nvoid run(Line line) { line.save(); }\n",
    "a.go": "package a\ntype Row struct{}\nfunc (r Row) save() {}\ntype Line = Row\nfunc run(line Line) { line.save() }\n",
    "a.py": "class Row:\n    def save(self): pass\ntype Line = Row\ndef run(line: Line): line.save()\n",
}


@pytest.mark.parametrize("path", ALIASES)
def test_bug_aliases_of_types_were_not_followed(path: str) -> None:
    found = linked({path: ALIASES[path]}).edges(EdgeKind.CALLS)
    assert {each.replace("Use.", "") for each in found} == {f"{path}:run -> {path}:Row.save"}


def test_an_alias_of_several_types_or_of_itself_leads_nowhere() -> None:
    text = "class Row { save() {} }\ntype Both = Row | Set<Row>;\ntype Own = Own;\nfunction run(a: Both, b: Own) { a.save(); b.save(); }\n"
    assert not linked({"a.ts": text}).edges(EdgeKind.CALLS)


@pytest.mark.parametrize(
    "value",
    [
        "row",
        "(row)",
        "this.row ? row : Make()",
        "row == null ? null : Make()",
        "(Row)o",
        "o as Row",
        "(o as Row)",
    ],
)
def test_bug_variables_of_csharp_that_hold_another_a_choice_or_a_cast_were_unknown(
    value: str,
) -> None:
    text = f"class Row {{ public void Save() {{}} }}\nclass Use {{\n  Row Make() {{ return null; }}\n  void Run(Row row, object o) {{ var it = {value}; it.Save(); }}\n}}\n"
    assert "a.cs:Use.Run -> a.cs:Row.Save" in linked({"a.cs": text}).edges(EdgeKind.CALLS)
