"""The lookup tables of linking, answered from the index's database."""

from __future__ import annotations

import sqlite3
from collections.abc import Hashable, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import repeat
from operator import itemgetter
from sys import intern
from typing import TYPE_CHECKING, Any

from sonde.extract.symbol_codec import (
    EncodedSymbols,
    Outline,
    decode_linked,
    decode_outline,
    decode_symbols,
)
from sonde.link.contracts import Contract, contract_of
from sonde.link.manifests import ProjectConfig, project_config
from sonde.link.similarity import Sketch
from sonde.link.tables import Entry, FileEntry
from sonde.model import Import, Param
from sonde.store.file_table import FileOutline, FileTable
from sonde.store.name_table import ids_exactly
from sonde.store.rows import imports_of
from sonde.store.symbol_table import ids_of, symbol_ids, unpack_sketches

if TYPE_CHECKING:
    from numpy.typing import NDArray  # workers do without numpy, which saves 80 ms and 20 MB each

_OF_FILE = "SELECT first, count, ids, places, texts FROM symbols WHERE file = ?"
_SKETCHES = "SELECT first, count, ids, sketches FROM symbols WHERE file = ?"
_ALL = "SELECT file, first, count, ids, places, texts, sketches FROM symbols"
_CONTRACT = "SELECT word, file, symbol, methods FROM contracts WHERE {} ORDER BY rowid"
_PARENT = Outline._fields.index("parents")
_NOTHING: tuple[Entry, ...] = ()
_new: Any = tuple.__new__  # half the cost of calling the class, and there are hundreds of thousands


