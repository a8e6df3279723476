from __future__ import annotations

from sonde.extract import extract
from sonde.extract.chunks import code_chunks

SOURCE = b"""\
import os

A = 1


class Store:
    def read(self, key):
        return self.data[key]

    def write(self, key, value): ...


def open_store(): ...
"""


def test_functions_come_first_then_types_then_statements() -> None:
    chunks = code_chunks(extract("store.py", "python", SOURCE), SOURCE)
    assert [(c.kind, c.title) for c in chunks] == [
        ("function", "Store.read"),
        ("function", "Store.write"),
        ("function", "open_store"),
        ("class", "Store"),
        ("statements", "store"),
    ]


def test_a_method_carries_imports_owner_and_signature_as_context() -> None:
    read = code_chunks(extract("store.py", "python", SOURCE), SOURCE)[0]
    assert read.context.split("\n") == ["import os", "class Store", "def read(self, key)"]


def test_a_class_carries_the_signatures_of_its_members() -> None:
    store = code_chunks(extract("store.py", "python", SOURCE), SOURCE)[3]
    assert "def write(self, key, value)" in store.context


def test_text_keeps_the_chunks_of_its_facts() -> None:
    data = b"# Title\n\ntext\n"
    facts = extract("a.md", "markdown", data)
    assert code_chunks(facts, data) == facts.chunks
