"""Go: a package is a folder, and go.mod determines its import path."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sonde.link.imports.family import Family
from sonde.link.space import OUTSIDE, Space
from sonde.link.tables import Entry, FileEntry, folder_of
from sonde.model import FileKind, Import, Kind

if TYPE_CHECKING:
    from sonde.link.names import Names, Target

# Bound once: in Python 3.11 reading a member off its enum costs 15 times as much.
_FILE_KIND_TEST = FileKind.TEST
_KIND_MODULE = Kind.MODULE

_BUILTINS = """
any append bool byte cap clear close comparable complex complex128 complex64 copy delete error
float32 float64 imag int int16 int32 int64 int8 len make max min new panic print println real
recover rune string uint uint16 uint32 uint64 uint8 uintptr
"""


class Go(Family):
    """Import paths resolve to folders; all files in a folder share their names."""

    supers: frozenset[str] = frozenset()
    everywhere = frozenset(_BUILTINS.split())

    def imported(self, names: Names, file: FileEntry, item: Import) -> Target | None:
        key = (0, 0, item.module)  # a path means the same in every file
        if key not in names.modules:
            folder = _folder(names, item.module)
            names.modules[key] = OUTSIDE if folder is None else Space("go", folder)
        return names.modules[key]

    def visible(self, names: Names, file: FileEntry, name: str) -> Target | None:
        if name in self.everywhere:
            return OUTSIDE
        found = self.inside(names, Space("go", folder_of(file.path)), name)
        if found is not None:
            return found
        for item in names.tables.imports(file):
            space = self.imported(names, file, item)
            if not isinstance(space, Space) or space is OUTSIDE:
                continue
            if item.name == "*":
                found = self.inside(names, space, name)
                if found is not None:
                    return found
            # A package's name may differ from its folder's.
            elif any(each.package == name for each in names.tables.folder(space.name)[:3]):
                return space
        return None

    def inside(self, names: Names, space: Space, name: str) -> Target | None:
        for entry in names.tables.qualified(name):
            there = names.tables.file_of(entry)
            if (
                there.language == "go"
                and folder_of(there.path) == space.name
                and entry.kind is not _KIND_MODULE
            ):
                return entry
        return None

    def principal(self, names: Names, space: Space) -> Entry | None:
        files = [
            each
            for each in names.tables.folder(space.name)
            if each.language == "go" and each.kind is not _FILE_KIND_TEST
        ]
        own = space.name.rpartition("/")[2] + ".go"
        for each in files:
            if each.path.endswith(("/" + own, "/doc.go")):
                return names.tables.module(each)
        return names.tables.module(files[0]) if files else None

    def belongs(self, names: Names, owner: Entry, file: FileEntry, member: Entry) -> bool:
        if not member.owner:
            return False
        there = names.tables.file_of(member)
        return there.language == "go" and folder_of(there.path) == folder_of(file.path)


def _folder(names: Names, path: str) -> str | None:
    for module, folder in names.tables.layout().go_modules:
        if path == module or path.startswith(module + "/"):
            tail = path[len(module) + 1 :]
            place = f"{folder}/{tail}".strip("/")
            if names.tables.folder(place):
                return place
    vendored = "vendor/" + path
    return vendored if names.tables.folder(vendored) else None


FAMILY = Go()
