"""Source text of symbols, sliced from exactly the bytes that were indexed."""

from __future__ import annotations

from sonde.model import SymbolRecord
from sonde.store.index import Index
from sonde.store.source import Stale


class Sources:
    """Reads each file once per answer, and notes the files that have changed meanwhile."""

    def __init__(self, index: Index) -> None:
        self._index = index
        self._files: dict[str, bytes | Stale] = {}

    @property
    def stale(self) -> list[str]:
        """Files whose indexed text is gone, by path."""
        return sorted(path for path, data in self._files.items() if isinstance(data, Stale))

    def text(self, symbol: SymbolRecord) -> str:
        """The symbol's text; empty if the file has changed since."""
        data = self._files.get(symbol.file)
        if data is None:
            data = self._files[symbol.file] = self._index.source_bytes(symbol.file)
        if isinstance(data, Stale):
            return ""
        start = symbol.start_byte
        margin = data.rfind(b"\n", 0, start) + 1
        if not data[margin:start].strip():
            start = margin  # keep the first line's indentation, as in the file
        return data[start : symbol.end_byte].decode("utf-8", "replace")
