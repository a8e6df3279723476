"""All files as linking looks them up: by id, path, folder, base name and package."""

from __future__ import annotations

import sqlite3
from bisect import insort
from collections.abc import Sequence
from operator import attrgetter
from typing import NamedTuple

from sonde.extract.symbol_codec import Outline
from sonde.link.tables import FileEntry, family, folder_of
from sonde.store.rows import FILE_KIND

_by_path = attrgetter("path")
_MOST_OUTLINES = 5_000  # about 30 MB
_KEPT_OUTLINES = 100  # from one edit to the next


class FileOutline(NamedTuple):
    """What linking reads of one file's symbols."""

    ids: Sequence[int]
    outline: Outline


class FileTable:
    """Held by a writer from one sync to the next, since loading 15,000 files takes longer than
    an edit may. Groups are sorted by path."""

    def __init__(self, database: sqlite3.Connection) -> None:
        self._by_id: dict[int, FileEntry] = {}
        self.by_id = self._by_id.__getitem__  # linking asks it for every edge
        self._by_path: dict[str, FileEntry] = {}
        self._groups: dict[tuple[str, ...], list[FileEntry]] = {}
        self._folders: dict[str, set[str]] = {}  # by their last name, some empty by now
        self.outlines: dict[int, FileOutline] = {}
        rows = database.execute(
            "SELECT id, path, language, package, kind, module FROM files"
            " WHERE module != 0 ORDER BY path"
        )
        for id, path, language, package, kind, module in rows:
            file = FileEntry(id, path, language, package, FILE_KIND[kind], module)
            self._by_id[id] = self._by_path[path] = file
            self._enter_folder(folder_of(path))
            for key in _group_keys(file):
                self._groups.setdefault(key, []).append(file)

    def put(self, file: FileEntry) -> None:
        """Enter a file, or replace what was known of it."""
        self.remove(file.path)
        self._by_id[file.id] = self._by_path[file.path] = file
        self._enter_folder(folder_of(file.path))
        for key in _group_keys(file):
            insort(self._groups.setdefault(key, []), file, key=_by_path)

    def _enter_folder(self, folder: str) -> None:
        self._folders.setdefault(folder.rpartition("/")[2], set()).add(folder)

    def remove(self, path: str) -> None:
        """Take a file out."""
        file = self._by_path.pop(path, None)
        if file is not None:
            del self._by_id[file.id]
            self.outlines.pop(file.id, None)
            for key in _group_keys(file):
                self._groups[key].remove(file)

    def keep_outline(self, file: int, outline: FileOutline) -> None:
        """Remember what linking reads of a file until the file is entered again."""
        if len(self.outlines) >= _MOST_OUTLINES:
            self.outlines.clear()
        self.outlines[file] = outline

    def forget_outlines(self) -> None:
        """Forget most of them: otherwise they would grow with each file that is linked again."""
        for file in list(self.outlines)[: max(0, len(self.outlines) - _KEPT_OUTLINES)]:
            del self.outlines[file]

    def by_paths(self) -> list[FileEntry]:
        """All files in the order of their paths."""
        return sorted(self._by_path.values(), key=_by_path)

    def by_path(self, path: str) -> FileEntry | None:
        """The file at that path."""
        return self._by_path.get(path)

    def in_folder(self, folder: str) -> Sequence[FileEntry]:
        """The files directly in a folder."""
        return self._groups.get(("folder", folder), ())

    def folders(self, tail: str) -> Sequence[str]:
        """The folders with files whose path is `tail` or ends with "/" and `tail`, sorted."""
        ending = "/" + tail
        known = self._folders.get(tail.rpartition("/")[2], ())
        found = [each for each in known if each == tail or each.endswith(ending)]
        return sorted(each for each in found if self.in_folder(each))

    def named(self, base_name: str) -> Sequence[FileEntry]:
        """The files of that name in any folder."""
        return self._groups.get(("name", base_name), ())

    def in_package(self, language_family: str, package: str) -> Sequence[FileEntry]:
        """The files that declare that package or namespace."""
        return self._groups.get(("package", language_family, package), ())

    def __len__(self) -> int:
        return len(self._by_id)


def _group_keys(file: FileEntry) -> list[tuple[str, ...]]:
    keys: list[tuple[str, ...]] = [
        ("folder", folder_of(file.path)),
        ("name", file.path.rpartition("/")[2]),
    ]
    if file.package:
        keys.append(("package", family(file.language), file.package))
    return keys
