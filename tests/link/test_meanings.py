# ruff: noqa: E501  (fixtures are whole files on a line)
"""What a variable, `this` or a bare name means, language by language."""

from __future__ import annotations

import pytest
from workspace import linked

from sonde.model import EdgeKind


def test_bug_variables_of_functions_without_a_name_were_lost() -> None:
    found = linked(
        {
            "a.ts": "export class Row { go() {} }\nexport class Cell { go() {} }\n",
            "b.ts": (
                "import { Row } from './a';\ndescribe('x', () => {\n  let row: Row;\n"
                "  it('y', () => { row.go(); });\n});\n"
            ),
            "c.ts": (
                "import { Cell, Row } from './a';\ndescribe('x', () => { let one: Row; one.go(); });\n"
                "describe('y', () => { let one: Cell; one.go(); });\n"
            ),
        }
    )
    assert found.edges(EdgeKind.CALLS) == {"b.ts -> a.ts:Row.go", "c.ts -> a.ts:Row.go", "c.ts -> a.ts:Cell.go"}  # fmt: skip


MEMBERS = {
    "a.py": "class Row:\n    other: 'Row'\n    def go(self): ...\ndef f(r: Row):\n    x = r.other\n    x.go()\n",
    "a.ts": "class Row { other: Row; go() {} }\nfunction f(r: Row) { const x = r.other; x.go(); }\n",
    "a.go": "package a\ntype Row struct{ other *Row }\nfunc (r *Row) Go() {}\nfunc f(r *Row) { x := r.other; x.Go() }\n",
    "a.rs": "struct Row { other: Box<Row> }\nimpl Row { fn go(&self) {} }\nfn f(r: &Row) { let x = &r.other; x.go(); }\n",
    "a.java": "class Row {\n Row other; void go() {} static void f(Row r) { var x = r.other; x.go(); }\n}\n",
    "a.cs": "class Row {\n Row other; void go() {} static void f(Row r) { var x = r.other; x.go(); }\n}\n",
    "a.php": "<?php\nclass Row { public Row $other; function go() {} }\nfunction f(Row $r) { $x = $r->other; $x->go(); }\n",
}


@pytest.mark.parametrize("path", MEMBERS)
def test_bug_variables_that_hold_a_member_had_no_type(path: str) -> None:
    (found,) = linked({path: MEMBERS[path]}).edges(EdgeKind.CALLS)
    assert found.lower().endswith(f"f -> {path}:row.go")


def test_a_variable_that_holds_a_member_and_then_another_type_is_unknown() -> None:
    found = linked(
        {
            "a.py": (
                "class Row:\n    other: 'Row'\n    def go(self): ...\nclass Cell:\n"
                "    def go(self): ...\ndef f(r: Row):\n    x = r.other\n    x = Cell()\n    x.go()\n"
            )
        }
    )
    assert found.edges(EdgeKind.CALLS) == {"a.py:f -> a.py:Cell"}


def test_bug_ruby_constants_in_a_module_that_no_file_opens_alone_were_lost() -> None:
    found = linked(
        {
            "api/rows.rb": "class Api::Rows\n  def self.find; end\n  def go; end\nend\n",
            "config/routes.rb": "namespace :api do\n  get '/x', to: 'rows#go'\n  resources :rows\nend\n",
            "use.rb": "def f\n  Api::Rows.find\n  Api::Rows.new.go\nend\n",
            "api/rows_controller.rb": "class Api::RowsController\n  def go; end\nend\n",
        }
    )
    assert found.edges(EdgeKind.CALLS) == {
        "use.rb:f -> api/rows.rb:Api.Rows",
        "use.rb:f -> api/rows.rb:Api.Rows.find",
        "use.rb:f -> api/rows.rb:Api.Rows.go",
    }
    assert found.edges(EdgeKind.HANDLES_ROUTE) == {
        "config/routes.rb -> api/rows_controller.rb:Api.RowsController",
        "config/routes.rb -> api/rows_controller.rb:Api.RowsController.go",
    }


def test_bug_this_in_an_object_on_the_spot_had_no_meaning() -> None:
    found = linked(
        {
            "a.ts": (
                "export const utils = {\n  one() {},\n  two() { this.one(); },\n};\n"
                "class Row {\n  cell: Row;\n  go() {}\n"
                "  make() { return { run: () => this.go(), next: () => this.cell.go() }; }\n}\n"
            )
        }
    )
    assert found.edges(EdgeKind.CALLS) == {
        "a.ts:utils.two -> a.ts:utils.one",
        "a.ts:Row.make.run -> a.ts:Row.go",
        "a.ts:Row.make.next -> a.ts:Row.go",
    }


def test_bug_chains_of_methods_that_return_this_were_lost() -> None:
    found = linked(
        {
            "a.ts": (
                "class Row {\n  a = 1;\n  add(n: number) { this.a += n; return this; }\n"
                "  end() { return 1; }\n}\nfunction f() { new Row().add(1).add(2).end(); }\n"
            )
        }
    )
    assert found.edges(EdgeKind.CALLS) == {
        "a.ts:f -> a.ts:Row",
        "a.ts:f -> a.ts:Row.add",
        "a.ts:f -> a.ts:Row.end",
    }


