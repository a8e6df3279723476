# ruff: noqa: E501  (fixtures are whole files on a line)
"""Members that come from beyond the workspace are none of those that are called like them."""

from __future__ import annotations

import pytest
from workspace import calls, linked

from sonde.model import EdgeKind

GO = (
    'package u\nimport "lib/mock"\ntype Key struct{}\nfunc (k *Key) On() {}\ntype Base struct{ Key }\n'
    "type Row struct {\n\tmock.Call\n\tBase\n}\nfunc (r *Row) run() {\n\t%s\n}\n"
)
JAVA = "package a;\nimport lib.Far;\nclass Key { void on() {} }\nclass Row extends Far { void run(Row row) { %s } }\nclass Near { void run(Row row, Near near) { %s } }\n"


@pytest.mark.parametrize("use", ["r.Call.On()", "r.Return().On()", "r.Base.Key.On()", "r.Key.On()", "r.On()"])  # fmt: skip
def test_an_embedded_type_of_go_is_a_field_of_its_name(use: str) -> None:
    index = linked({"u.go": GO % use})
    inside = "Call" not in use and "Return" not in use
    assert any(each.endswith("Key.On@4") for each in calls(index)) is inside
    assert index.unresolved() == set()


def test_a_member_that_no_class_has_is_inherited_from_outside() -> None:
    index = linked({"a/U.java": JAVA % ("row.on();", "row.on().on(); near.on();")})
    assert calls(index) == set()
    assert index.unresolved() == {"on ? a/U.java:Key.on"}
    assert [each.receiver for each in index.links["a/U.java"].unresolved] == ["near"]


def test_bug_types_that_an_extension_adds_to_an_outside_type_were_not_found() -> None:
    files = {
        "Parser.swift": "extension Fields {\n  struct Parser {\n    init(text: String) {}\n    func next() {}\n  }\n}\n",
        "Use.swift": 'func one() {\n  let parser = Fields.Parser(text: "a")\n  parser.next()\n}\n',
    }
    assert calls(linked(files)) == {
        "one -> Fields.Parser@2",
        "one -> Fields.Parser.init@3",
        "one -> Fields.Parser.next@4",
    }


EXTENDED = {
    "core/Holder.kt": (
        "package core\nopen class Holder { open fun own() {} }\nopen class Base : Holder()\n"
    ),
    "more/More.kt": (
        "package more\nimport core.*\ninterface Opt<A, B> { fun plain() {} }\n"
        "typealias Loose<A> = Opt<A, A>\ntypealias Raw = Loose<String>\n"
        "fun Holder.option(): Raw = TODO()\nfun Raw.int(): Loose<Int> = TODO()\n"
        "fun <A> Loose<A>.many(): Opt<A, A> = TODO()\nfun <A, B> Opt<A, B>.check() {}\n"
        "fun <T : Holder, R : T> R.named(): R = this\n"
    ),
}


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("class Use : Base() { fun run() { option() } }", {"Holder.option"}),
        (
            "class Use : Base() { fun run() { option().int().many().check() } }",
            {"Holder.option", "Raw.int", "Loose.many", "Opt.check"},
        ),
        ("fun run(base: Base) { base.named().own() }", {"Holder.named", "Holder.own"}),
        ("fun run(all: Opt<Int, Int>) { all.many() }", {"Loose.many"}),
        ("fun run(raw: Raw) { raw.check() }", {"Opt.check"}),
        ("fun Base.run() { option().plain() }", {"Holder.option", "Opt.plain"}),
        ("fun run(text: String) { text.option() }", set()),
    ],
)
def test_bug_extensions_from_another_package_for_this_aliases_and_bounds(
    body: str, expected: set[str]
) -> None:
    use = f"package use\nimport core.*\nimport more.*\n{body}\n"
    found = linked({**EXTENDED, "use/Use.kt": use}).edges(EdgeKind.CALLS)
    assert {e.rpartition(":")[2] for e in found if e.startswith("use/")} == expected


def test_an_extension_that_is_not_imported_is_not_called() -> None:
    use = "package use\nimport core.Base\nclass Use : Base() { fun run() { option(); own() } }\n"
    found = linked({**EXTENDED, "use/Use.kt": use}).edges(EdgeKind.CALLS)
    assert {e.rpartition(":")[2] for e in found if e.startswith("use/")} == {"Holder.own"}
