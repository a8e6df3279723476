"""Records of stored symbols read most of themselves late, and nobody can tell."""

from __future__ import annotations

import copy
import pickle
from dataclasses import FrozenInstanceError, replace

import pytest

from sonde.extract.symbol_codec import encode_symbols
from sonde.model import FileKind, Kind, Param, Symbol, SymbolRecord
from sonde.store.file_symbols import FileSymbols

SIGNATURE, DOC, TAKEN = "def add(self, item)", "Put it in.", (Param("item", "Item"),)
PLACE = ("add", "Cart.add", Kind.METHOD, 4, 5, 30, 60)
SYMBOLS = (
    Symbol("shop", "shop", Kind.MODULE, 1, 9, 0, 90),
    Symbol("Cart", "Cart", Kind.CLASS, 2, 9, 10, 90, 0, "class Cart", "A basket."),
    Symbol(*PLACE, 1, SIGNATURE, DOC, ("logged",), "private", TAKEN, "None"),
)
STORED = (9, "shop.py", "python", FileKind.SOURCE)
PLAIN = SymbolRecord(*STORED, *PLACE, 8, SIGNATURE, DOC, "private", ("logged",), "None", TAKEN)


def stored(id: int) -> SymbolRecord:
    encoded = encode_symbols(SYMBOLS)
    return FileSymbols(
        "shop.py", "python", "source", 7, len(SYMBOLS), None, encoded.places, encoded.texts
    ).record(id)


def test_a_stored_symbol_equals_the_plain_record_of_the_same_parts() -> None:
    plain = copy.copy(PLAIN)
    assert stored(9) == plain
    assert plain == stored(9)
    assert hash(stored(9)) == hash(plain)
    assert stored(9) == stored(9)
    assert stored(8) != plain
    assert plain != stored(8)
    assert stored(9) != "add"
    assert (stored(7).parent, stored(8).parent) == (0, 7)


def test_a_copy_is_a_plain_record() -> None:
    for made in (
        copy.copy(stored(9)),
        copy.deepcopy(stored(9)),
        pickle.loads(pickle.dumps(stored(9))),
    ):
        assert type(made) is SymbolRecord
        assert made == PLAIN
    assert replace(stored(9), name="put") == replace(PLAIN, name="put")
    assert repr(stored(9)) == repr(PLAIN)


def test_a_stored_symbol_cannot_be_changed() -> None:
    with pytest.raises(FrozenInstanceError):
        stored(9).name = "put"  # type: ignore[misc]
