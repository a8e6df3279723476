"""Swift: all files of a module see each other; extensions add members anywhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sonde.link.imports.family import Family
from sonde.link.nearness import shared_prefix
from sonde.link.space import OUTSIDE
from sonde.link.tables import Entry, FileEntry
from sonde.model import CALLABLE_KINDS, TYPE_KINDS, Import, Kind

if TYPE_CHECKING:
    from sonde.link.names import Names, Target

# Bound once: in Python 3.11 reading a member off its enum costs 15 times as much.
_KIND_MODULE = Kind.MODULE


class Swift(Family):
    """Files do not name their module, so a name counts if exactly one file clearly defines it."""

    implicit_self = True
    nested_types = True
    open_nesting = True
    bases_apart = True
    extends = True
    extends_outside = True
    constructors = ("init",)
    call_methods = ("callAsFunction",)

    def imported(self, names: Names, file: FileEntry, item: Import) -> Target | None:
        return OUTSIDE

    def visible(self, names: Names, file: FileEntry, name: str) -> Target | None:
        entries = names.tables.qualified(name)
        return self._nearest(names, file, [each for each in entries if not each.owner])

    def absolute(self, names: Names, file: FileEntry, dotted: str) -> Target | None:
        """A type in another, as extensions of it in any file declare them."""
        if "." not in dotted:
            return None
        if (found := self._of_module(names, dotted)) is not None:
            return found
        entries = names.tables.qualified(dotted)
        return self._nearest(names, file, [each for each in entries if each.kind in TYPE_KINDS])

    def qualified(self, names: Names, file: FileEntry, receiver: str, name: str) -> Target | None:
        """`Text.Parser()`, if only an extension of an outside type declares it."""
        return self.absolute(names, file, f"{receiver}.{name}")

    def _of_module(self, names: Names, dotted: str) -> Entry | None:
        """`Shop.open()`, `Shop.Cart`: what a module of the package defines."""
        module, _, rest = dotted.partition(".")
        homes = [folder for name, folder in names.tables.layout().swift_modules if name == module]
        for entry in names.tables.qualified(rest) if homes else ():
            path = names.tables.file_of(entry).path
            if entry.kind is not _KIND_MODULE and any(path.startswith(f"{h}/") for h in homes):
                return entry
        return None

    def _nearest(self, names: Names, file: FileEntry, entries: list[Entry]) -> Entry | None:
        ranked = []
        for entry in entries:
            there = names.tables.file_of(entry)
            if (
                there.language == "swift"
                and entry.kind is not _KIND_MODULE
                and entry.visibility != "private"
            ):
                ranked.append((-shared_prefix(file.path, there.path), entry))
        if not ranked:
            return None
        nearest = min(rank for rank, _ in ranked)
        found = [entry for rank, entry in ranked if rank == nearest]
        overloads = all(
            each.kind in CALLABLE_KINDS and each.file == found[0].file for each in found
        )
        return found[0] if len(found) == 1 or overloads else None

    def belongs(self, names: Names, owner: Entry, file: FileEntry, member: Entry) -> bool:
        there = names.tables.file_of(member)
        if not member.owner or there.language != "swift":
            return False
        return not self.has_type(names, there, owner.qualname)


FAMILY = Swift()
