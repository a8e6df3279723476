"""What a worker hands to the writer. Apart, so that workers need not load the full-text engine."""

from __future__ import annotations

from typing import Any, NamedTuple

from sonde.store.rows import SymbolRow


class Extracted(NamedTuple):
    """What a worker made of one file: plain values only, so that they travel by marshal."""

    hash: bytes
    size: int
    mtime_ns: int  # 0 when the file was too fresh to be trusted
    encoded: bytes | None  # facts, or None when the store has them already
    package: str
    symbols: list[SymbolRow]
    documents: list[tuple[str, ...]]
    chunks: list[tuple[Any, ...]]
    chunk_documents: list[tuple[str, ...]]
    imports: bytes | None
    sketches: list[tuple[int, int, bytes]]  # bucket, position of the symbol, words
    contracts: list[tuple[str, int, str]]  # word, position of the interface, its methods
    manifest: str | None  # the text, when linking reads it as a manifest
