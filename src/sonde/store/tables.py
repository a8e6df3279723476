"""The lookup tables of linking, answered from the index's database."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from functools import cached_property
from sys import intern
from typing import Any

from sonde.link.contracts import Contract, contract_of
from sonde.link.manifests import ProjectConfig, project_config
from sonde.link.similarity import Sketch
from sonde.link.tables import Entry, FileEntry
from sonde.model import Import
from sonde.store.file_table import FileTable
from sonde.store.rows import (
    KINDS,
    VISIBILITIES,
    qualified,
    unpack_imports,
    unpack_params,
    unpack_texts,
)

_COLUMNS = (
    "s.id, s.file, s.name, s.qualifier, s.kind, s.parent, s.owner, s.bases, s.returns,"
    " s.visibility, s.start_line"
)
_ENTRY = f"SELECT {_COLUMNS} FROM symbols s JOIN files f ON f.id = s.file"
_ALL_ENTRIES = f"SELECT {_COLUMNS}, s.position FROM symbols s"
_CONTRACT = (
    "SELECT c.word, c.symbol, c.methods FROM contracts c JOIN symbols s ON s.id = c.symbol"
    " JOIN files f ON f.id = c.file"
)
_ORDER = " ORDER BY f.path, s.position"
_NOTHING: tuple[Entry, ...] = ()
_new = tuple.__new__  # half the cost of calling the class, and there are hundreds of thousands


class Tables:
    """A `Source` over SQLite.

    Lookups are remembered, since linking asks the same few names again and
    again. All symbols are held only after `preload`, which a full index calls
    because one scan beats a query per name.
    """

    def __init__(self, database: sqlite3.Connection, files: FileTable | None = None) -> None:
        self._database = database
        self._files = files or FileTable(database)
        self.file_by_id = self._files.by_id
        self._named: dict[str, Sequence[Entry]] = {}
        self._qualified: dict[str, Sequence[Entry]] = {}
        self._members: dict[int, Sequence[Entry]] = {}
        self._owned: dict[str, Sequence[Entry]] = {}
        self._entries: dict[int, Entry] = {}
        self._imports: dict[int, tuple[Import, ...]] = {}
        self._buckets: dict[int, list[Sketch]] = {}
        self._contracts: dict[str, Sequence[Contract]] = {}
        self._takes: dict[int, tuple[str, ...]] = {}
        self._preloaded = False

    def preload(self) -> None:
        """Hold all symbols in memory."""
        named: dict[str, list[Entry]] = {}
        qualified: dict[str, list[Entry]] = {}
        members: dict[int, list[Entry]] = {}
        owned: dict[str, list[Entry]] = {}
        for entry in self._all_entries():
            self._entries[entry.id] = entry
            named.setdefault(entry.name, []).append(entry)
            qualified.setdefault(entry.qualname, []).append(entry)
            if entry.parent:
                members.setdefault(entry.parent, []).append(entry)
            if entry.owner:
                owned.setdefault(entry.owner, []).append(entry)
        self._named.update(named)
        self._qualified.update(qualified)
        self._members.update(members)
        self._owned.update(owned)
        self._buckets = self._shared_buckets()
        self._contracts.update(self._all_contracts())
        self._preloaded = True

    def _all_entries(self) -> Iterator[Entry]:
        """Every symbol by path and position; files are put in order, as sorting rows is dear."""
        by_file: dict[int, list[tuple[int, Entry]]] = {}
        for *row, position in self._database.execute(_ALL_ENTRIES):
            entry = _entry(row)
            by_file.setdefault(entry.file, []).append((position, entry))
        for file in self._files.by_paths():
            for _, entry in sorted(by_file.get(file.id, ())):
                yield entry

    def _shared_buckets(self) -> dict[int, list[Sketch]]:
        buckets: dict[int, list[Sketch]] = {}
        rows = self._database.execute(
            "SELECT k.bucket, k.symbol, k.words FROM sketches k JOIN symbols s ON s.id = k.symbol"
            " JOIN files f ON f.id = s.file WHERE k.bucket IN"
            " (SELECT bucket FROM sketches GROUP BY bucket HAVING count(*) > 1)"
            " ORDER BY f.path, s.position"
        )
        for bucket, symbol, words in rows:
            buckets.setdefault(bucket, []).append(Sketch(symbol, words))
        return buckets

    def _all_contracts(self) -> dict[str, list[Contract]]:
        contracts: dict[str, list[Contract]] = {}
        for word, *row in self._database.execute(f"{_CONTRACT}{_ORDER}"):
            contracts.setdefault(word, []).append(contract_of(*row))
        return contracts

    def named(self, name: str) -> Sequence[Entry]:
        """All symbols with that last name part."""
        found = self._named.get(name)
        if found is None:
            # The index ignores case; the second condition picks the exact ones.
            found = self._select("s.name = ?1 COLLATE NOCASE AND s.name = ?1", name)
            self._named[name] = found
        return found

    def qualified(self, qualname: str) -> Sequence[Entry]:
        """All symbols with that name inside their file."""
        found = self._qualified.get(qualname)
        if found is None and self._preloaded:
            return _NOTHING
        if found is None:
            last = qualname.rpartition(".")[2]
            found = [each for each in self.named(last) if each.qualname == qualname]
            self._qualified[qualname] = found
        return found

    def members(self, id: int) -> Sequence[Entry]:
        """The symbols whose parent is this one."""
        found = self._members.get(id)
        if found is None:
            found = self._select(
                "s.file = (SELECT file FROM symbols WHERE id = ?1) AND s.parent = ?1", id
            )
            self._members[id] = found
        return found

    def owned(self, owner: str) -> Sequence[Entry]:
        """The members written outside the body of their type, by that type's name."""
        found = self._owned.get(owner)
        if found is None:
            found = self._select("s.owner = ? AND s.owner IS NOT NULL", owner)
            self._owned[owner] = found
        return found

    def _select(self, condition: str, value: str | int) -> Sequence[Entry]:
        if self._preloaded:
            return _NOTHING
        rows = self._database.execute(f"{_ENTRY} WHERE {condition}{_ORDER}", (value,))
        return [_entry(row) for row in rows] or _NOTHING

    def entry(self, id: int) -> Entry:
        """The symbol with that id."""
        found = self._entries.get(id)
        if found is None:
            row = self._database.execute(f"{_ENTRY} WHERE s.id = ?", (id,)).fetchone()
            found = self._entries[id] = _entry(row)
        return found

    def file(self, path: str) -> FileEntry | None:
        """The file at that path."""
        return self._files.by_path(path)

    def package(self, language_family: str, package: str) -> Sequence[FileEntry]:
        """The files that declare that package or namespace."""
        return self._files.in_package(language_family, package)

    def folder(self, folder: str) -> Sequence[FileEntry]:
        """The files directly in a folder."""
        return self._files.in_folder(folder)

    def suffix(self, tail: str) -> Sequence[FileEntry]:
        """The files whose path is `tail` or ends with "/" and `tail`."""
        ending = "/" + tail
        files = self._files.named(tail.rpartition("/")[2])
        return [each for each in files if each.path == tail or each.path.endswith(ending)]

    def imports(self, file: int) -> tuple[Import, ...]:
        """What a file imports and re-exports."""
        found = self._imports.get(file)
        if found is None:
            row = self._database.execute("SELECT imports FROM files WHERE id = ?", (file,))
            found = self._imports[file] = unpack_imports(row.fetchone()[0])
        return found

    def similar(self, bucket: int) -> Sequence[Sketch]:
        """The callables whose words fall into that bucket; after `preload` only if several do."""
        if self._preloaded:
            return self._buckets.get(bucket, ())
        rows = self._database.execute(
            "SELECT k.symbol, k.words FROM sketches k JOIN symbols s ON s.id = k.symbol"
            " JOIN files f ON f.id = s.file WHERE k.bucket = ? ORDER BY f.path, s.position",
            (bucket,),
        )
        return [Sketch(symbol, words) for symbol, words in rows]

    def contracts(self, word: str) -> Sequence[Contract]:
        """The interfaces that are found by that word."""
        found = self._contracts.get(word)
        if found is None:
            if self._preloaded:
                return ()
            rows = self._database.execute(f"{_CONTRACT} WHERE c.word = ?{_ORDER}", (word,))
            found = self._contracts[word] = [contract_of(*row) for _, *row in rows]
        return found

    def takes(self, id: int) -> tuple[str, ...]:
        """The types of a method's parameters, as written."""
        found = self._takes.get(id)
        if found is None:
            row = self._database.execute("SELECT params FROM symbols WHERE id = ?", (id,))
            found = tuple(param.type for param in unpack_params(row.fetchone()[0]))
            self._takes[id] = found
        return found

    @cached_property
    def _config(self) -> ProjectConfig:
        return project_config(self._database.execute("SELECT path, text FROM manifests"))

    def config(self) -> ProjectConfig:
        """What the manifests say about where modules live."""
        return self._config


def _entry(row: Sequence[Any]) -> Entry:
    id, file, name, qualifier, kind, parent, owner, bases, returns, visibility, line = row
    name = intern(name)
    values = (
        id,
        file,
        name,
        qualified(qualifier, name) if qualifier else name,
        KINDS[kind],
        parent,
        owner or "",
        unpack_texts(bases) if bases else (),
        returns or "",
        VISIBILITIES[visibility],
        line,
    )
    return _new(Entry, values)
