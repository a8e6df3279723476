"""The read side: one whole generation of a workspace's index."""

from __future__ import annotations

import os
import sqlite3
import time
from array import array
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cached_property, partial
from itertools import chain, groupby
from operator import itemgetter
from typing import Any

import numpy
from numpy.typing import NDArray

from sonde.lately import Lately
from sonde.link.links import Leaf
from sonde.model import EdgeKind, Kind, SkipReason, SymbolRecord, Unresolved
from sonde.store.database import (
    Unguarded,
    check_compressed,
    meta,
    open_for_reading,
    rest,
    store_errors,
    unlinked_files,
)
from sonde.store.errors import Problem, ProblemKind, StoreError, lacks_room
from sonde.store.facts import content_hash
from sonde.store.file_symbols import FileSymbols
from sonde.store.fulltext import FullText
from sonde.store.graph import Graph, check, load
from sonde.store.links import unpack_leaves, unpack_unresolved
from sonde.store.location import Workspace
from sonde.store.migrations import MIGRATIONS
from sonde.store.name_table import ids_exactly, names_beyond_ascii
from sonde.store.order import SymbolOrder
from sonde.store.records import ChunkRecord, FileRecord
from sonde.store.rows import FILE_KIND
from sonde.store.source import Stale, read_source
from sonde.store.status import Status, counted
from sonde.store.symbol_table import ids_of

_ATTEMPTS = 20  # attempts to open while a writer publishes one generation after another
_FILES = 2_000  # with their symbols, some 4 KB each


