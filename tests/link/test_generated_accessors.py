# ruff: noqa: E501  (fixtures are whole files on a line)
"""Accessors that Lombok's annotations generate lead to the fields they stand for."""

from __future__ import annotations

import pytest
from workspace import calls, linked

from sonde.extract import extract
from sonde.model import EdgeKind, Provenance

KEY = "package a;\nclass Key { void go() {} }\n"


def row(head: str, fields: str) -> dict[str, str]:
    return {
        "a/Key.java": KEY,
        "a/Row.java": f"package a;\nimport lombok.*;\n{head}\nclass Row {{\n{fields}\n}}\n",
    }


def use(body: str) -> dict[str, str]:
    return {
        "b/Use.java": f"package b;\nimport a.Row;\nclass Use {{\n  void run(Row row) {{ {body} }}\n}}\n"
    }


@pytest.mark.parametrize(
    ("head", "field", "expected"),
    [
        ("@Data", "private Key key;", ("getKey", "setKey")),
        ("@Value", "Key key;", ("getKey",)),
        ("@Getter", "private boolean open;", ("isOpen",)),
        ("@Data", "private boolean isOpen;", ("isOpen", "setOpen")),
        ("", "@Getter @Setter\n  private Boolean open;", ("getOpen", "setOpen")),
        ("@Data @Accessors(fluent = true)", "private Key key;", ("key",)),
        ("@lombok.Builder @With", "private Key key;", ("withKey", "key", "builder")),
        ("@Data", "private static Key key;", ()),
        ("", "private Key key;", ()),
    ],
)
def test_what_annotations_generate_for_a_field(
    head: str, field: str, expected: tuple[str, ...]
) -> None:
    facts = extract("Row.java", "java", row(head, field)["a/Row.java"].encode())
    assert facts.symbols[2].bases == expected


def test_annotations_of_the_same_names_generate_nothing_elsewhere() -> None:
    facts = extract("Row.java", "java", b"import own.Data;\n@Data class Row { Key key; }")
    assert facts.symbols[2].bases == ()


def test_getters_and_setters_lead_to_the_field_and_its_type() -> None:
    index = linked(
        {
            **row("@Data", "  private Key key;"),
            **use("row.getKey().go(); row.setKey(null); row.getNone();"),
        }
    )
    assert calls(index, EdgeKind.ACCESSES_FIELD) == {"Use.run -> Row.key@5"}
    assert calls(index) == {"Use.run -> Key.go@2"}
    (edge,) = [e for e in index.links["b/Use.java"].edges if e.kind is EdgeKind.ACCESSES_FIELD]
    assert edge.provenance is Provenance.INFERRED
    assert index.unresolved() == {"getNone ? "}


def test_builders_lead_to_their_fields_and_their_type() -> None:
    index = linked(
        {
            **row("@Builder", "  private Key key;\n  private int size;"),
            **use("Row.builder().key(null).size(1).build();"),
        }
    )
    assert calls(index, EdgeKind.ACCESSES_FIELD) == {
        "Use.run -> Row.key@5",
        "Use.run -> Row.size@6",
    }
    assert calls(index) == {"Use.run -> Row@3"}
    assert index.unresolved() == set()


def test_a_getter_that_is_written_comes_before_the_generated_one() -> None:
    index = linked(
        {
            **row("@Data", "  private Key key;\n  public Key getKey() { return key; }"),
            **use("row.getKey();"),
        }
    )
    assert calls(index) == {"Use.run -> Row.getKey@6"}


def test_a_call_of_a_field_is_none_of_its_generated_getter() -> None:
    index = linked({**row("@Data", "  private Key key;\n  void run() { key(); }")})
    assert calls(index, EdgeKind.ACCESSES_FIELD) == set()
    assert index.unresolved() == {"key ? a/Row.java:Row.key"}


def test_the_logger_that_an_annotation_adds_is_from_outside() -> None:
    index = linked(
        {
            "a/Log.java": "package a;\nclass Log { void info(String text) {} }\n",
            "a/Use.java": 'package a;\nimport lombok.extern.slf4j.Slf4j;\n@Slf4j class Use { void run() { log.info(""); } }\n',
        }
    )
    assert calls(index) == set()
    assert index.unresolved() == set()
