"""The symbols of one file as questions see them."""

from __future__ import annotations

from sonde.extract.symbol_codec import EncodedSymbols, SymbolColumns
from sonde.model import FileKind, SymbolRecord
from sonde.store.rows import record
from sonde.store.symbol_table import symbol_ids

_FILE_KIND = {kind.value: kind for kind in FileKind}


class FileSymbols:
    """One file's symbols, from the columns of its rows."""

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
        symbol = self.symbols[self.ids.index(id)]
        parent = self.ids[symbol.parent] if symbol.parent >= 0 else 0
        return record(symbol, id, parent, *self._place)

    def members(self, id: int) -> list[int]:
        """Those directly inside another."""
        outer = self.ids.index(id)
        parents = self.symbols.places.parents
        return [id for id, parent in zip(self.ids, parents, strict=True) if parent == outer]
