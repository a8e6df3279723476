"""The symbols of each file as one row, and the tables they are looked up by."""

from __future__ import annotations

import sqlite3
from array import array
from collections.abc import Iterable, Sequence
from operator import itemgetter
from typing import Any, NamedTuple

from sonde.extract.packing import pack_rising, packed, unpack_rising, unpacked
from sonde.extract.symbol_codec import EncodedSymbols, decode_outline
from sonde.link.similarity import Sketch

SketchRow = tuple[int, int, bytes]  # bucket, position of the symbol, words
_LOOKUPS = {"names": ("name", "id"), "owners": ("owner", "file"), "buckets": ("bucket", "file")}
_INSERT = "INSERT INTO {} VALUES (?, ?)"
_DELETE = "DELETE FROM {} WHERE {} = ? AND {} = ?"


class Described(NamedTuple):
    """What a worker says about the symbols of one file, fit for marshal."""

    kinds: bytes  # indexes into `rows.KINDS`
    names: tuple[str, ...]
    owners: tuple[str, ...]  # types with members that are written outside of them
    places: bytes
    texts: bytes
    sketches: bytes | None
    buckets: tuple[int, ...]


def pack_sketches(rows: Sequence[SketchRow]) -> bytes | None:
    """The sketches of a file as one value; None when there are none."""
    if not rows:
        return None
    buckets, positions, words = zip(*rows, strict=True)
    return packed((array("i", buckets).tobytes(), pack_rising(positions), b"".join(words)))


def unpack_sketches(data: bytes | None, ids: Sequence[int]) -> list[tuple[int, Sketch]]:
    """The buckets and sketches of a file whose symbols have these ids."""
    if data is None:
        return []
    numbers, positions, words = unpacked(data)
    buckets = array("i", numbers)
    width = len(words) // len(buckets)
    starts = range(0, len(words), width)
    return [
        (bucket, Sketch(ids[position], words[start : start + width]))
        for bucket, position, start in zip(buckets, unpack_rising(positions), starts, strict=True)
    ]


def symbol_ids(first: int, count: int, ids: bytes | None) -> Sequence[int]:
    """The ids of a file's symbols from the columns of its row."""
    return range(first, first + count) if ids is None else array("i", ids)


def ids_of(database: sqlite3.Connection, file: int) -> Sequence[int]:
    """The ids of a file's symbols, in the order of its facts."""
    row = database.execute(
        "SELECT first, count, ids FROM symbols WHERE file = ?", (file,)
    ).fetchone()
    return () if row is None else symbol_ids(*row)


def encoded_of(database: sqlite3.Connection, file: int) -> EncodedSymbols:
    """The symbols of a file as they were stored."""
    row = database.execute("SELECT places, texts FROM symbols WHERE file = ?", (file,)).fetchone()
    return EncodedSymbols(*(row or (b"", b"")))


class SymbolWriter:
    """Stores the symbols of files.

    While many files are stored, what they are looked up by is held back and then written in
    order: in half the time, and denser.
    """

    def __init__(self, database: sqlite3.Connection) -> None:
        self._database = database
        self._held: dict[str, set[tuple[Any, int]]] | None = None

    def hold(self) -> None:
        """Hold back lookups from now on, those that are there already included."""
        if self._held is None:
            self._held = {}
            for table in _LOOKUPS:
                rows = self._database.execute(f"SELECT * FROM {table}")
                self._held[table] = {(key, number) for key, number in rows}

    def release(self) -> None:
        """Write all lookups that were held back, and hold back no more."""
        holding, self._held = self._held or {}, None
        for table, held in holding.items():
            self._database.execute(f"DELETE FROM {table}")
            rows = sorted(held, key=itemgetter(1))
            rows.sort(key=_folded)  # numbers and texts apart, in half the time of comparing pairs
            self._database.executemany(_INSERT.format(table), rows)

    def put(self, file: int, ids: Sequence[int], found: Described) -> None:
        """Store the symbols of a file that has none."""
        together = not ids or list(ids) == list(range(ids[0], ids[0] + len(ids)))
        others = None if together else array("i", ids).tobytes()
        first = ids[0] if ids else 0
        self._database.execute(
            "INSERT INTO symbols VALUES (?, ?, ?, ?, ?, ?, ?)",
            (file, first, len(ids), others, found.places, found.texts, found.sketches),
        )
        for table, rows in _lookups(file, ids, found.names, found.owners, found.buckets):
            if self._held is not None:
                self._held[table].update(rows)
            else:
                self._database.executemany(_INSERT.format(table), rows)

    def remove(self, file: int) -> None:
        """Remove the symbols of a file."""
        row = self._database.execute(
            "SELECT first, count, ids, places, texts, sketches FROM symbols WHERE file = ?", (file,)
        ).fetchone()
        if row is None:
            return
        *numbers, places, texts, sketches = row
        ids = symbol_ids(*numbers)
        outline = decode_outline(EncodedSymbols(places, texts))
        buckets = [bucket for bucket, _ in unpack_sketches(sketches, ids)]
        for table, rows in _lookups(file, ids, outline.names, outline.owners, buckets):
            if self._held is not None:
                self._held[table].difference_update(rows)
            else:
                self._database.executemany(_DELETE.format(table, *_LOOKUPS[table]), rows)
        self._database.execute("DELETE FROM symbols WHERE file = ?", (file,))


def _lookups(
    file: int,
    ids: Sequence[int],
    names: Iterable[str],
    owners: Iterable[str],
    buckets: Iterable[int],
) -> tuple[tuple[str, list[tuple[Any, int]]], ...]:
    """The rows that lead to the symbols of a file, by table."""
    return (
        ("names", list(zip(names, ids, strict=True))),
        ("owners", [(owner, file) for owner in dict.fromkeys(owners) if owner]),
        ("buckets", [(bucket, file) for bucket in dict.fromkeys(buckets)]),
    )


def _folded(row: tuple[Any, int]) -> Any:
    """The order of rows before that of their numbers, nearly as in the tables."""
    return row[0].lower() if isinstance(row[0], str) else row[0]
