"""The lookup tables of linking, answered from the index's database."""

from __future__ import annotations

import marshal
import sqlite3
from array import array
from collections.abc import Iterable, Sequence
from functools import cached_property
from sys import intern
from typing import Any, TypeVar

from sonde.link.manifests import ProjectConfig, project_config
from sonde.link.similarity import Sketch
from sonde.link.tables import Entry, FileEntry, family, folder_of
from sonde.model import FileKind, Import
from sonde.store.rows import KINDS, VISIBILITIES, unpack_imports

_ENTRY = (
    "SELECT s.id, s.file, s.name, s.qualname, s.kind, s.parent, s.owner, s.bases, s.returns,"
    " s.visibility, s.start_line FROM symbols s JOIN files f ON f.id = s.file"
)
_ORDER = " ORDER BY f.path, s.position"
_NOTHING: tuple[Entry, ...] = ()
_EMPTY_BIN = "-"
_Key = TypeVar("_Key")


class Tables:
    """A `Source` over SQLite.

    Lookups are remembered, since linking asks the same few names again and
    again. Files are few enough to be held at once; symbols only after `preload`,
    which a full index calls because one scan beats a query per name.
    """

    def __init__(self, database: sqlite3.Connection) -> None:
        self._database = database
        self._named: dict[str, Sequence[Entry]] = {}
        self._qualified: dict[str, Sequence[Entry]] = {}
        self._members: dict[int, Sequence[Entry]] = {}
        self._owned: dict[str, Sequence[Entry]] = {}
        self._entries: dict[int, Entry] = {}
        self._imports: dict[int, tuple[Import, ...]] = {}
        self._preloaded = False

    def preload(self) -> None:
        """Hold all symbols in memory."""
        named: dict[str, list[Entry]] = {}
        members: dict[int, list[Entry]] = {}
        owned: dict[str, list[Entry]] = {}
        for row in self._database.execute(_ENTRY + _ORDER):
            entry = _entry(row)
            self._entries[entry.id] = entry
            named.setdefault(entry.name, []).append(entry)
            if entry.parent:
                members.setdefault(entry.parent, []).append(entry)
            if entry.owner:
                owned.setdefault(entry.owner, []).append(entry)
        self._named.update(named)
        self._members.update(members)
        self._owned.update(owned)
        self._preloaded = True

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

    @cached_property
    def _files(self) -> dict[int, FileEntry]:
        rows = self._database.execute(
            "SELECT id, path, language, package, kind, module FROM files"
            " WHERE module != 0 ORDER BY path"
        )
        return {
            id: FileEntry(id, path, intern(language), package, FileKind(kind), module)
            for id, path, language, package, kind, module in rows
        }

    @cached_property
    def _paths(self) -> dict[str, FileEntry]:
        return {file.path: file for file in self._files.values()}

    @cached_property
    def _folders(self) -> dict[str, list[FileEntry]]:
        return _grouped((folder_of(file.path), file) for file in self._files.values())

    @cached_property
    def _basenames(self) -> dict[str, list[FileEntry]]:
        return _grouped((file.path.rpartition("/")[2], file) for file in self._files.values())

    @cached_property
    def _packages(self) -> dict[tuple[str, str], list[FileEntry]]:
        return _grouped(
            ((family(file.language), file.package), file)
            for file in self._files.values()
            if file.package
        )

    def file(self, path: str) -> FileEntry | None:
        """The file at that path."""
        return self._paths.get(path)

    def file_by_id(self, id: int) -> FileEntry:
        """The file with that id."""
        return self._files[id]

    def package(self, language_family: str, package: str) -> Sequence[FileEntry]:
        """The files that declare that package or namespace."""
        return self._packages.get((language_family, package), ())

    def folder(self, folder: str) -> Sequence[FileEntry]:
        """The files directly in a folder."""
        return self._folders.get(folder, ())

    def suffix(self, tail: str) -> Sequence[FileEntry]:
        """The files whose path is `tail` or ends with "/" and `tail`."""
        ending = "/" + tail
        files = self._basenames.get(tail.rpartition("/")[2], ())
        return [each for each in files if each.path == tail or each.path.endswith(ending)]

    def imports(self, file: int) -> tuple[Import, ...]:
        """What a file imports and re-exports."""
        found = self._imports.get(file)
        if found is None:
            row = self._database.execute("SELECT imports FROM files WHERE id = ?", (file,))
            found = self._imports[file] = unpack_imports(row.fetchone()[0])
        return found

    def similar(self, bucket: int) -> Sequence[Sketch]:
        """The callables whose words fall into that bucket."""
        rows = self._database.execute(
            "SELECT k.symbol, k.words FROM sketches k JOIN symbols s ON s.id = k.symbol"
            " JOIN files f ON f.id = s.file WHERE k.bucket = ? ORDER BY f.path, s.position",
            (bucket,),
        )
        return [Sketch(symbol, unpack_sketch(words)) for symbol, words in rows]

    @cached_property
    def _config(self) -> ProjectConfig:
        return project_config(self._database.execute("SELECT path, text FROM manifests"))

    def config(self) -> ProjectConfig:
        """What the manifests say about where modules live."""
        return self._config


def pack_sketch(words: str) -> bytes:
    """A sketch as 64 bytes: zero stands for an empty bin."""
    return array(
        "I", [0 if word == _EMPTY_BIN else int(word, 16) for word in words.split(",")]
    ).tobytes()


def unpack_sketch(data: bytes) -> str:
    """A sketch from what `pack_sketch` wrote."""
    return ",".join(f"{each:x}" if each else _EMPTY_BIN for each in array("I", data))


def _entry(row: Sequence[Any]) -> Entry:
    id, file, name, qualname, kind, parent, owner, bases, returns, visibility, line = row
    name = intern(name)
    return Entry(
        id,
        file,
        name,
        qualname or name,
        KINDS[kind],
        parent,
        owner or "",
        marshal.loads(bases) if bases else (),
        returns or "",
        VISIBILITIES[visibility],
        line,
    )


def _grouped(pairs: Iterable[tuple[_Key, FileEntry]]) -> dict[_Key, list[FileEntry]]:
    groups: dict[_Key, list[FileEntry]] = {}
    for key, file in pairs:
        groups.setdefault(key, []).append(file)
    return groups