class Index:
    """One generation. It stays the same while a writer makes the next; reopen to see that one."""

    def __init__(
        self, workspace: Workspace, database: sqlite3.Connection, graph: Graph, fulltext: FullText
    ) -> None:
        self.workspace = workspace
        self.graph = graph
        self.fulltext = fulltext
        self.generation = meta(database, "generation")
        self.share = meta(database, "share_ppm", 0) / 1_000_000
        self._database = database
        self._symbols = Lately(_FILES, partial(_symbols_of, database))

    @staticmethod
    def open(workspace: Workspace) -> Index | Problem:
        """Open the newest generation; a `Problem` says why there is none."""
        try:
            with store_errors(workspace.database):
                return _open(workspace)
        except StoreError as error:
            return error.problem

    @property
    def guarded(self) -> bool:
        """Whether writers see that somebody reads it; else it is for one question only."""
        return not isinstance(self._database, Unguarded)

    def check(self) -> None:
        """Read all arrays and symbols; raises a `StoreError` if their bytes are damaged."""
        check(self.workspace.arrays / str(self.generation))
        with store_errors(self.workspace.database):
            for row in self._database.execute("SELECT places, texts FROM symbols WHERE count"):
                for data in row:
                    check_compressed(data, self.workspace.database)

    def rest(self) -> None:
        """Hold less until the next question."""
        self._symbols.rest()
        self.__dict__.pop("_names", None)  # of all symbols; few questions need it
        self.fulltext.rest()
        rest(self._database)

    def close(self) -> None:
        """Release the snapshot."""
        self._database.close()

    def records(self, ids: Iterable[int]) -> list[SymbolRecord]:
        """The symbols with these ids, in the order asked; unknown ids are left out."""
        homes, symbols = self.graph.columns.file, self._symbols
        known = list(ids)
        if not known:
            return []
        if min(known) < 0 or max(known) >= len(homes):
            known = [id for id in known if 0 <= id < len(homes)]
        files = homes[known].tolist()
        return [symbols[file].record(id) for id, file in zip(known, files, strict=True) if file]

    def qualnames(self, ids: Sequence[int]) -> list[str]:
        """The qualified names of symbols that exist."""
        files = self.graph.columns.file[ids].tolist() if ids else []
        return [self._symbols[file].qualname(id) for id, file in zip(ids, files, strict=True)]

    def record(self, id: int) -> SymbolRecord | None:
        """The symbol with that id."""
        file = self._home(id)
        return self._symbols[file].record(id) if file else None

    def _file_id(self, path: str) -> int:
        row = self._database.execute(
            "SELECT id FROM files WHERE path = ? AND module != 0", (path,)
        ).fetchone()
        return 0 if row is None else int(row[0])

    def ids_named(self, lower_name: str) -> list[int]:
        """Symbols of that name, whatever its case, by path and line."""
        if not lower_name.isascii():
            names = self._beyond_ascii.get(lower_name.lower(), ())
            return self.in_order(ids_exactly(self._database, names))
        rows = self._database.execute("SELECT id FROM names WHERE name = ?", (lower_name,))
        return self.in_order([id for (id,) in rows])

    @cached_property
    def _beyond_ascii(self) -> dict[str, list[str]]:
        return names_beyond_ascii(self._database)

    def named(self, names: Iterable[str]) -> list[tuple[str, int]]:
        """Symbols with exactly these names, each with its name, in no order."""
        wanted = set(names)
        marks = ",".join("?" * len(wanted))
        # the index of names ignores case, so it finds those of another case as well
        rows = self._database.execute(
            f"SELECT name, id FROM names WHERE name IN ({marks})", sorted(wanted)
        )
        return [(name, id) for name, id in rows if name in wanted]

    def in_order(
        self, ids: Sequence[int] | NDArray[numpy.int64], first: NDArray[Any] | None = None
    ) -> list[int]:
        """Symbols by path and position, an order that any index of the same files gives.

        By `first`, a value for each, before that.
        """
        return self._order.sorted(ids, first)

    @cached_property
    def _order(self) -> SymbolOrder:
        rows = self._database.execute("SELECT id FROM files ORDER BY path")
        return SymbolOrder([id for (id,) in rows], self.graph.columns, self._symbols)

    def ids_with_prefix(self, lower_prefix: str, limit: int) -> list[int]:
        """Symbols whose name starts with a text, shortest names first."""
        if not lower_prefix:
            return []
        if not lower_prefix.isascii():
            folded = [each for each in self._beyond_ascii if each.startswith(lower_prefix)]
            return self._ids_of(chain(*map(self._beyond_ascii.__getitem__, folded)), limit)
        end = lower_prefix[:-1] + chr(min(ord(lower_prefix[-1]) + 1, 0x10FFFF))
        rows = self._database.execute(
            "SELECT name, id FROM names WHERE name >= ? AND name < ?"
            " ORDER BY length(name), name COLLATE BINARY",
            (lower_prefix, end),
        )
        found: list[int] = []
        for name, same in groupby(rows, itemgetter(0)):
            if len(found) >= limit:
                break
            if name.lower().startswith(lower_prefix):  # "_" lies between "@" and "a"
                found += self.in_order([id for _, id in same])
        return found[:limit]

    def ids_containing(self, text: str, limit: int) -> list[int]:
        """Symbols with that text anywhere in their name, shortest names first."""
        lowered = text.lower()
        return self._ids_of((name for name in self.names() if lowered in name.lower()), limit)

    def _ids_of(self, names: Iterable[str], limit: int) -> list[int]:
        """Symbols with exactly these names, shortest names first."""
        found: list[int] = []
        for name in sorted(names, key=lambda name: (len(name), name))[:limit]:
            if len(found) >= limit:
                break
            found += self.in_order(ids_exactly(self._database, [name]))
        return found[:limit]

    def ids_qualified(self, qualname: str) -> list[int]:
        """Symbols with exactly that name inside their file, by path and line."""
        found = self.records(self.ids_named(qualname.rpartition(".")[2]))
        return [record.id for record in found if record.qualname == qualname]

    def ids_in_file(self, path: str) -> list[int]:
        """The symbols of a file, in order of appearance."""
        return list(ids_of(self._database, self._file_id(path)))

    def named_in(self, file: int, name: str) -> list[int]:
        """Symbols of that name in a file, in order of appearance."""
        return self._symbols[file].named(name)

    def members(self, id: int) -> list[int]:
        """The symbols directly inside another, in order of appearance."""
        homes = self.graph.columns.file
        if not 0 <= id < len(homes) or not homes[id]:
            return []
        return self._symbols[int(homes[id])].members(id)

    def names(self) -> list[str]:
        """Every distinct symbol name, sorted."""
        return self._names

    def names_of_lengths(self, shortest: int, longest: int) -> list[str]:
        """Every distinct symbol name of some lengths, sorted."""
        query = "SELECT name FROM names WHERE length(name) BETWEEN ? AND ?"
        return sorted({name for (name,) in self._database.execute(query, (shortest, longest))})

    def names_in(self, files: Collection[int], kinds: Collection[Kind]) -> list[str]:
        """The distinct names of symbols of some kinds in some files, sorted."""
        found: set[str] = set()
        for file in files:
            symbols = self._symbols[file].symbols
            each = zip(symbols.names, symbols.kinds, strict=True)
            found.update(name for name, kind in each if kind in kinds)
        return sorted(found)

    @cached_property
    def _names(self) -> list[str]:
        # A set in Python takes half the time of DISTINCT, which sorts in SQLite first.
        return sorted({name for (name,) in self._database.execute("SELECT name FROM names")})

    def files(self) -> list[FileRecord]:
        """All indexed files, by path."""
        return self._files("1 ORDER BY path", ())

    def file_record(self, path: str) -> FileRecord | None:
        """The indexed file at a path."""
        return next(iter(self._files("path = ?", (path,))), None)

    def _files(self, condition: str, values: Sequence[Any]) -> list[FileRecord]:
        rows = self._database.execute(
            "SELECT id, path, language, kind, size, hash, package, module, generation FROM files"
            f" WHERE skip IS NULL AND {condition}",
            values,
        )
        return [
            FileRecord(id, path, language, FILE_KIND[kind], size, hash, package, module, written)
            for id, path, language, kind, size, hash, package, module, written in rows
        ]

    def skipped(self) -> list[tuple[str, SkipReason, str]]:
        """Each file that is not indexed, with reason and details, by path."""
        rows = self._database.execute(
            "SELECT path, skip, detail FROM files WHERE skip IS NOT NULL ORDER BY path"
        )
        return [(path, SkipReason(reason), detail) for path, reason, detail in rows]

    def chunks(self, ids: Iterable[int]) -> list[ChunkRecord]:
        """Chunks of text files by id, in the order asked."""
        wanted = list(ids)
        rows = self._database.execute(
            "SELECT c.id, f.path, c.kind, c.title, c.start_line, c.end_line, c.start_byte,"
            " c.end_byte, c.context FROM chunks c JOIN files f ON f.id = c.file"
            f" WHERE c.id IN ({','.join('?' * len(wanted))})",
            wanted,
        )
        found = {row[0]: ChunkRecord(*row) for row in rows}
        return [found[id] for id in wanted if id in found]

    def source_bytes(self, path: str) -> bytes | Stale:
        """Exactly the bytes that were indexed, or `Stale` when the disk no longer has them."""
        row = self._database.execute("SELECT hash FROM files WHERE path = ?", (path,)).fetchone()
        if row is None or row[0] is None:
            return Stale(path, "is not in the index")
        data = read_source(str(self.workspace.root), path, self.workspace.overlay)
        if isinstance(data, Stale):
            return data
        if content_hash(data) != row[0]:
            return Stale(path, "changed since it was indexed")
        return data

    def vectors(self) -> Iterator[tuple[bytes, bytes]]:
        """Of each file: symbol ids as int32, and a row of int8 for each; see `meaning`."""
        yield from self._database.execute("SELECT symbols, rows FROM vectors ORDER BY file")

    def meant_counts(self) -> dict[int, int]:
        """How many functions and types of each file can be found by meaning, by file id."""
        rows = self._database.execute("SELECT file, length(symbols) / 4 FROM vectors")
        return dict(rows.fetchall())

    def meant_in(self, file: int) -> list[int]:
        """Those functions and types, in order of appearance."""
        row = self._database.execute(
            "SELECT symbols FROM vectors WHERE file = ?", (file,)
        ).fetchone()
        return array("i", row[0]).tolist() if row is not None else []

    def unresolved_from(self, id: int) -> list[Unresolved]:
        """The uses in a symbol whose definition is not known."""
        found = unpack_unresolved(self._links_of(id, "unresolved"))
        return [each for each in found if each.source == id]

    def unresolved_in(self, file: int) -> list[Unresolved]:
        """The uses in a file whose definition is not known."""
        row = self._database.execute(
            "SELECT unresolved FROM links WHERE file = ?", (file,)
        ).fetchone()
        return unpack_unresolved(row[0]) if row is not None else []

    def leaves(self, id: int) -> list[Leaf]:
        """A symbol's relations to things that are not symbols: routes, variables, programs."""
        routing = self.graph.sources(id, EdgeKind.HANDLES_ROUTE)
        rows = {self._home(each): each for each in (id, *routing)}  # routes may stand elsewhere
        found = [unpack_leaves(self._links_of(each, "leaves")) for each in rows.values()]
        return [leaf for leaves in found for leaf in leaves if leaf.source == id]

    def _home(self, id: int) -> int:
        homes = self.graph.columns.file
        return int(homes[id]) if 0 <= id < len(homes) else 0

    def _links_of(self, id: int, column: str) -> bytes:
        row = self._database.execute(
            f"SELECT {column} FROM links WHERE file = ?", (self._home(id),)
        ).fetchone()
        return b"" if row is None else row[0]

    def status(self) -> Status:
        """Counts of all that the index holds."""
        reasons = self._database.execute(
            "SELECT skip, count(*) FROM files WHERE skip IS NOT NULL GROUP BY skip"
            " ORDER BY count(*) DESC, skip"
        )
        unlinked = unlinked_files(self._database)
        return counted(self, meta(self._database, "indexed_at"), reasons, unlinked)


