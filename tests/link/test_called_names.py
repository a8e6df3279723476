# ruff: noqa: E501  (fixtures are whole files on a line)
"""Calls whose name is also that of a field, a module or a companion; each was a wrong edge."""

from __future__ import annotations

import pytest
from workspace import calls, linked

from sonde.model import EdgeKind

CASES = {
    "java: a field was called where a method has its name": (
        {
            "a/Use.java": (
                "package a;\nclass Use {\n  Token token;\n  static int name;\n"
                "  void run(Use other) { token = token(); other.name(); }\n"
                "  Token token() { return null; }\n}\nclass Token {}\n"
            )
        },
        {"a/Use.java:Use.run -> a/Use.java:Use.token"},
    ),
    "java: an imported static method shares its name with a field": (
        {
            "a/Flag.java": (
                "package a;\npublic class Flag {\n  private static Box isOn = new Box();\n"
                "  public static boolean isOn() { return true; }\n}\nclass Box {}\n"
            ),
            "b/Use.java": "package b;\nimport static a.Flag.isOn;\nclass Use { void run() { isOn(); } }\n",
        },
        {"a/Flag.java:Flag -> a/Flag.java:Box", "b/Use.java:Use.run -> a/Flag.java:Flag.isOn"},
    ),
    "java: the accessor of a record": (
        {
            "a/Row.java": "package a;\nrecord Row(String id) {}\n",
            "a/Use.java": "package a;\nclass Use { void run(Row row) { row.id(); } }\n",
        },
        {"a/Use.java:Use.run -> a/Row.java:Row.id"},
    ),
    "kotlin: a property called itself": (
        {
            "a/Table.kt": "package a\nopen class Table {\n  fun text(name: String): Int = 1\n}\n",
            "b/Users.kt": (
                "package b\nimport a.Table\nclass Users : Table() {\n"
                '  val text = text("text")\n  val size = size()\n  val done: () -> Unit = {}\n'
                "  fun end() { done() }\n}\n"
            ),
        },
        {
            "b/Users.kt:Users -> a/Table.kt:Table.text",
            "b/Users.kt:Users.end -> b/Users.kt:Users.done",
        },
    ),
    "c#: a property named like its type was made by new": (
        {
            "Use.cs": (
                "namespace Shop {\n  class Options { public Options() {} }\n"
                "  class Use {\n    Options Options { get; set; }\n    Action Done { get; set; }\n"
                "    void Run() { Options = new Options(); Done(); }\n  }\n}\n"
            )
        },
        {
            "Use.cs:Use.Run -> Use.cs:Options",
            "Use.cs:Use.Run -> Use.cs:Options.Options",
            "Use.cs:Use.Run -> Use.cs:Use.Done",
        },
    ),
    "ruby: an instance variable was called by its bare name": (
        {
            "use.rb": (
                "class Use\n  def run\n    @page = page\n    size(1)\n    @size = 1\n  end\n"
                "  def page\n    1\n  end\nend\n"
            )
        },
        {"use.rb:Use.run -> use.rb:Use.page"},
    ),
    "php: a property hid the inherited method of its name": (
        {
            "Base.php": "<?php\nclass Base { function row() {} }\n",
            "Use.php": (
                "<?php\nclass Uses extends Base {\n  private $row;\n  private $gone;\n"
                "  function run() { $this->row(); $this->gone(); }\n}\n"
            ),
        },
        {"Use.php:Uses.run -> Base.php:Base.row"},
    ),
    "rust: a module or a field was called": (
        {
            "Cargo.toml": '[package]\nname = "shop"\n',
            "src/lib.rs": "mod lex;\nmod size;\npub use lex::lex;\npub struct Row { len: usize }\n",
            "src/lex.rs": "pub fn lex() {}\n",
            "src/size.rs": "pub fn other() {}\n",
            "src/use_it.rs": (
                "use crate::lex;\nuse crate::size;\nuse crate::Row;\n"
                "fn run(row: Row) { lex(); row.len(); size(); Row::len(); }\n"
            ),
        },
        {"src/use_it.rs:run -> src/lex.rs:lex"},
    ),
    "rust: a name in a macro was taken for a function of the file": (
        {
            "Cargo.toml": '[package]\nname = "shop"\n',
            "src/lib.rs": (
                "pub struct Row {}\nimpl Row { fn of() -> Row { Row {} } fn parse(&self) {} }\n"
                "fn parse() {}\n"
                "fn run(text: &str, row: Row) { assert!(text.parse(), Row::of()); assert!(row.parse()); }\n"
            ),
        },
        {"src/lib.rs:run -> src/lib.rs:Row.of", "src/lib.rs:run -> src/lib.rs:Row.parse"},
    ),
    "swift: extensions of one outside type, and subscripts": (
        {
            "A.swift": "extension String {\n  func a() { self.b(); c() }\n  private func d() {}\n}\n",
            "B.swift": "extension String {\n  func b() { d() }\n  func c() {}\n}\n",
            "C.swift": "class Rows {\n  var all: Box\n  func at() { all[1] = self.all[2] }\n}\n",
        },
        {"A.swift:String.a -> B.swift:String.b", "A.swift:String.a -> B.swift:String.c"},
    ),
    "c#: parameters of a primary constructor": (
        {
            "Use.cs": (
                "namespace Shop {\n  class Repo { public void Find() {} }\n"
                "  class Use(Repo repo) {\n    void Run() { repo.Find(); }\n  }\n}\n"
            )
        },
        {"Use.cs:Use.Run -> Use.cs:Repo.Find"},
    ),
    "c++: a test calls its fixture's methods": (
        {
            "a.cpp": (
                "class PoolTest { void grow(); };\nvoid PoolTest::grow() {}\n"
                "TEST_F(PoolTest, Grows) { grow(); }\nTEST_F(PoolTest, Shrinks) { grow(); }\n"
            )
        },
        {
            "a.cpp:PoolTest.Grows -> a.cpp:PoolTest.grow",
            "a.cpp:PoolTest.Shrinks -> a.cpp:PoolTest.grow",
        },
    ),
    "typescript: a function of an object that a call takes was called by its bare name": (
        {
            "a.ts": (
                "export const load = action({ perform() { run(); } });\n"
                "function run() {}\nexport function other() { perform(); load.perform(); }\n"
            )
        },
        {"a.ts:load.perform -> a.ts:run", "a.ts:other -> a.ts:load.perform"},
    ),
    "scala: a function that takes a class, and an instance, ran the companion": (
        {
            "a/Client.scala": (
                "package a\nclass Client[F] { def send(): Unit = () }\n"
                "object Client { def apply(x: Int): Client[Int] = new Client[Int] }\n"
            ),
            "a/Use.scala": (
                "package a\nobject Use {\n"
                "  def run(f: Client[Int] => Unit, c: Client[Int]): Unit = { f(c); c(1); c.send() }\n}\n"
            ),
        },
        {
            "a/Client.scala:Client.apply -> a/Client.scala:Client",
            "a/Use.scala:Use.run -> a/Client.scala:Client.send",
        },
    ),
    "c: a structure was called where a function has its name": (
        {
            "a.h": "struct resize { int x; };\nvoid resize(int);\nstruct only { int x; };\n",
            "a.c": '#include "a.h"\nvoid resize(int a) {}\n',
            "b.c": '#include "a.h"\nvoid run(void) { struct resize r; resize(1); only(1); }\n',
        },
        {"b.c:run -> a.c:resize"},
    ),
    "cpp: a class is still created by its name": (
        {
            "a.hpp": "struct Row { Row(int x); };\nvoid Key();\nstruct Key { int x; };\n",
            "b.cpp": '#include "a.hpp"\nvoid run() { Row(1); Key(); }\n',
        },
        {
            "b.cpp:run -> a.hpp:Row",
            "b.cpp:run -> a.hpp:Row.Row",
            "b.cpp:run -> a.hpp:Key",
        },
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_bug_of_a_name_that_is_called(case: str) -> None:
    texts, expected = CASES[case]
    assert linked(texts).edges(EdgeKind.CALLS) == expected


def test_bug_the_label_of_a_php_argument_was_a_function() -> None:
    source = (
        "<?php\nconst view = 1;\nfunction run() { show(view: 1); }\nfunction go() { show(view); }\n"
    )
    assert linked({"a.php": source}).edges(EdgeKind.REFERENCES) == {"a.php:go -> a.php:view"}


def test_bug_inside_a_type_its_name_meant_its_constructors() -> None:
    row = """\
class Row {
  Row() {}
  Row(int at) {}
  static Row of(Row row) { return Row.made(row); }
  static Row made(Row row) { return new Row(1); }
}
class Wide extends Row {
  Row narrow() { return Row.made(this); }
}
"""
    index = linked({"Row.java": row})
    assert calls(index) == {
        "Row.of -> Row.made@5",
        "Row.made -> Row@1",
        "Row.made -> Row.Row@3",
        "Wide.narrow -> Row.made@5",
    }
    assert not calls(index, EdgeKind.REFERENCES)
    assert calls(index, EdgeKind.TYPE_HINT_OF) == {
        "Row.of -> Row@1",
        "Row.made -> Row@1",
        "Wide.narrow -> Row@1",
    }


def test_a_constructor_that_runs_that_of_its_base_refers_to_it() -> None:
    row = "struct Base { Base(int a) {} };\nstruct Row : Base { Row() : Base(1) {} };\n"
    found = calls(linked({"row.cpp": row}), EdgeKind.REFERENCES)
    assert found == {"Row.Row -> Base@1", "Row.Row -> Base.Base@1"}
