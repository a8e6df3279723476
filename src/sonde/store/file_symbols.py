"""The symbols of one file as questions see them."""

from __future__ import annotations

from sonde.extract.packing import part_of
from sonde.extract.symbol_codec import VISIBILITIES, EncodedSymbols, SymbolColumns, params_of
from sonde.model import FileKind, SymbolRecord
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
        at = self.ids.index(id)
        symbols, places = self.symbols, self.symbols.places
        parent = places.parents[at]
        return SymbolRecord(
            id,
            *self._place,
            symbols.names[at],
            symbols.qualnames[at],
            symbols.kind(at),
            places.start_lines[at],
            places.end_lines[at],
            places.start_bytes[at],
            places.end_bytes[at],
            self.ids[parent] if parent >= 0 else 0,
            symbols.signatures[at],
            symbols.docs[at],
            VISIBILITIES[places.visibilities[at]],
            part_of(symbols.decorators[at]),
            symbols.returns[at],
            params_of(symbols.params[at]),
        )

    def members(self, id: int) -> list[int]:
        """Those directly inside another."""
        outer = self.ids.index(id)
        parents = self.symbols.places.parents
        return [id for id, parent in zip(self.ids, parents, strict=True) if parent == outer]
