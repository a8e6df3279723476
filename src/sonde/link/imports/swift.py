"""Swift: all files of a module see each other; extensions add members anywhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sonde.link.imports.family import Family
from sonde.link.nearness import shared_prefix
from sonde.link.space import OUTSIDE
from sonde.link.tables import Entry, FileEntry
from sonde.model import Import, Kind

if TYPE_CHECKING:
    from sonde.link.names import Names, Target

# Bound once: in Python 3.11 reading a member off its enum costs 15 times as much.
_KIND_MODULE = Kind.MODULE


class Swift(Family):
    """Files do not name their module, so a name counts if exactly one file clearly defines it."""

    implicit_self = True
    nested_types = True
    bases_apart = True
    extends_outside = True
    constructors = ("init",)
    call_methods = ("callAsFunction",)

    def imported(self, names: Names, file: FileEntry, item: Import) -> Target | None:
        return OUTSIDE

    def visible(self, names: Names, file: FileEntry, name: str) -> Target | None:
        ranked = []
        for entry in names.tables.qualified(name):
            there = names.tables.file_of(entry)
            if (
                there.language == "swift"
                and entry.kind is not _KIND_MODULE
                and not entry.owner
                and entry.visibility != "private"
            ):
                ranked.append((-shared_prefix(file.path, there.path), entry))
        if not ranked:
            return None
        nearest = min(rank for rank, _ in ranked)
        found = [entry for rank, entry in ranked if rank == nearest]
        return found[0] if len(found) == 1 else None

    def belongs(self, names: Names, owner: Entry, file: FileEntry, member: Entry) -> bool:
        return bool(member.owner) and names.tables.file_of(member).language == "swift"


FAMILY = Swift()
