"""Symbols of one name, nearest to a file first."""

from __future__ import annotations

from collections.abc import Sequence

from sonde.link.recorder import Recorder
from sonde.link.tables import Entry, FileEntry, family, folder_of
from sonde.model import Kind

# Bound once: in Python 3.11 reading a member off its enum costs 15 times as much.
_KIND_MODULE = Kind.MODULE

_MOST_SCANNED = 200  # of the symbols of one name


def shared_prefix(left: str, right: str) -> int:
    """How many leading folders two paths have in common."""
    count = 0
    for a, b in zip(left.split("/")[:-1], right.split("/")[:-1], strict=False):
        if a != b:
            break
        count += 1
    return count


class Nearness:
    """How near other files are to a given one; each folder is compared once."""

    def __init__(self, file: FileEntry, tables: Recorder) -> None:
        self._path = file.path
        self._folder = folder_of(file.path)
        self._family = family(file.language)
        self._tables = tables
        self._folders: dict[str, tuple[bool, int]] = {}
        self._files: dict[int, tuple[bool, int] | None] = {}  # None: of another family

    def first(self, entries: Sequence[Entry], most: int) -> tuple[int, ...]:
        """Symbols of the file's language family: own folder first, then by longest common path."""
        ranked = []
        files = self._files
        for position, entry in enumerate(entries[:_MOST_SCANNED]):
            if entry.kind is _KIND_MODULE:
                continue
            file = entry.file
            distance = files[file] if file in files else self._distance(file)
            if distance is not None:
                ranked.append((distance, position, entry.id))
        ranked.sort()
        return tuple([each[2] for each in ranked[:most]])

    def _distance(self, file: int) -> tuple[bool, int] | None:
        there = self._tables.file_by_id(file)
        known = None
        if family(there.language) == self._family:
            folder = folder_of(there.path)
            known = self._folders.get(folder)
            if known is None:
                far = folder != self._folder
                known = self._folders[folder] = (far, -shared_prefix(self._path, there.path))
        self._files[file] = known
        return known
