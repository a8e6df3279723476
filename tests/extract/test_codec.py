from __future__ import annotations

from dataclasses import replace

import pytest
from test_python import SOURCE

from sonde.extract import extract
from sonde.extract.codec import decode, encode
from sonde.extract.packing import (
    pack_numbers,
    pack_parts,
    pack_rising,
    pack_texts,
    unpack_numbers,
    unpack_parts,
    unpack_rising,
    unpack_texts,
)
from sonde.extract.symbol_codec import (
    decode_outline,
    decode_symbols,
    encode_symbols,
)
from sonde.model import Kind, Param, Symbol


@pytest.mark.parametrize(
    ("path", "language", "text"),
    [
        ("client.py", "python", SOURCE),
        ("a.md", "markdown", "# T\n\n`name_of` it\n"),
        ("a.yml", "yaml", "a: 1\n"),
        ("empty.py", "python", ""),
    ],
)
def test_facts_survive_encoding(path: str, language: str, text: str) -> None:
    facts = extract(path, language, text.encode())
    assert decode(encode(facts)) == facts


def test_linking_gets_all_but_what_is_shown_of_symbols() -> None:
    facts = extract("client.py", "python", SOURCE.encode())
    hidden = {
        "end_line": 0,
        "start_byte": 0,
        "end_byte": 0,
        "signature": "",
        "doc": "",
        "decorators": (),
    }
    symbols = tuple(each._replace(**hidden) for each in facts.symbols)
    assert decode(encode(facts), shown=False) == replace(facts, symbols=symbols)


def test_same_facts_give_the_same_bytes() -> None:
    facts = extract("client.py", "python", SOURCE.encode())
    assert encode(facts) == encode(extract("client.py", "python", SOURCE.encode()))


@pytest.mark.parametrize(
    "texts", [[], [""], ["", ""], ["a"], ["a\0b", "c"], ["\0"], ["é", "", "a\nb"]]
)
def test_any_texts_come_back(texts: list[str]) -> None:
    assert list(unpack_texts(pack_texts(texts))) == texts


@pytest.mark.parametrize(
    "rows",
    [[], [()], [(), ()], [("a",), ()], [("",), ("b",)], [("", "")], [("a\x1fb",)], [("a\0",)]],
)
def test_any_parts_come_back(rows: list[tuple[str, ...]]) -> None:
    assert list(unpack_parts(pack_parts(rows))) == rows


@pytest.mark.parametrize("numbers", [[], [0], [3, 255], [256, 1], [70_000, 2], [5, -1, 9]])
def test_any_numbers_come_back(numbers: list[int]) -> None:
    assert list(unpack_numbers(pack_numbers(numbers))) == numbers
    assert list(unpack_rising(pack_rising(numbers))) == numbers


def test_symbols_come_back_whatever_they_are_called_and_whoever_owns_them() -> None:
    symbols = (
        Symbol("m", "m", Kind.MODULE, 1, 9, 0, 90),
        Symbol("late", "Owner.late", Kind.METHOD, 2, 3, 9, 20, 2, owner="Owner"),
        Symbol("Owner", "Owner", Kind.CLASS, 1, 9, 0, 90, 0, bases=("A", "B")),
        Symbol("in", "Owner.in", Kind.METHOD, 4, 5, 30, 40, 2, params=(Param("a\0", "", "\x1f"),)),
        Symbol("odd", "elsewhere.odd", Kind.FIELD, 4, 4, 30, 35, 3, "odd = 1", "Doc.", ("d",)),
    )
    encoded = encode_symbols(symbols)
    assert decode_symbols(encoded) == symbols
    outline = decode_outline(encoded)
    assert list(outline.qualnames) == [symbol.qualname for symbol in symbols]
    assert list(outline.bases) == [symbol.bases for symbol in symbols]
