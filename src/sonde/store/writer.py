"""The write side of the index's tables and full text, inside one transaction."""

from __future__ import annotations

import sqlite3
from array import array
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from sonde.extract.symbol_codec import EncodedSymbols, decode_outline
from sonde.meaning.encode import encode_documents
from sonde.model import CALLABLE_KINDS, TYPE_KINDS, FileKind, SkippedFile, SourceFile
from sonde.store.database import meta, set_meta
from sonde.store.extracted import Extracted
from sonde.store.fulltext import FullTextWriter
from sonde.store.links import LinkRow
from sonde.store.rows import FILE_KIND, KIND_NUMBER, identities
from sonde.store.symbol_table import SymbolWriter, encoded_of, ids_of

_MEANT = frozenset(KIND_NUMBER[kind] for kind in CALLABLE_KINDS | TYPE_KINDS)
# Files whose vectors are made together: in a row the numbers take little more than half the time
# that they take between other work on each file.
_TOGETHER = 64
_SELECT_STORED = (
    "SELECT id, path, language, kind, package, module, hash FROM files WHERE module != 0"
)


class StoredFile(NamedTuple):
    """A file row as far as a writer needs it."""

    id: int
    path: str
    language: str
    kind: FileKind
    package: str
    module: int
    hash: bytes


def _stored_file(row: Sequence[Any]) -> StoredFile:
    id, path, language, kind, package, module, hash = row
    return StoredFile(id, path, language, FILE_KIND[kind], package, module, hash)


