"""Languages whose files declare a package or namespace and see the rest of it without imports."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from sonde.link.arity import taken
from sonde.link.imports.family import Family
from sonde.link.space import OUTSIDE, Space
from sonde.link.tables import Entry, FileEntry, family
from sonde.model import Import, Kind

if TYPE_CHECKING:
    from sonde.link.names import Names, Target

# Bound once: in Python 3.11 reading a member off its enum costs 15 times as much.
_KIND_MODULE = Kind.MODULE


# `com.acme.Db`, `\\Acme\\Db`, `Db`: a variable's name alone says nothing of a namespace
_NAMESPACE = re.compile(r"\\?\w+(?:(?:::|\\|\.)\w+)+|\\?[A-Z]\w*")


class Namespaces(Family):
    """Own package first, then wildcard imports; fully qualified names need no import."""

    nested_types = True
    parents_visible = False  # names in enclosing namespaces are visible too
    global_fallback = False  # names not found in a namespace are looked up globally
    parts_share_a_type = False  # a type may be split over several files of its namespace
    relative_names = False  # `Db.Client` is looked up below the namespace it is written in

    def imported(self, names: Names, file: FileEntry, item: Import) -> Target | None:
        module = item.module.replace("\\", ".").strip(".")
        if item.name == "*":
            module = self._opened(names, file, module)
            return self._space(names, file, module) or self.absolute(names, file, module)
        dotted = f"{module}.{item.name}".strip(".") if item.name else module
        found = self.absolute(names, file, dotted) or self._space(names, file, dotted)
        if found is None and item.name:
            holder = self.absolute(names, file, module)
            found = names.member(holder, item.name) if holder is not None else None
        if found is None and not names.tables.package(family(file.language), module):
            return OUTSIDE
        return found

    def visible(self, names: Names, file: FileEntry, name: str) -> Target | None:
        for package in self._own(file):
            found = self._in_package(names, file, package, name)
            if found is not None:
                return found
        for item in names.tables.imports(file):
            if item.name == "*":
                module = item.module.replace("\\", ".").strip(".")
                found = self._in_package(names, file, self._opened(names, file, module), name)
                if found is not None:
                    return found
                holder = self.absolute(names, file, module)
                member = names.member(holder, name) if holder is not None else None
                if member is not None:
                    return member
        if self.global_fallback and file.package:
            found = self._in_package(names, file, "", name)
        else:
            found = None
        return found or (OUTSIDE if name in self.everywhere else None)

    def _opened(self, names: Names, file: FileEntry, module: str) -> str:
        """The package that a wildcard import means: one inside the file's own may be named by the
        rest (`namespace Shop; using Orders;` opens Shop.Orders)."""
        if not (self.relative_names and self.parents_visible and file.package):
            return module
        key = (file.id, -1, module)
        if key not in names.modules:
            spelled = (module, *(f"{own}.{module}" for own in self._own(file)))
            found = (self._space(names, file, each) for each in spelled)
            names.modules[key] = next(filter(None, found), None)
        opened = names.modules[key]
        return opened.name if isinstance(opened, Space) else module

    def _own(self, file: FileEntry) -> Iterator[str]:
        package = file.package
        yield package
        while self.parents_visible and "." in package:
            package = package.rpartition(".")[0]
            yield package

    def _in_package(
        self, names: Names, file: FileEntry, package: str, qualname: str
    ) -> Entry | None:
        own = family(file.language)
        for entry in names.tables.qualified(qualname):
            there = names.tables.file_of(entry)
            if (
                there.package == package
                and family(there.language) == own
                and entry.kind is not _KIND_MODULE
            ):
                return entry
        return None

    def sees(self, names: Names, file: FileEntry, extension: Entry) -> bool:
        """Of other packages what is imported, by name or with its package."""
        if not super().sees(names, file, extension):
            return False
        package = names.tables.file_of(extension).package
        return package in self._own(file) or any(
            self._opened(names, file, item.module.replace("\\", ".").strip(".")) == package
            and item.name in ("*", extension.name)
            for item in names.tables.imports(file)
        )

    def _space(self, names: Names, file: FileEntry, package: str) -> Space | None:
        if names.tables.package(family(file.language), package):
            return Space(file.language, package)
        return None

    def inside(self, names: Names, space: Space, name: str) -> Target | None:
        own = family(space.language)
        for entry in names.tables.qualified(name):
            there = names.tables.file_of(entry)
            if (
                there.package == space.name
                and family(there.language) == own
                and entry.kind is not _KIND_MODULE
            ):
                return entry
        below = f"{space.name}.{name}"
        return Space(space.language, below) if names.tables.package(own, below) else None

    def absolute(self, names: Names, file: FileEntry, dotted: str) -> Target | None:
        parts = dotted.split(".")
        for cut in range(len(parts) - 1, 0, -1):
            found = self._in_package(names, file, ".".join(parts[:cut]), ".".join(parts[cut:]))
            if found is not None:
                return found
        if self.global_fallback and len(parts) == 1:
            return self._in_package(names, file, "", dotted)
        if self.relative_names and len(parts) > 1 and file.package:
            head, _, name = dotted.rpartition(".")
            for package in self._own(file):
                found = self._in_package(names, file, f"{package}.{head}", name)
                if found is not None:
                    return found
        return None

    def qualified(self, names: Names, file: FileEntry, receiver: str, name: str) -> Target | None:
        if not _NAMESPACE.fullmatch(receiver):
            return None
        dotted = receiver.replace("::", ".").replace("\\", ".").strip(".")
        return self.absolute(names, file, f"{dotted}.{name}")

    def parts(self, names: Names, owner: Entry, file: FileEntry) -> tuple[Entry, ...]:
        if not self.parts_share_a_type:
            return (owner,)
        others = (
            each
            for each in names.tables.qualified(owner.qualname)
            if each.kind is owner.kind
            and each.id != owner.id
            and taken(each) == taken(owner)
            and self.shares_functions(names, file, each)
        )
        return (owner, *others)

    def belongs(self, names: Names, owner: Entry, file: FileEntry, member: Entry) -> bool:
        if not (member.owner or self.parts_share_a_type):
            return False
        return self.shares_functions(names, file, member)

    def shares_functions(self, names: Names, file: FileEntry, other: Entry) -> bool:
        there = names.tables.file_of(other)
        return there.package == file.package and family(there.language) == family(file.language)