def test_bug_methods_that_a_trait_gives_to_a_type_from_outside_did_not_find_each_other() -> None:
    found = linked(
        {
            "src/lib.rs": (
                "use rope::Slice;\npub trait Ext { fn a(&self); fn b(&self); }\n"
                "impl Ext for Slice {\n  fn a(&self) { self.b(); b(); }\n  fn b(&self) {}\n"
                "  fn c(self) { self.b(); }\n}\n"
            )
        }
    )
    assert found.edges(EdgeKind.CALLS) == {
        "src/lib.rs:Slice.a -> src/lib.rs:Slice.b",
        "src/lib.rs:Slice.c -> src/lib.rs:Slice.b",
    }
    assert "b ? src/lib.rs:Ext.b, src/lib.rs:Slice.b" in found.unresolved()


def test_bug_a_bare_name_meant_a_member_written_outside_its_type() -> None:
    found = linked(
        {
            "a/row.go": "package a\ntype Row struct{}\nfunc Find() {}\n",
            "a/find.go": "package a\nfunc (r *Row) Find() { Find() }\n",
            "b.ts": "import { load } from './c';\nexport const rows = { load() { load(); } };\n",
            "c.ts": "export function load() {}\n",
        }
    )
    assert found.edges(EdgeKind.CALLS) == {
        "a/find.go:Row.Find -> a/row.go:Find",
        "b.ts:rows.load -> c.ts:load",
    }


@pytest.mark.parametrize(
    ("path", "text", "use"),
    [
        (
            "a.java",
            "enum Size { S, L; void go() {} }\nclass Use { void run() { Size.L.go(); } }\n",
            "Use.run",
        ),
        ("a.kt", "enum class Size { S, L; fun go() {} }\nfun run() { Size.L.go() }\n", "run"),
        (
            "a.php",
            "<?php\nenum Size { case S; case L; function go() {} }\nfunction run() { Size::L->go(); }\n",
            "run",
        ),
        (
            "a.scala",
            "enum Size { case S, L\n def go() = 1 }\nobject Use { def run() = Size.L.go() }\n",
            "Use.run",
        ),
        ("a.swift", "enum Size { case s, l\n func go() {} }\nfunc run() { Size.l.go() }\n", "run"),
        (
            "b.swift",
            "enum Size { case l(Int)\n func go() {} }\nfunc run() { Size.l(1).go() }\n",
            "run",
        ),
    ],
)
def test_bug_calls_on_a_constant_of_an_enum_led_nowhere(path: str, text: str, use: str) -> None:
    assert f"{path}:{use} -> {path}:Size.go" in linked({path: text}).edges(EdgeKind.CALLS)


def test_bug_extensions_of_csharp_were_not_found_on_a_constant_of_an_enum() -> None:
    text = "enum Size { L }\nstatic class More {\n  public static void Go(this Size size) {}\n}\n"
    index = linked({"a.cs": text + "class Use { void Run() { Size.L.Go(); } }\n"})
    assert "a.cs:Use.Run -> a.cs:More.Go" in index.edges(EdgeKind.CALLS)


@pytest.mark.parametrize(
    "body",
    [
        "for (const Row *row = given; row; row = row->next) { row->save(); }",
        "if (Row *row = given->next) { row->save(); }",
        "while (auto row = given->next) { row->save(); }",
        "if (auto row = given->next; row) { row->save(); }",
        "switch (n) { case 1: Row *row = any(); row->save(); }",
        "try { run(); } catch (const Row &row) { row.save(); }",
        "each([&](Row *row) { row->save(); });",
        "auto row = static_cast<const Row *>(any); row->save();",
        "auto row = std::make_unique<Row>(1); row->save();",
        "auto row = Row{1}; row.save();",
        "auto *row = (Row *)any; row->save();",
        "auto &row = *given; row.save();",
        "std::static_pointer_cast<Row>(any)->save();",
        "const_cast<Row *>(any)->save();",
        "((const Row *)any)->save();",
    ],
)
def test_bug_variables_and_casts_of_cpp_had_no_type(body: str) -> None:
    texts = {
        "row.hpp": "class Row { public: Row *next; void save(); };\nclass Other { void save(); };\n",
        "use.cpp": f'#include "row.hpp"\nvoid use(Row *given, int n) {{ {body} }}\n',
    }
    assert "use.cpp:use -> row.hpp:Row.save" in linked(texts).edges(EdgeKind.CALLS)


def test_bug_variables_that_a_loop_of_c_declares_had_no_type() -> None:
    text = "struct row { int id; };\nvoid use(struct row *all) {\n"
    text += "  for (struct row *at = all; at; at++) { at->id = 1; }\n}\n"
    assert "a.c:use -> a.c:row.id" in linked({"a.c": text}).edges(EdgeKind.ACCESSES_FIELD)


