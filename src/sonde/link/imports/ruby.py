"""Ruby: constants are global and looked up through enclosing modules; self is implicit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sonde.link.imports.family import Family
from sonde.link.nearness import shared_prefix
from sonde.link.reach import reach
from sonde.link.space import OUTSIDE
from sonde.link.tables import Entry, FileEntry, folder_of
from sonde.model import TYPE_KINDS, Import, Kind

if TYPE_CHECKING:
    from sonde.link.names import Names, Target

# Bound once: in Python 3.11 reading a member off its enum costs 15 times as much.
_KIND_CONSTANT = Kind.CONSTANT
_KIND_FIELD = Kind.FIELD
_KIND_FUNCTION = Kind.FUNCTION
_KIND_MODULE = Kind.MODULE
_KIND_NAMESPACE = Kind.NAMESPACE
_KIND_PROPERTY = Kind.PROPERTY

_TEST_FOLDERS = ("spec", "test", "features")
_MOST_PARTS = 100  # of one reopened class


class Ruby(Family):
    """A class may be reopened anywhere; `require` says nothing about names."""

    implicit_self = True
    calls_self = True
    nested_types = True
    open_nesting = True
    maker = "new"
    constructors = ("initialize",)
    names_call = True
    methods_apart = True
    call_methods = ("call",)

    def called(self, names: Names, file: FileEntry, target: Entry) -> Entry | None:
        """`page` without its sigil is never the field `@page`, but may be its reader."""
        if target.kind is not _KIND_FIELD:
            return target
        for entry in names.tables.qualified(target.qualname):
            if entry.kind is _KIND_PROPERTY and names.tables.file_of(entry).language == "ruby":
                return entry
        return None

    def imported(self, names: Names, file: FileEntry, item: Import) -> Target | None:
        if item.level:
            path = _resolved(folder_of(file.path), item.module)
            found = names.tables.file(path + ".rb")
            return names.tables.module(found) if found is not None else None
        for root in _load_path(file.path):
            found = names.tables.file(f"{root}{item.module}.rb")
            if found is not None:
                return names.tables.module(found)
        found_files = names.tables.suffix(f"lib/{item.module}.rb")
        return names.tables.module(found_files[0]) if len(found_files) == 1 else OUTSIDE

    def visible(self, names: Names, file: FileEntry, name: str) -> Target | None:
        return _constant(names, file, name) if name[:1].isupper() else _function(names, file, name)

    def exported(self, names: Names, file: FileEntry, name: str) -> Target | None:
        return None

    def absolute(self, names: Names, file: FileEntry, dotted: str) -> Target | None:
        return _constant(names, file, dotted)

    def qualified(self, names: Names, file: FileEntry, receiver: str, name: str) -> Target | None:
        """`Api::Rows.find`, where no file has `module Api` alone."""
        dotted = receiver.replace("::", ".").strip(".")
        if not dotted[:1].isupper() or not dotted.replace(".", "").isidentifier():
            return None
        owner = _constant(names, file, dotted)
        if owner is not None and owner.kind in TYPE_KINDS:
            return names.type_member(owner, name) or (owner if name == self.maker else None)
        return _constant(names, file, f"{dotted}.{name}")

    def makes(self, names: Names, target: Entry, name: str) -> bool:
        """`new`, and `instance` of a class that includes Ruby's Singleton."""
        if name != "instance" or target.kind not in TYPE_KINDS:
            return name == self.maker
        return any("Singleton" in each.bases for each in names.line(target))

    def extension(self, names: Names, owner: Entry, name: str) -> Entry | None:
        """What a module gives to the classes that include it, by the name all projects use."""
        if owner.kind is not _KIND_NAMESPACE:
            return None
        for entry in names.tables.qualified(f"{owner.qualname}.ClassMethods.{name}"):
            if names.tables.file_of(entry).language == "ruby":
                return entry
        return None

    def belongs(self, names: Names, owner: Entry, file: FileEntry, member: Entry) -> bool:
        return names.tables.file_of(member).language == "ruby"


def _load_path(path: str) -> list[str]:
    """Where required files are found; test runners add the test folder of each gem."""
    roots = ["lib/", ""]
    for folder in _TEST_FOLDERS:
        before, found, _ = f"/{path}".partition(f"/{folder}/")
        if found:
            gem = f"{before}/"[1:]
            roots += [f"{gem}{folder}/", f"{gem}lib/"]
    return roots


def _function(names: Names, file: FileEntry, name: str) -> Entry | None:
    """A top-level function in a file that this one requires: every object has it."""
    found = [
        entry
        for entry in names.tables.qualified(name)[:_MOST_PARTS]
        if entry.kind is _KIND_FUNCTION and names.tables.file_of(entry).language == "ruby"
    ]
    if not found:
        return None
    reached = reach(names, file).files
    meant = [entry for entry in found if entry.file in reached]
    return meant[0] if len(meant) == 1 else None


def _constant(names: Names, file: FileEntry, qualname: str) -> Entry | None:
    """A constant of this full name: the part that has a superclass, else the nearest one."""
    best: tuple[bool, int] | None = None
    found = None
    for entry in names.tables.qualified(qualname)[:_MOST_PARTS]:
        there = names.tables.file_of(entry)
        if there.language != "ruby" or entry.kind is _KIND_MODULE:
            continue
        if entry.kind not in TYPE_KINDS and entry.kind is not _KIND_CONSTANT:
            continue
        rank = (not entry.bases, -shared_prefix(file.path, there.path))
        if best is None or rank < best:
            best, found = rank, entry
    return found


def _resolved(folder: str, tail: str) -> str:
    parts = folder.split("/") if folder else []
    for part in tail.split("/"):
        if part == "..":
            parts = parts[:-1]
        elif part != ".":
            parts.append(part)
    return "/".join(parts)


FAMILY = Ruby()
