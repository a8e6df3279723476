"""The symbols of one file as questions see them."""

from __future__ import annotations

from typing import Any

from sonde.extract.symbol_codec import EncodedSymbols
from sonde.model import FileKind, SymbolRecord
from sonde.store.symbol_columns import SymbolColumns
from sonde.store.symbol_table import symbol_ids

_FILE_KIND = {kind.value: kind for kind in FileKind}


class FileSymbols:
    """One file's symbols, from the columns of its rows."""

    __slots__ = ("_place", "ids", "symbols")

    def __init__(
        self,
        path: str,
        language: str,
        kind: str,
        first: int,
        count: int,
        ids: bytes | None,
        places: bytes,
        texts: bytes,
    ) -> None:
        self.ids = symbol_ids(first, count, ids)
        self.symbols = SymbolColumns(EncodedSymbols(places, texts))
        self._place = (path, language, _FILE_KIND[kind])

    def record(self, id: int) -> SymbolRecord:
        """The one with that id."""
        first, parent, others = self.symbols.parts(self.ids.index(id))
        around = self.ids[parent] if parent >= 0 else 0
        fields: tuple[Any, ...] = (id, *self._place, *first, around, *others)
        return SymbolRecord(*fields)

    def named(self, name: str) -> list[int]:
        """Those of that name, in order of appearance."""
        return [self.ids[at] for at in self.symbols.named(name)]

    def qualname(self, id: int) -> str:
        """The qualified name of the one with that id."""
        return self.symbols.qualname(self.ids.index(id))

    def members(self, id: int) -> list[int]:
        """Those directly inside another."""
        return [self.ids[at] for at in self.symbols.inside(self.ids.index(id))]