class Writer:
    """Stores files, skips and links; the caller opens and commits the transaction."""

    def __init__(self, database: sqlite3.Connection, fulltext: FullTextWriter) -> None:
        self._database = database
        self.fulltext = fulltext
        self.symbols = SymbolWriter(database)
        self._next_symbol = meta(database, "next_symbol", 1)
        self._next_file = meta(database, "next_file", 1)
        self._next_chunk = meta(database, "next_chunk", 1)
        self._meant: dict[int, tuple[bytes, list[tuple[str, ...]]]] = {}

    def stored(self, path: str) -> StoredFile | None:
        """The indexed file at a path."""
        row = self._database.execute(f"{_SELECT_STORED} AND path = ?", (path,)).fetchone()
        return None if row is None else _stored_file(row)

    def stored_by_id(self, ids: Iterable[int]) -> list[StoredFile]:
        """Some indexed files, by path."""
        rows = (
            self._database.execute(f"{_SELECT_STORED} AND id = ?", (id,)).fetchone() for id in ids
        )
        return sorted((_stored_file(row) for row in rows if row), key=lambda file: file.path)

    def indexed_files(self) -> list[StoredFile]:
        """All indexed files, by path."""
        rows = self._database.execute(f"{_SELECT_STORED} ORDER BY path")
        return [_stored_file(row) for row in rows]

    def symbol_ids(self, file: int) -> Sequence[int]:
        """The ids of a file's symbols, in the order of its facts."""
        return ids_of(self._database, file)

    def chunk_ids(self, file: int) -> list[int]:
        """The numbers of a file's chunks, in the order of its facts."""
        rows = self._database.execute("SELECT id FROM chunks WHERE file = ? ORDER BY id", (file,))
        return [id for (id,) in rows]

    def put_file(self, file: SourceFile, found: Extracted, generation: int) -> StoredFile:
        """Replace all that is known of a file but its links; symbols that stay keep their ids."""
        row = self._database.execute("SELECT id FROM files WHERE path = ?", (file.path,)).fetchone()
        ids: Sequence[int]
        if row is None:
            id = self._next_file
            self._next_file += 1
            ids = self._new_symbols(len(found.symbols.kinds))
        else:
            id = row[0]
            ids = self._kept_symbols(id, found)
            self._clear(id)
        module = ids[0] if ids else 0
        self._database.execute(
            "INSERT OR REPLACE INTO files VALUES (?,?,?,?,?,?,?,NULL,NULL,?,?,?,?)",
            (
                id,
                file.path,
                file.language,
                file.kind.value,
                found.size,
                found.mtime_ns,
                found.hash,
                found.package,
                module,
                generation,
                found.imports,
            ),
        )
        self.symbols.put(id, ids, found.symbols)
        if found.contracts:
            self._database.executemany(
                "INSERT INTO contracts VALUES (?, ?, ?, ?)",
                [(word, id, ids[position], methods) for word, position, methods in found.contracts],
            )
        self._put_text(id, file.path, ids, found)
        if file.kind is FileKind.SOURCE:
            self._put_vectors(id, ids, found)
        if found.manifest is not None:
            self._database.execute(
                "INSERT OR REPLACE INTO manifests VALUES (?, ?)", (file.path, found.manifest)
            )
        return StoredFile(
            id, file.path, file.language, file.kind, found.package, module, found.hash
        )

    def _kept_symbols(self, file: int, found: Extracted) -> list[int]:
        """An id for each symbol of a known file; those that stay keep theirs."""
        old = identities(decode_outline(encoded_of(self._database, file)))
        kept = dict(zip(old, self.symbol_ids(file), strict=True))
        new = decode_outline(EncodedSymbols(found.symbols.places, found.symbols.texts))
        wanted = [kept.get(identity) for identity in identities(new)]
        fresh = iter(self._new_symbols(wanted.count(None)))
        return [next(fresh) if id is None else id for id in wanted]

    def _new_symbols(self, count: int) -> range:
        self._next_symbol += count
        return range(self._next_symbol - count, self._next_symbol)

    def _put_vectors(self, file: int, ids: Sequence[int], found: Extracted) -> None:
        """Vectors of the functions and types of a file, made for several files together."""
        meant = [at for at, kind in enumerate(found.symbols.kinds) if kind in _MEANT]
        if meant:
            symbols = array("i", [ids[at] for at in meant]).tobytes()
            self._meant[file] = (symbols, [found.documents[at] for at in meant])
        if len(self._meant) >= _TOGETHER:
            self._encode()

    def _encode(self) -> None:
        """Write the vectors of the files that wait for them."""
        rows = [
            (file, symbols, encode_documents(documents).tobytes())
            for file, (symbols, documents) in self._meant.items()
        ]
        self._meant.clear()
        self._database.executemany("INSERT INTO vectors VALUES (?, ?, ?)", rows)

    def _put_text(self, file: int, path: str, ids: Sequence[int], found: Extracted) -> None:
        self.fulltext.add(file, path, zip(ids, found.documents, strict=True))
        if not found.chunks:
            return
        first = self._next_chunk
        self._next_chunk += len(found.chunks)
        numbers = range(first, self._next_chunk)
        self._database.executemany(
            "INSERT INTO chunks VALUES (?,?,?,?,?,?,?,?,?)",
            [(number, file, *row) for number, row in zip(numbers, found.chunks, strict=True)],
        )
        documents = zip(numbers, found.chunk_documents, strict=True)
        self.fulltext.add(file, path, documents, chunks=True)

    def put_skip(self, skip: SkippedFile, generation: int, file: SourceFile | None = None) -> None:
        """Note that a file is not indexed, and why; `file` when only its parser failed."""
        self.delete_file(skip.path)
        self._database.execute(
            "INSERT INTO files(id, path, language, kind, size, mtime_ns, skip, detail, generation)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                self._next_file,
                skip.path,
                file.language if file else "",
                (file.kind if file else FileKind.TEXT).value,
                skip.size,
                skip.mtime_ns,
                skip.reason.value,
                skip.detail,
                generation,
            ),
        )
        self._next_file += 1

    def delete_file(self, path: str) -> None:
        """Forget a file and everything that depends on it."""
        row = self._database.execute("SELECT id FROM files WHERE path = ?", (path,)).fetchone()
        if row is None:
            return
        self._clear(row[0])
        self._database.execute("DELETE FROM links WHERE file = ?", row)
        self._database.execute("DELETE FROM files WHERE id = ?", row)
        self._database.execute("DELETE FROM manifests WHERE path = ?", (path,))

    def _clear(self, file: int) -> None:
        self.symbols.remove(file)
        self._database.execute("DELETE FROM contracts WHERE file = ?", (file,))
        self._database.execute("DELETE FROM chunks WHERE file = ?", (file,))
        self._database.execute("DELETE FROM vectors WHERE file = ?", (file,))
        self._meant.pop(file, None)
        self.fulltext.delete(file)

    def touch(self, path: str, size: int, mtime_ns: int) -> None:
        """Note a new time of a file whose content is unchanged."""
        self._database.execute(
            "UPDATE files SET size = ?, mtime_ns = ? WHERE path = ?", (size, mtime_ns, path)
        )

    def put_links(self, rows: Iterable[tuple[int, LinkRow]]) -> None:
        """Replace the links of files."""
        self._database.executemany(
            "INSERT OR REPLACE INTO links VALUES (?, ?, ?, ?, ?)",
            ((file, *row) for file, row in rows),
        )

    def drop_links(self, files: Iterable[int]) -> None:
        """Forget the links of files."""
        self._database.executemany("DELETE FROM links WHERE file = ?", ((each,) for each in files))

    def finish(self) -> None:
        """Write what waits, and which ids were given out, so that none is ever used twice."""
        self._encode()
        set_meta(self._database, "next_symbol", self._next_symbol)
        set_meta(self._database, "next_file", self._next_file)
        set_meta(self._database, "next_chunk", self._next_chunk)

    @property
    def symbol_limit(self) -> int:
        """One more than the largest symbol id."""
        return self._next_symbol