def _symbols_of(database: sqlite3.Connection, file: int) -> FileSymbols:
    row = database.execute(
        "SELECT f.path, f.language, f.kind, s.first, s.count, s.ids, s.places, s.texts"
        " FROM symbols s JOIN files f ON f.id = s.file WHERE s.file = ?",
        (file,),
    ).fetchone()
    return FileSymbols(*row)


def _open(workspace: Workspace) -> Index:
    for attempt in range(_ATTEMPTS):
        database = open_for_reading(workspace.database)
        version = database.execute("PRAGMA user_version").fetchone()[0]
        if version > len(MIGRATIONS):
            raise StoreError(
                ProblemKind.NEWER,
                f"the index was written by a newer sonde (schema {version}): upgrade sonde",
            )
        database.execute("BEGIN")
        generation = meta(database, "generation") if version == len(MIGRATIONS) else 0
        if not generation:
            database.close()
            raise StoreError(
                ProblemKind.NO_INDEX, "this workspace has no index yet: run 'sonde index'"
            )
        try:
            graph = load(workspace.arrays / str(generation))
            fulltext = FullText(workspace.fulltext / str(generation))
            return Index(workspace, database, graph, fulltext)
        except (OSError, ValueError) as error:
            database.close()  # the writer may have moved on and removed this generation
            if attempt == _ATTEMPTS - 1:
                if lacks_room(error):
                    raise StoreError(
                        ProblemKind.DISK_FULL, f"no space left on the disk of {workspace.folder}"
                    ) from error
                if not os.access(workspace.folder, os.W_OK):  # the full text takes a lock there
                    raise StoreError(
                        ProblemKind.UNWRITABLE,
                        f"cannot write to {workspace.folder}, which opening the index needs",
                    ) from error
                raise StoreError(
                    ProblemKind.CORRUPT,
                    f"the index in {workspace.folder} is damaged: run 'sonde index' to rebuild it",
                ) from error
            time.sleep(0.01 * attempt)
    raise AssertionError("unreachable")
