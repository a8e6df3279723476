"""Members visible beside a function although no type in the workspace holds both."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sonde.link.chain import type_name
from sonde.link.names import HOLDERS, Found
from sonde.link.tables import Entry
from sonde.model import TYPE_KINDS, Provenance

if TYPE_CHECKING:
    from sonde.link.receivers import Receivers

_HOW_DECLARED = Provenance.DECLARED
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
    extends: `extension String { func a() { self.b() } }`. Another file may mean another type, and
    means another by a type parameter: `impl<T> Trait for T`."""
    index = receivers.type_around(scope) if receivers.family.extends_outside else 0
    owner = receivers.entries[index].owner if index else ""
    tables, file = receivers.names.tables, receivers.file
    elsewhere = None
    for entry in tables.owned(owner) if owner else ():
        if entry.name != name:
            continue
        there = tables.file_of(entry)
        if there.id == file.id:
            return Found(entry, _HOW_SELF)
        hidden = entry.visibility == "private" or len(owner) == 1
        if elsewhere is None and there.language == file.language and not hidden:
            elsewhere = Found(entry, _HOW_SELF)
    return elsewhere


def extended(
    receivers: Receivers, scope: int, receiver: str, value: Found, name: str
) -> Found | None:
    """A member that an extension gives to a value: of a type in the workspace, or of another
    library, for a variable or field that is declared as of just that type, as what the type
    inherits nobody here knows."""
    if value.instance and isinstance(value.target, Entry) and value.target.kind in TYPE_KINDS:
        given = extension_of(receivers, value.target, name)
        return Found(given, value.how) if given is not None else None
    tables, file = receivers.names.tables, receivers.file
    type_ = type_name(_declared(receivers, scope, receiver, value)).rpartition(".")[2]
    for entry in tables.owned(type_) if type_ else ():
        if entry.name == name and receivers.family.sees(receivers.names, file, entry):
            return Found(entry, _HOW_DECLARED)
    return None


def extension_of(receivers: Receivers, type_: Entry, name: str) -> Entry | None:
    """What an extension that the file may use gives to a type or to what it inherits from."""
    names = receivers.names
    for each in names.line(type_):
        for entry in names.tables.owned(each.name):
            if entry.name == name and receivers.family.sees(names, receivers.file, entry):
                return entry
    return None


def _declared(receivers: Receivers, scope: int, name: str, value: Found) -> str:
    for index in receivers.around(scope):
        binding = receivers.variables.bound.get((index, name))
        if binding is not None:
            return "" if binding.called else binding.type
        for param in receivers.symbols[index].params:
            if param.name == name:
                return param.type
    held = value.target
    if isinstance(held, Entry) and held.kind in HOLDERS and not held.returns.endswith("()"):
        return held.returns
    return ""
