"""Source text of symbols, cut from the very bytes that were indexed."""

from __future__ import annotations

from sonde.model import SymbolRecord
from sonde.store.index import Index
from sonde.store.source import Stale


class Sources:
    """Reads each file once for one answer, and notes those that changed meanwhile."""

    def __init__(self, index: Index) -> None:
        self._index = index
        self._files: dict[str, bytes | Stale] = {}

    @property
    def stale(self) -> list[str]:
        """Files whose indexed text is gone, by path."""
        return sorted(path for path, data in self._files.items() if isinstance(data, Stale))

    def text(self, symbol: SymbolRecord) -> str:
        """The symbol's text; empty when the file is another one by now."""
        data = self._files.get(symbol.file)
        if data is None:
            data = self._files[symbol.file] = self._index.source_bytes(symbol.file)
        if isinstance(data, Stale):
            return ""
        start = symbol.start_byte
        margin = data.rfind(b"\n", 0, start) + 1
        if not data[margin:start].strip():
            start = margin  # with its indentation the first line stands as in the file
        return data[start : symbol.end_byte].decode("utf-8", "replace")
