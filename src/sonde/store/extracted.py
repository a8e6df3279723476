"""What a worker hands to the writer. Apart, so that workers need not load the full-text engine."""

from __future__ import annotations

from typing import Any, NamedTuple

from sonde.store.symbol_table import Described


class Extracted(NamedTuple):
    """What a worker made of one file: its values travel by marshal."""

    hash: bytes
    size: int
    mtime_ns: int  # 0 when the file was too fresh to be trusted
    encoded: bytes | None  # facts, or None when the store has them already
    package: str
    symbols: Described
    documents: list[tuple[str, ...]]
    chunks: list[tuple[Any, ...]]
    chunk_documents: list[tuple[str, ...]]
    imports: bytes | None
    contracts: list[tuple[str, int, str]]  # word, position of the interface, its methods
    manifest: str | None  # the text, when linking reads it as a manifest

    def plain(self) -> tuple[Any, ...]:
        """The values as marshal takes them."""
        return tuple(self._replace(symbols=tuple(self.symbols)))  # type: ignore[arg-type]

    @staticmethod
    def of(plain: tuple[Any, ...]) -> Extracted:
        """From what `plain` gave."""
        found = Extracted(*plain)
        return found._replace(symbols=Described(*found.symbols))
