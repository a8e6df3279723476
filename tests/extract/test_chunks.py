from __future__ import annotations

import pytest

from sonde.extract import extract
from sonde.extract.chunks import Piece, pieces_of
from sonde.extract.prose import WINDOW_BYTES

SOURCE = """\
import os
from shelves import (
    Shelf,
    Board,
)

A = 1


# Keeps things.
class Store:
    size = 0

    # One thing.
    def read(self, key):
        return os.fspath(self.data[key])

    def write(self, key, value): ...


def open_store():
    return Shelf(Store())
"""


def chunks(path: str, language: str, text: str) -> list[Piece]:
    data = text.encode()
    return list(pieces_of(extract(path, language, data), data))


def named(found: list[Piece], name: str) -> Piece:
    return next(each for each in found if each.title == name)


def test_functions_come_first_then_types_then_statements() -> None:
    assert [(c.kind, c.title) for c in chunks("store.py", "python", SOURCE)] == [
        ("function", "Store.read"),
        ("function", "Store.write"),
        ("function", "open_store"),
        ("class", "Store"),
        ("statements", "store"),
    ]


def test_a_method_carries_the_imports_it_uses_its_owner_and_its_signature() -> None:
    found = chunks("store.py", "python", SOURCE)
    assert named(found, "Store.read").context.split("\n") == [
        "import os",
        "class Store",
        "def read(self, key)",
    ]
    assert named(found, "open_store").context.split("\n") == [
        "from shelves import ( Shelf, Board, )",
        "def open_store()",
    ]


def test_a_class_is_its_own_lines_and_the_signatures_of_its_members() -> None:
    store = named(chunks("store.py", "python", SOURCE), "Store")
    assert store.text.split("\n") == [
        "# Keeps things.",
        "class Store:",
        "    size = 0",
        "",
        "    def read(self, key) …",
        "",
        "    def write(self, key, value) …",
    ]
    assert (store.start_line, store.end_line) == (10, 18)


def test_a_comment_above_a_definition_belongs_to_it() -> None:
    read = named(chunks("store.py", "python", SOURCE), "Store.read")
    assert read.text.startswith("    # One thing.\n    def read")
    assert read.start_line == 14


def test_what_is_nested_in_a_short_function_stays_there() -> None:
    found = chunks("a.py", "python", "def outer():\n    def inner():\n        pass\n    return 1\n")
    assert [c.title for c in found] == ["outer"]
    assert "def inner" in found[0].text


def test_a_long_function_is_divided_and_its_inner_functions_are_chunks() -> None:
    body = "".join(f"    number_{at} = compute(number_{at - 1})\n" for at in range(1, 200))
    inner = "    def inner():\n        return 1\n"
    found = chunks("a.py", "python", f"def outer(number_0):\n{inner}{body}")
    assert {c.title for c in found} == {"outer", "outer.inner"}
    parts = [c for c in found if c.title == "outer"]
    assert len(parts) > 1
    assert all(len(part.text) <= WINDOW_BYTES for part in parts)
    assert all(part.context == "def outer(number_0)" for part in parts)
    assert "    def inner() …" in parts[0].text
    assert [p.start_line for p in parts[1:]] == [p.end_line + 1 for p in parts[:-1]]


def test_methods_without_a_body_stay_in_their_interface() -> None:
    text = "interface Store {\n    String read(String key);\n    void write(String key);\n}\n"
    (found,) = chunks("Store.java", "java", text)
    assert found.kind == "class"
    assert "String read(String key);" in found.text


def test_a_definition_that_begins_on_the_line_where_another_ends_loses_nothing() -> None:
    text = "function a() {\n  return 1;\n} function b() {\n  return 2;\n}\n"
    found = chunks("a.js", "javascript", text)
    assert [(c.title, c.start_line, c.end_line) for c in found] == [("a", 1, 3), ("b", 4, 5)]


def test_a_go_method_names_the_type_that_owns_it() -> None:
    text = 'package a\n\nimport "fmt"\n\nfunc (s *Store) Read() {\n\tfmt.Println(s)\n}\n'
    read = named(chunks("a.go", "go", text), "Store.Read")
    assert read.context.split("\n") == ['import "fmt"', "Store", "func (s *Store) Read()"]


@pytest.mark.parametrize(
    ("path", "language", "text"),
    [
        ("a.md", "markdown", "intro\n\n# Title\n\ntext\n\n## Part\n\nmore\n"),
        ("a.json", "json", '{\n  "a": {"b": 1},\n  "c": [1, 2]\n}\n'),
        ("a.yml", "yaml", "# head\na: 1\nb:\n  c: 2\n"),
        ("a.yml", "yaml", "a:\n" + "  - an item of a list without keys\n" * 400),
        ("a.txt", "text", "é" * 9000),
        ("a.toml", "toml", 'x = "' + "é" * 9000 + '"\n'),
    ],
)
def test_no_line_of_text_or_configuration_is_lost(path: str, language: str, text: str) -> None:
    found = chunks(path, language, text)
    assert all(len(c.text.encode()) <= WINDOW_BYTES for c in found)
    assert not any("�" in c.text for c in found)
    shown = "\n".join(c.text for c in found)
    assert [line for line in text.split("\n") if line[:9].strip("{} ") not in shown] == []
    assert shown.count("é") >= text.count("é")
    assert shown.count("item") >= text.count("item")


def test_a_minified_file_is_divided_without_its_only_line_as_context() -> None:
    text = 'import {a} from "a";' + "".join(
        f"function f{at}(){{return a({at})}}" for at in range(999)
    )
    found = chunks("a.js", "javascript", text)
    assert all(len(c.text) <= WINDOW_BYTES and len(c.context) < 1000 for c in found)
