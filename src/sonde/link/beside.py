"""Members visible beside a function although no type in the workspace holds both."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sonde.link.chain import type_name
from sonde.link.names import HOLDERS, Found
from sonde.link.tables import Entry
from sonde.model import TYPE_KINDS, Kind, Provenance

if TYPE_CHECKING:
    from sonde.link.names import Names
    from sonde.link.receivers import Receivers

_HOW_DECLARED = Provenance.DECLARED
_HOW_SELF = Provenance.SELF  # bound once: reading a member off its enum costs 15 times as much
_KIND_TYPE_ALIAS = Kind.TYPE_ALIAS
_LONGEST_ALIAS = 6  # names that stand for one another before a type is reached
_MOST_NAMESAKES = 50  # of an extension that are looked at


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
    """What an extension that the file may use gives to a type or to what it inherits from. Both may
    be named by an alias."""
    names = receivers.names
    meant = _stood_for(names, type_)
    line = [*meant[:-1], *names.line(meant[-1])]
    for each in line:
        for entry in names.tables.owned(each.name):
            if entry.name == name and receivers.family.sees(names, receivers.file, entry):
                return entry
    return _by_alias(receivers, line, name) if receivers.family.aliases_extended else None


def implied(receivers: Receivers, scope: int, name: str) -> Found | None:
    """What an extension gives to the type around a scope, called without `this`."""
    for owner in receivers.spots.owners(scope) if receivers.family.extends_outside else ():
        entry = extension_of(receivers, owner, name)
        if entry is not None:
            return Found(entry, _HOW_SELF)
    return None


def _by_alias(receivers: Receivers, line: list[Entry], name: str) -> Entry | None:
    """An extension of an alias that stands for one of these types."""
    names, known = receivers.names, {each.id for each in line}
    for entry in names.tables.named(name)[:_MOST_NAMESAKES]:
        if not entry.owner or not receivers.family.sees(names, receivers.file, entry):
            continue
        owner = names.owner_of(entry)
        if owner is None or owner.kind is not _KIND_TYPE_ALIAS:
            continue
        if _stood_for(names, owner)[-1].id in known:
            return entry
    return None


def _stood_for(names: Names, type_: Entry) -> list[Entry]:
    """A type; or an alias, those it leads to and at last the type they stand for."""
    found = [type_]
    while found[-1].kind is _KIND_TYPE_ALIAS and len(found) < _LONGEST_ALIAS:
        target = names.type_of(found[-1])
        if not isinstance(target, Entry) or target.kind not in TYPE_KINDS or target in found:
            break
        found.append(target)
    return found


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
