"""C and C++: a file sees what it includes, directly or indirectly."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from sonde.link.imports.family import Family
from sonde.link.reach import reach
from sonde.link.space import OUTSIDE
from sonde.link.tables import Entry, FileEntry, family, folder_of
from sonde.model import CALLABLE_KINDS, TYPE_KINDS, Import, Kind

if TYPE_CHECKING:
    from sonde.link.names import Names, Target

# Bound once: in Python 3.11 reading a member off its enum costs 15 times as much.
_KIND_MODULE = Kind.MODULE
_KIND_TYPE_ALIAS = Kind.TYPE_ALIAS

_ANYWHERE = frozenset({Kind.MACRO, Kind.CONSTANT})  # the preprocessor knows no namespaces
_CLASSES = TYPE_KINDS - {Kind.TYPE_ALIAS}
_LIBRARIES = frozenset({"std", "boost"})


class C(Family):
    """Names come from headers; a declaration leads to its definition."""

    root = "::"
    supers: frozenset[str] = frozenset()
    implicit_self = True  # of C++ members; C has no types that own functions
    nested_types = True
    call_methods = ("operator()",)
    methods_apart = True
    tags_apart = True

    def imported(self, names: Names, file: FileEntry, item: Import) -> Target | None:
        if not item.module:
            return self._declared_elsewhere(names, file, item.name)
        key = (file.id, 0, item.module)
        if key not in names.modules:
            found = _header(names, file, item.module)
            names.modules[key] = OUTSIDE if found is None else names.tables.module(found)
        return names.modules[key]

    def _declared_elsewhere(self, names: Names, file: FileEntry, name: str) -> Entry | None:
        """The one class behind `class Row;`, whose header need not be included to point to it."""
        found = [
            entry
            for entry in names.tables.qualified(name)
            if entry.kind in _CLASSES
            and family(names.tables.file_of(entry).language) == "c"
            and self._shares(names, file, entry)
        ]
        return found[0] if len(found) == 1 else None

    def visible(self, names: Names, file: FileEntry, name: str) -> Target | None:
        others: dict[str, Entry] = {}  # via a `using` we do not read, or outside all namespaces
        for entry in self._seen(names, file, name):
            if self._shares(names, file, entry):
                return self._definition(names, entry)
            others.setdefault(names.tables.file_of(entry).package, entry)
        if not others and name in reach(names, file).announced:
            return self._declared_elsewhere(names, file, name)
        return self._definition(names, *others.values()) if len(others) == 1 else None

    def called(self, names: Names, file: FileEntry, target: Entry) -> Entry | None:
        """An alias from another namespace matches by accident: `size(x)` is not `meta::size`.

        A structure gives way to a function of its name: `stat(path)` beside `struct stat`.
        """
        if target.kind in _CLASSES:
            functions = [e for e in self._seen(names, file, target.qualname) if _is_run(e)]
            shared = [each for each in functions if self._shares(names, file, each)]
            if shared:
                return self._definition(names, shared[0])
            return None if file.language == "c" else target
        if target.kind is _KIND_TYPE_ALIAS and not self._shares(names, file, target):
            return None
        return target

    def _seen(self, names: Names, file: FileEntry, name: str) -> Iterator[Entry]:
        """What a file's headers declare under a name, in any namespace."""
        reached: frozenset[int] | None = None
        for entry in names.tables.qualified(name):
            if entry.kind is _KIND_MODULE or family(names.tables.file_of(entry).language) != "c":
                continue
            reached = reach(names, file).files if reached is None else reached
            if entry.file in reached:
                yield entry

    def _shares(self, names: Names, file: FileEntry, entry: Entry) -> bool:
        """Whether a name's file opens no namespace, or one that this file opens too."""
        there = names.tables.file_of(entry)
        if not there.package or there.id == file.id or entry.kind in _ANYWHERE:
            return True
        return not set(there.package.split(".")).isdisjoint(file.package.split("."))

    def _definition(self, names: Names, declared: Entry) -> Entry:
        """The definition of a function that a header declares."""
        header = names.tables.file_of(declared)
        if declared.kind not in CALLABLE_KINDS or not declared.declared:
            return declared
        stem = header.path.rpartition(".")[0].rpartition("/")[2]
        fallback = None
        for entry in names.tables.qualified(declared.qualname):
            there = names.tables.file_of(entry)
            if entry.kind not in CALLABLE_KINDS or entry.declared:
                continue
            if family(there.language) != "c" or not _meet(names, header, there):
                continue
            elsewhere = not there.package or not self._shares(names, header, entry)
            if header.package and there.language == "cpp" and elsewhere:
                continue  # a function of that name in another namespace
            if there.path.rpartition(".")[0].rpartition("/")[2] == stem:
                return entry
            fallback = fallback or entry
        return fallback or declared

    def absolute(self, names: Names, file: FileEntry, dotted: str) -> Target | None:
        """Namespaces are not symbols: `db::Client` is the visible Client, and `db::open` the
        visible function of a file that opens `db`; otherwise `db` may be a class of a library."""
        parts = dotted.split(".")
        if parts[0] in _LIBRARIES:
            return OUTSIDE
        for cut in range(1, len(parts)):
            otherwise = None
            for found in self._seen(names, file, ".".join(parts[cut:])):
                if parts[cut - 1] in names.tables.file_of(found).package.split("."):
                    return self._definition(names, found)
                if len(parts) - cut > 1 or found.kind in _CLASSES:
                    otherwise = otherwise or found
            if otherwise is not None:  # a namespace may have another name here
                return self._definition(names, otherwise)
        return None

    def qualified(self, names: Names, file: FileEntry, receiver: str, name: str) -> Target | None:
        if not receiver.replace("::", "").isidentifier():
            return None
        return self.absolute(names, file, f"{receiver.replace('::', '.')}.{name}")

    def belongs(self, names: Names, owner: Entry, file: FileEntry, member: Entry) -> bool:
        there = names.tables.file_of(member)
        return bool(member.owner) and file.id in reach(names, there).files

    def shares_functions(self, names: Names, file: FileEntry, other: Entry) -> bool:
        there = names.tables.file_of(other)
        if family(there.language) != "c" or not self._shares(names, file, other):
            return False
        return there.id in reach(names, file).files or file.id in reach(names, there).files


def _is_run(entry: Entry) -> bool:
    return entry.kind in CALLABLE_KINDS


def _meet(names: Names, header: FileEntry, other: FileEntry) -> bool:
    """Whether a file includes a header, or is included by it, as templates' bodies are."""
    return header.id in reach(names, other).files or other.id in reach(names, header).files


def _header(names: Names, file: FileEntry, text: str) -> FileEntry | None:
    text = text.strip('"<> ')
    parts = folder_of(file.path).split("/") if "/" in file.path else []
    for part in text.split("/"):
        if part == "..":
            parts = parts[:-1]
        elif part != ".":
            parts.append(part)
    found = names.tables.file("/".join(parts))
    if found is not None:
        return found
    files = names.tables.suffix(text)
    if len(files) == 1:
        return files[0]
    for root in ("include/", "src/", ""):
        found = names.tables.file(root + text)
        if found is not None:
            return found
    return None


FAMILY = C()
