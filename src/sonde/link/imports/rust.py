"""Rust: crates, the tree of modules, `use` with re-exports, impl blocks anywhere in the crate."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sonde.link.imports.family import Family
from sonde.link.space import OUTSIDE
from sonde.link.tables import Entry, FileEntry, folder_of
from sonde.model import Import, Kind

if TYPE_CHECKING:
    from sonde.link.names import Names, Target

# Bound once: in Python 3.11 reading a member off its enum costs 15 times as much.
_KIND_FIELD = Kind.FIELD
_KIND_MODULE = Kind.MODULE

_ROOTS = ("lib.rs", "main.rs", "mod.rs")
_OUTSIDE = frozenset({"std", "core", "alloc", "proc_macro", "test"})
_PRELUDE = """
Option Some None Result Ok Err Vec String Box drop Clone Copy Send Sync Sized Drop Fn FnMut FnOnce
Default Iterator IntoIterator Extend From Into TryFrom TryInto AsRef AsMut ToString ToOwned Eq
PartialEq Ord PartialOrd Debug Display Hash println print eprintln eprint format vec panic assert
assert_eq assert_ne write writeln todo unimplemented unreachable matches dbg env include_str
"""


class Rust(Family):
    """Paths start at the crate, at self, at super, at a name in scope, or at another crate."""

    supers: frozenset[str] = frozenset()
    extends_outside = True
    bases_apart = True
    methods_apart = True
    everywhere = frozenset(_PRELUDE.split())

    def imported(self, names: Names, file: FileEntry, item: Import) -> Target | None:
        if not item.module:  # a module with its body: its items are those of the file
            return names.tables.module(file)
        path = item.module.replace("::", ".").strip(".")
        if item.name and item.name not in ("*", "self"):
            path = f"{path}.{item.name}".strip(".")
        key = (file.id, 0, path)
        if key not in names.modules:
            names.modules[key] = None  # `use self::x::x` must not recurse
            names.modules[key] = self._path(names, file, path.split("."))
        return names.modules[key]

    def _path(self, names: Names, file: FileEntry, parts: list[str]) -> Target | None:
        first, rest = parts[0], parts[1:]
        found: Target | None
        if first == "crate":
            found = _module_of(names, _crate_root(names, file))
        elif first == "self":
            found = names.tables.module(file)
        elif first == "super":
            found = _module_of(names, _parent(names, file))
            while rest and rest[0] == "super" and isinstance(found, Entry):
                found = _module_of(names, _parent(names, names.tables.file_of(found)))
                rest = rest[1:]
        else:
            found = _module_of(names, _crate(names, first))
            if found is None:
                found = _child(names, file, first) or names.in_file(file.id, first)
            if found is None:
                return OUTSIDE
        for part in rest:
            if found is None:
                return None
            found = names.member(found, part)
        return found

    def visible(self, names: Names, file: FileEntry, name: str) -> Target | None:
        if name == "crate":
            return _module_of(names, _crate_root(names, file))
        if name == "self":
            return names.tables.module(file)
        if name == "super":
            return _module_of(names, _parent(names, file))
        child = _child(names, file, name)
        if child is not None:
            return child
        for item in names.tables.imports(file):
            if item.name == "*":
                module = self.imported(names, file, item)
                if isinstance(module, Entry) and not _is_own(module, file):
                    found = names.member(module, name)
                    if isinstance(found, Entry):
                        return found
        if name in self.everywhere or name in _OUTSIDE:
            return OUTSIDE
        return _module_of(names, _crate(names, name))

    def called(self, names: Names, file: FileEntry, target: Entry) -> Entry | None:
        """Fields are not called, and calling a module means its namesake: `use lex::lex`."""
        if target.kind is _KIND_MODULE:
            return names.in_file(target.file, target.name)
        return None if target.kind is _KIND_FIELD else target

    def belongs(self, names: Names, owner: Entry, file: FileEntry, member: Entry) -> bool:
        there = names.tables.file_of(member)
        if there.language != "rust" or not member.owner:
            return False
        if self.has_type(names, there, owner.qualname):
            return False
        root = _crate_root(names, file)
        return root is not None and root == _crate_root(names, there)


def _is_own(target: Entry, file: FileEntry) -> bool:
    """Whether it is the file itself, whose names are looked up anyway; not an enum in it."""
    return target.kind is _KIND_MODULE and target.file == file.id


def _module_of(names: Names, file: FileEntry | None) -> Entry | None:
    return names.tables.module(file) if file is not None else None


def _crate_root(names: Names, file: FileEntry) -> FileEntry | None:
    """The root file of the crate that a file belongs to."""
    folder = folder_of(file.path)
    while True:
        for name in ("lib.rs", "main.rs"):
            found = names.tables.file(f"{folder}/{name}".lstrip("/"))
            if found is not None:
                return found
        if not folder:
            return None
        folder = folder_of(folder)


def _crate(names: Names, name: str) -> FileEntry | None:
    for crate, folder, library in names.tables.layout().crates:
        if crate == name:
            return names.tables.file(library or f"{folder}/src/lib.rs".lstrip("/"))
    return None


def _home(file: FileEntry) -> str:
    """The folder that holds the child modules of a file."""
    folder, _, name = file.path.rpartition("/")
    if name in _ROOTS:
        return folder
    return f"{folder}/{name.removesuffix('.rs')}".lstrip("/")


def _child(names: Names, file: FileEntry, name: str) -> Entry | None:
    home = _home(file)
    for tail in (f"{name}.rs", f"{name}/mod.rs"):
        found = names.tables.file(f"{home}/{tail}".lstrip("/"))
        if found is not None and found.id != file.id:
            return names.tables.module(found)
    return None


def _parent(names: Names, file: FileEntry) -> FileEntry | None:
    folder, _, name = file.path.rpartition("/")
    if name == "mod.rs":
        folder = folder_of(folder)
    for tail in ("mod.rs", "lib.rs", "main.rs"):
        found = names.tables.file(f"{folder}/{tail}".lstrip("/"))
        if found is not None and found.id != file.id:
            return found
    return names.tables.file(f"{folder}.rs")


FAMILY = Rust()
