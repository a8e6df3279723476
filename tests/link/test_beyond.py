# ruff: noqa: E501  (fixtures are whole files on a line)
"""Members that come from beyond the workspace are none of those that are called like them."""

from __future__ import annotations

import pytest
from workspace import calls, linked

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
