"""Symbols as questions read them are those that were stored, whatever they are called."""

from __future__ import annotations

import pytest

from sonde.extract.symbol_codec import encode_symbols
from sonde.model import Kind, Param, Symbol
from sonde.store.symbol_columns import SymbolColumns

PLAIN = (
    Symbol("m", "m", Kind.MODULE, 1, 9, 0, 90),
    Symbol("Owner", "Owner", Kind.CLASS, 1, 9, 0, 90, 0, bases=("A", "B")),
    Symbol("in", "Owner.in", Kind.METHOD, 4, 5, 30, 40, 1, params=(Param("a", "int", ""),)),
    Symbol("n", "Owner.in.n", Kind.FIELD, 4, 4, 30, 35, 2, "n = 1", "Doc.", ("d", "e")),
    Symbol("in", "Owner.in", Kind.METHOD, 6, 7, 50, 60, 1, returns="str", visibility="private"),
    Symbol("late", "Elsewhere.late", Kind.METHOD, 8, 9, 70, 80, 0, owner="Elsewhere"),
)
UNICODE = (
    Symbol("modul", "modul", Kind.MODULE, 1, 9, 0, 90, doc="Größe 😀"),
    Symbol("größe", "größe", Kind.FUNCTION, 300, 70_000, 5, 80_000, 0, "def größe()", "Zahl"),
)
REPEATED = tuple(
    Symbol(name, name, Kind.FUNCTION, 1, 1, 0, 1) for name in ("a", "a", "ab", "a", "b", "a")
)
MARKED = (
    Symbol("a\0b", "a\0b", Kind.MODULE, 1, 9, 0, 90),
    Symbol("b", "b", Kind.FUNCTION, 2, 3, 9, 20, 0, params=(Param("a\0", "", "\x1f"),)),
    Symbol("c", "c", Kind.FUNCTION, 2, 3, 9, 20, 0, decorators=("",)),
)


@pytest.mark.parametrize("symbols", [PLAIN, UNICODE, MARKED, PLAIN[:1]])
def test_symbols_come_back(symbols: tuple[Symbol, ...]) -> None:
    columns = SymbolColumns(encode_symbols(symbols))
    for at, each in enumerate(symbols):
        lines = (each.start_line, each.end_line)
        assert columns.outline(at) == (each.name, each.qualname, each.kind, *lines, each.doc)
        assert columns.parent(at) == each.parent
        assert columns.bytes(at) == (each.start_byte, each.end_byte)
        assert columns.signature(at) == each.signature
        assert columns.visibility(at) == each.visibility
        assert columns.decorators(at) == each.decorators
        assert columns.returns(at) == each.returns
        assert columns.params(at) == each.params
        assert columns.qualname(at) == each.qualname
        assert columns.inside(at) == [
            place for place, other in enumerate(symbols) if other.parent == at
        ]
    assert columns.names == [each.name for each in symbols]
    assert columns.kinds == [each.kind for each in symbols]


@pytest.mark.parametrize("symbols", [PLAIN, UNICODE, MARKED, REPEATED, PLAIN[:1]])
def test_all_symbols_of_a_name_are_found_and_no_others(symbols: tuple[Symbol, ...]) -> None:
    columns = SymbolColumns(encode_symbols(symbols))
    names = [each.name for each in symbols]
    for name in [*names, "i", "Own", "", "a", "größ"]:
        assert columns.named(name) == [at for at, each in enumerate(names) if each == name]
