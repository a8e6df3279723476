"""Members visible beside a function although no type in the workspace holds both."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sonde.link.names import Found
from sonde.model import TYPE_KINDS, Provenance

if TYPE_CHECKING:
    from sonde.link.receivers import Receivers

_HOW_SELF = Provenance.SELF  # bound once: reading a member off its enum costs 15 times as much


def in_object(receivers: Receivers, scope: int, name: str) -> Found | None:
    """Another member of the object literal around a function: `{ a() { this.b() } }`."""
    around = receivers.entries[receivers.type_around(scope)]
    if not around.owner or around.kind in TYPE_KINDS:
        return None
    member = receivers.names.in_file(receivers.file.id, f"{around.owner}.{name}")
    return Found(member, _HOW_SELF) if member is not None else None


def in_extension(receivers: Receivers, scope: int, name: str) -> Found | None:
    """A member from another extension of the same outside type that the extension around a scope
    extends: `extension String { func a() { self.b() } }`."""
    index = receivers.type_around(scope) if receivers.family.extends_outside else 0
    owner = receivers.entries[index].owner if index else ""
    tables, file = receivers.names.tables, receivers.file
    for entry in tables.owned(owner) if owner else ():
        there = tables.file_of(entry)
        hidden = entry.visibility == "private" and there.id != file.id
        if entry.name == name and there.language == file.language and not hidden:
            return Found(entry, _HOW_SELF)
    return None
