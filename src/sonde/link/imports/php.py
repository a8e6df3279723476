"""PHP: `use` binds one name; functions fall back to the global namespace."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sonde.link.imports.namespaces import Namespaces
from sonde.link.space import OUTSIDE
from sonde.link.tables import Entry, FileEntry
from sonde.model import Kind

if TYPE_CHECKING:
    from sonde.link.names import Names, Target

_KIND_ENUM = Kind.ENUM  # bound once: reading a member off its enum is slow
_PROPERTIES = frozenset({Kind.FIELD, Kind.PROPERTY})


class Php(Namespaces):
    """Files declare their namespaces, so autoload maps are not needed to find them."""

    root = "\\"
    supers = frozenset({"parent"})
    global_fallback = True
    relative_names = True
    constructors = ("__construct",)
    call_methods = ("__invoke",)
    methods_apart = True

    def makes(self, names: Names, target: Entry, name: str) -> bool:
        """`Status::from('paid')`"""
        return name in ("from", "tryFrom") and target.kind is _KIND_ENUM

    def outermost(self, names: Names, file: FileEntry, name: str) -> Target | None:
        """`\\strlen()` is no function of the namespace around it."""
        return self._in_package(names, file, "", name) or OUTSIDE

    def called(self, names: Names, file: FileEntry, target: Entry) -> Entry | None:
        """`$this->row()` runs a method even if a property has that name too."""
        return None if target.kind in _PROPERTIES else target


FAMILY = Php()