@pytest.mark.parametrize(
    "body",
    [
        "foreach ($this->rows as $at => $row) { $row->save(); }",
        "foreach ($this->byName as $row) $row->save();",
        "foreach ($given as $row) { $row->save(); }",
        "foreach ($this->all() as $row) { $row->save(); }",
        "$loose->save();",
        "/** @var Row $row */\n$row = anything(); $row->save();",
        "$row = clone $one; $row->save();",
        "$size = Size::L; $size->row()->save();",
        "$row = $one?->again(); $row->save();",
    ],
)
def test_bug_types_of_php_that_comments_loops_and_constants_tell_were_lost(body: str) -> None:
    text = (
        "<?php\nclass Row { function save() {} function again(): Row {} }\n"
        "enum Size { case L; function row(): Row {} }\n"
        "class Shop {\n  /** @var Row[] */\n  private array $rows;\n"
        "  /** @var array<string, Row>|null */\n  private $byName;\n"
        "  /** @return list<Row> all of them */\n  function all() {}\n"
        "  /**\n   * @param iterable<Row> $given\n   * @param Row|null $loose\n   */\n"
        f"  function run(iterable $given, $loose, Row $one) {{ {body} }}\n}}\n"
    )
    assert "a.php:Shop.run -> a.php:Row.save" in linked({"a.php": text}).edges(EdgeKind.CALLS)


@pytest.mark.parametrize("told", ["class-string<Row>", "Row|Other", "string[]", "Maybe<Row>"])
def test_comments_of_php_that_tell_no_single_class_lead_nowhere(told: str) -> None:
    text = (
        "<?php\nclass Row { function save() {} }\nclass Other { function save() {} }\n"
        f"/** @param {told} $given */\nfunction run($given) {{ foreach ($given as $r) $r->save(); }}\n"
    )
    assert not linked({"a.php": text}).edges(EdgeKind.CALLS)


@pytest.mark.parametrize(
    "body",
    [
        "if let row = given.next { row.save() }",
        "if let other = given.find(), let row = other.next { row.save() }",
        "guard let row = try given.find() else { return }; row.save()",
        "while let row = given.find() { row.save() }",
        "if let given = given { given.save() }",
        "if let row = any as? Row { row.save() }",
        "let row = any as! Row; row.save()",
        "let row = given.next; row?.save()",
        "let row = given; row.save()",
        "let row = all[0]; row.save()",
        "try! given.find().save()",
        "if let it = given as? Other { it.save() }; if let it = given.find() { it.save() }",
    ],
)
def test_bug_variables_of_swift_in_conditions_of_members_and_casts_had_no_type(body: str) -> None:
    text = (
        "class Row {\n  var next: Row?\n  func find() throws -> Row? { nil }\n  func save() {}\n}\n"
        "class Other { func save() {} }\n"
        f"func use(given: Row, any: Any, all: [Row]) {{ {body} }}\n"
    )
    assert "a.swift:use -> a.swift:Row.save" in linked({"a.swift": text}).edges(EdgeKind.CALLS)


@pytest.mark.parametrize(
    "body",
    [
        "val row = given.next; row.save()",
        "val row = given.next!!; row.save()",
        "val row = given?.next; row?.save()",
        "val row = given; row.save()",
        "val row = any as Row; row.save()",
        "val row = any as? Row; row?.save()",
        "val row = all[0]; row.save()",
        "val size = Size.L; size.row().save()",
    ],
)
def test_bug_variables_of_kotlin_that_hold_members_or_casts_had_no_type(body: str) -> None:
    text = (
        "class Row(val next: Row) { fun save() {} }\nclass Other { fun save() {} }\n"
        "enum class Size { L; fun row(): Row = TODO() }\n"
        f"fun use(given: Row, any: Any, all: List<Row>) {{ {body} }}\n"
    )
    assert "a.kt:use -> a.kt:Row.save" in linked({"a.kt": text}).edges(EdgeKind.CALLS)


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.java", 'enum Size { L; Size(String s) {} void go() {} }\nclass U { void use() { Size.valueOf("L").go(); } }\n'),
        ("a.kt", 'enum class Size { L; fun go() {} }\nclass U { fun use() { Size.valueOf("L").go() } }\n'),
        ("a.php", "<?php\nenum Size: int { case L = 1; function go() {} }\nclass U { function use() { Size::from(1)->go(); } }\n"),
    ],
)  # fmt: skip
def test_bug_what_an_enum_makes_of_a_name_or_value_was_unknown(path: str, text: str) -> None:
    found = {each.replace(f"{path}:", "") for each in linked({path: text}).edges(EdgeKind.CALLS)}
    assert found == {"U.use -> Size", "U.use -> Size.go"}


@pytest.mark.parametrize(
    "use",
    [
        "new Row() // first, of all\n    .with(1)\n    /* then */\n    .save();",
        "((Row<?>) other).save();",
    ],
)
def test_bug_comments_in_a_chain_and_type_arguments_of_a_cast_lost_what_follows(use: str) -> None:
    text = (
        "class Row<T> { Row<T> with(int n) { return this; } void save() {} }\n"
        f"class Other {{ void save() {{}} }}\nclass Use {{ void run(Object other) {{ {use} }} }}\n"
    )
    assert "a.java:Use.run -> a.java:Row.save" in linked({"a.java": text}).edges(EdgeKind.CALLS)