class Tables:
    """A `Source` over SQLite.

    Lookups are remembered, since linking asks the same few names again and
    again. All symbols are held only after `preload`, which a full index calls
    because one scan beats a query per name.
    """

    def __init__(
        self,
        database: sqlite3.Connection,
        files: FileTable | None = None,
        homes: NDArray[Any] | None = None,
    ) -> None:
        """`homes` are the files of the symbols that an earlier generation had, by id."""
        self._database = database
        self._files = files or FileTable(database)
        self._homes = homes
        self.file_by_id = self._files.by_id
        self.shared: dict[Hashable, tuple[Any, set[str]]] = {}
        self._named: dict[str, Sequence[Entry]] = {}
        self._qualified: dict[str, Sequence[Entry]] = {}
        self._members: dict[int, Sequence[Entry]] = {}
        self._owned: dict[str, Sequence[Entry]] = {}
        self._entries: dict[int, Entry] = {}
        self._imports: dict[int, tuple[Import, ...]] = {}
        self._ids: dict[int, Sequence[int]] = {}
        self._sketched: dict[int, Sequence[tuple[int, Sketch]]] = {}
        self._buckets: dict[int, list[Sketch]] = {}
        self._contracts: dict[str, Sequence[Contract]] = {}
        self._params: dict[int, tuple[Param, ...]] = {}
        self._signatures: dict[int, str] = {}
        self._preloaded = False

    def preload(self) -> None:
        """Hold all symbols in memory."""
        named: dict[str, list[Entry]] = {}
        qualified: dict[str, list[Entry]] = {}
        members: dict[int, list[Entry]] = {}
        owned: dict[str, list[Entry]] = {}
        buckets: dict[int, list[Sketch]] = {}
        rows = {file: row for file, *row in self._database.execute(_ALL)}
        for file in self._files.by_paths():
            *numbers, places, texts, sketches = rows.pop(file.id)
            ids = self._ids[file.id] = symbol_ids(*numbers)
            for entry in _entries(file.id, ids, decode_outline(EncodedSymbols(places, texts))):
                self._entries[entry.id] = entry
                named.setdefault(entry.name, []).append(entry)
                qualified.setdefault(entry.qualname, []).append(entry)
                if entry.parent:
                    members.setdefault(entry.parent, []).append(entry)
                if entry.owner:
                    owned.setdefault(entry.owner, []).append(entry)
            self._sketched[file.id] = unpack_sketches(sketches, ids)
            for bucket, sketch in self._sketched[file.id]:
                buckets.setdefault(bucket, []).append(sketch)
        self._named.update(named)
        self._qualified.update(qualified)
        self._members.update(members)
        self._owned.update(owned)
        self._buckets = {each: found for each, found in buckets.items() if len(found) > 1}
        self._contracts.update(self._grouped_contracts(self._database.execute(_CONTRACT.format(1))))
        self._preloaded = True

    def _of_file(self, file: int) -> FileOutline:
        """The symbols of one file; the table of files keeps them for later edits."""
        found = self._files.outlines.get(file)
        if found is None:
            *numbers, places, texts = self._database.execute(_OF_FILE, (file,)).fetchone()
            outline = decode_outline(EncodedSymbols(places, texts))
            found = FileOutline(symbol_ids(*numbers), outline)
            self._files.keep_outline(file, found)
        return found

    def _entry_at(self, file: int, position: int) -> Entry:
        """One symbol; the others of its file are seldom asked for."""
        ids, outline = self._of_file(file)
        id = ids[position]
        found = self._entries.get(id)
        if found is None:
            values: list[Any] = [column[position] for column in outline]
            parent = values[_PARENT]
            values[_PARENT] = ids[parent] if parent >= 0 else 0
            found = self._entries[id] = _new(Entry, (id, file, *values))
        return found

    def _grouped_contracts(
        self, rows: Iterable[tuple[str, int, int, str]]
    ) -> dict[str, list[Contract]]:
        """Contracts by word, each group by path; those of a file stay in its order."""
        found: dict[str, list[tuple[str, Contract]]] = {}
        for word, file, symbol, methods in rows:
            place = (self.file_by_id(file).path, contract_of(symbol, methods))
            found.setdefault(word, []).append(place)
        for group in found.values():
            group.sort(key=itemgetter(0))
        return {word: [each for _, each in group] for word, group in found.items()}

    def named(self, name: str) -> Sequence[Entry]:
        """All symbols with that last name part."""
        found = self._named.get(name)
        if found is None:
            if self._preloaded:
                return _NOTHING
            places = sorted(map(self._place, ids_exactly(self._database, [name])))
            found = self._named[name] = [self._entry_at(file, at) for _, at, file in places]
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
            if self._preloaded:
                return _NOTHING
            file = self.entry(id).file
            ids, outline = self._of_file(file)
            outer = ids.index(id)
            found = self._members[id] = [
                self._entry_at(file, at)
                for at, parent in enumerate(outline.parents)
                if parent == outer
            ]
        return found

    def owned(self, owner: str) -> Sequence[Entry]:
        """The members written outside the body of their type, by that type's name."""
        found = self._owned.get(owner)
        if found is None:
            if self._preloaded:
                return _NOTHING
            rows = self._database.execute(
                "SELECT o.file FROM owners o JOIN files f ON f.id = o.file"
                " WHERE o.owner = ? ORDER BY f.path",
                (owner,),
            )
            found = self._owned[owner] = [
                self._entry_at(file, at)
                for (file,) in rows
                for at, each in enumerate(self._of_file(file).outline.owners)
                if each == owner
            ]
        return found

    def entry(self, id: int) -> Entry:
        """The symbol with that id."""
        found = self._entries.get(id)
        if found is None:
            _, at, file = self._place(id)
            found = self._entry_at(file, at)
        return found

    def _place(self, id: int) -> tuple[str, int, int]:
        """The path of a symbol's file, its position there, and the file."""
        file = self._home(id)
        return self.file_by_id(file).path, self._of_file(file).ids.index(id), file

    def _home(self, id: int) -> int:
        """The file of a symbol, which never moves to another."""
        if self._homes is not None and id < len(self._homes):
            return int(self._homes[id])
        return self._new_homes[id]

    @cached_property
    def _new_homes(self) -> dict[int, int]:
        known = 0 if self._homes is None else len(self._homes)
        rows = self._database.execute("SELECT file, first, count, ids FROM symbols")
        return {id: file for file, *row in rows for id in symbol_ids(*row) if id >= known}

    def file(self, path: str) -> FileEntry | None:
        """The file at that path."""
        return self._files.by_path(path)

    def package(self, language_family: str, package: str) -> Sequence[FileEntry]:
        """The files that declare that package or namespace."""
        return self._files.in_package(language_family, package)

    def folder(self, folder: str) -> Sequence[FileEntry]:
        """The files directly in a folder."""
        return self._files.in_folder(folder)

    def folders(self, tail: str) -> Sequence[str]:
        """The folders with files whose path is `tail` or ends with "/" and `tail`, sorted."""
        return self._files.folders(tail)

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
            found = self._imports[file] = imports_of(row.fetchone()[0])
        return found

    def ids(self, file: int) -> Sequence[int]:
        """The ids of a file's symbols, in the order of its facts."""
        found = self._ids.get(file)
        return ids_of(self._database, file) if found is None else found

    def sketched(self, file: int) -> Sequence[tuple[int, Sketch]]:
        """The buckets and sketches of a file's callables."""
        found = self._sketched.get(file)
        if found is None:
            *numbers, sketches = self._database.execute(_SKETCHES, (file,)).fetchone()
            found = unpack_sketches(sketches, symbol_ids(*numbers))
        return found

    def similar(self, bucket: int) -> Sequence[Sketch]:
        """The callables whose words fall into that bucket; after `preload` only if several do."""
        if self._preloaded:
            return self._buckets.get(bucket, ())
        rows = self._database.execute(
            "SELECT s.first, s.count, s.ids, s.sketches FROM buckets b"
            " JOIN symbols s ON s.file = b.file JOIN files f ON f.id = b.file"
            " WHERE b.bucket = ? ORDER BY f.path",
            (bucket,),
        )
        return [
            sketch
            for *ids, sketches in rows
            for each, sketch in unpack_sketches(sketches, symbol_ids(*ids))
            if each == bucket
        ]

    def contracts(self, word: str) -> Sequence[Contract]:
        """The interfaces that are found by that word."""
        found = self._contracts.get(word)
        if found is None:
            if self._preloaded:
                return ()
            rows = self._database.execute(_CONTRACT.format("word = ?"), (word,))
            found = self._contracts[word] = self._grouped_contracts(rows).get(word, ())
        return found

    def params(self, id: int) -> tuple[Param, ...]:
        """The parameters of a callable."""
        if id not in self._params:
            ids, symbols = self._beside(id)
            for each, symbol in zip(ids, decode_linked(symbols), strict=True):
                self._params[each] = symbol.params
        return self._params[id]

    def signature(self, id: int) -> str:
        """The head of a definition as written."""
        if id not in self._signatures:
            ids, symbols = self._beside(id)
            for each, symbol in zip(ids, decode_symbols(symbols), strict=True):
                self._signatures[each] = symbol.signature
        return self._signatures[id]

    def _beside(self, id: int) -> tuple[Sequence[int], EncodedSymbols]:
        """The symbols of a symbol's file."""
        row = self._database.execute(_OF_FILE, (self.entry(id).file,)).fetchone()
        *numbers, places, texts = row
        return symbol_ids(*numbers), EncodedSymbols(places, texts)

    @cached_property
    def _config(self) -> ProjectConfig:
        return project_config(self._database.execute("SELECT path, text FROM manifests"))

    def config(self) -> ProjectConfig:
        """What the manifests say about where modules live."""
        return self._config


def _entries(file: int, ids: Sequence[int], outline: Outline) -> Iterator[Entry]:
    """The symbols of a file as linking reads them, built in C."""
    names, qualnames, kinds, parents, *rest = outline
    rows = zip(
        ids,
        repeat(file),
        map(intern, names),
        qualnames,
        kinds,
        [ids[parent] if parent >= 0 else 0 for parent in parents],
        *rest,
        strict=False,
    )
    return map(_new, repeat(Entry), rows)
