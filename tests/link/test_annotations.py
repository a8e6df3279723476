# ruff: noqa: E501  (fixtures are whole files on a line)
"""What carries an annotation, attribute or decorator is linked to what it names."""

from __future__ import annotations

import pytest
from workspace import linked

from sonde.model import EdgeKind

MARKED = {
    "field.java": (
        "@interface Mark {}\nclass Row {\n  @Mark(1) int at;\n  enum Kind { @Mark A }\n}\n",
        {"Row.at -> Mark", "Row.Kind.A -> Mark"},
    ),
    "field.cs": (
        "class MarkAttribute : Attribute {}\nclass OtherAttribute : Attribute {}\nclass Row {\n  [Mark(1), Other] int at;\n  enum Kind { [Mark] A }\n}\n",
        {
            "Row.at -> MarkAttribute",
            "Row.at -> OtherAttribute",
            "Row.Kind.A -> MarkAttribute",
        },
    ),
    "site.kt": (
        "annotation class Mark(val n: Int = 0)\nannotation class Other\nclass Row(@field:Mark val id: Int) {\n  @get:Mark(1) val at = 1\n  @[Other Mark(2)] fun go() {}\n}\n",
        {"Row.id -> Mark", "Row.at -> Mark", "Row.go -> Mark", "Row.go -> Other"},
    ),
    "list.php": (
        "<?php\nclass Mark {}\nclass Other {}\nclass Row {\n  #[Mark('a, b(', n: [1, 2]), Other] private int $at, $to;\n  #[Other] const MOST = 1;\n}\n",
        {"Row.at -> Mark", "Row.at -> Other", "Row.MOST -> Other"},
    ),
    "field.ts": (
        "function Mark(target: any) {}\nclass Row { @Mark at = 1; }\n",
        {"Row.at -> Mark"},
    ),
    "wrapper.swift": (
        "@propertyWrapper struct Mark { var wrappedValue: Int }\nclass Row { @Mark var at: Int = 1 }\n",
        {"Row.at -> Mark"},
    ),
    "field.scala": (
        "class Mark extends scala.annotation.StaticAnnotation\nclass Row { @Mark val at = 1 }\n",
        {"Row.at -> Mark"},
    ),
    "derive.rs": (
        '#[proc_macro_derive(Mark, attributes(mark))]\n/// Marks.\npub fn derive_mark(input: TokenStream) -> TokenStream { input }\npub trait Other {}\n#[derive(Debug, Mark, crate::Other)]\nstruct Row;\n#[cfg_attr(feature = "a", derive(Other))]\nenum Kind { A }\n',
        {"Row -> derive_mark", "Row -> Other", "Kind -> Other"},
    ),
}


@pytest.mark.parametrize("path", MARKED)
def test_bug_what_an_annotation_marks_was_its_type_or_unknown(path: str) -> None:
    source, expected = MARKED[path]
    path = path.replace("derive.rs", "src/lib.rs")
    found = linked({"Cargo.toml": '[package]\nname = "rows"\n', path: source})
    assert found.edges(EdgeKind.DECORATES) == {
        " -> ".join(f"{path}:{end}" for end in edge.split(" -> ")) for edge in expected
    }


def test_a_derive_of_another_crate_leads_to_the_function_that_it_runs() -> None:
    found = linked(
        {
            "derive/Cargo.toml": '[package]\nname = "row-derive"\n',
            "derive/src/lib.rs": MARKED["derive.rs"][0],
            "Cargo.toml": '[package]\nname = "rows"\n',
            "src/lib.rs": "use row_derive::Mark;\n#[derive(Clone, Mark)]\nstruct Cell;\n",
        }
    ).edges(EdgeKind.DECORATES)
    assert "src/lib.rs:Cell -> derive/src/lib.rs:derive_mark" in found


def test_bug_annotations_of_tests_were_tested_by_them() -> None:
    found = linked(
        {
            "k/Tag.kt": "package k\nannotation class Tag(val n: Int)\n",
            "k/Mark.kt": "package k\nannotation class Mark\n",
            "o/RowTest.kt": (
                "package o\nimport k.Mark\nimport k.Tag\nclass RowTest {\n"
                "  @Tag(1) @Mark fun x() { val m: Mark? = null }\n}\n"
            ),
        }
    )
    assert "o/RowTest.kt:RowTest.x -> k/Tag.kt:Tag" in found.edges(EdgeKind.DECORATES)
    tested = found.edges(EdgeKind.TESTS)
    assert not any(edge.endswith("k/Tag.kt:Tag") for edge in tested)
    assert any(edge.endswith("k/Mark.kt:Mark") for edge in tested)
