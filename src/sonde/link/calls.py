"""Calls where methods have names of their own: `date = date("x")` runs the method, no field."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from sonde.link.names import HOLDERS, Found
from sonde.link.tables import Entry
from sonde.model import CALLABLE_KINDS, TYPE_KINDS, Kind, Provenance

if TYPE_CHECKING:
    from sonde.link.receivers import Receivers

# Bound once: in Python 3.11 reading a member off its enum costs 15 times as much.
_HOW_HIERARCHY = Provenance.HIERARCHY
_HOW_SELF = Provenance.SELF

_RUNNABLE = (CALLABLE_KINDS | TYPE_KINDS) - {Kind.TYPE_ALIAS}


def called(
    receivers: Receivers, found: Found, scope: int, receiver: str, name: str, sure: bool
) -> Found | None:
    """What a call means whose name was found; `sure` when brackets or arguments tell the call."""
    target, family = found.target, receivers.family
    if not isinstance(target, Entry) or target.kind in _RUNNABLE:
        return found
    if not sure and not family.names_call:
        return found
    for owner in _owners(receivers, scope, receiver) if target.kind in HOLDERS else ():
        for each in receivers.names.line(owner):
            method = receivers.names.own_member(each, name)
            if method is not None and method.kind in CALLABLE_KINDS:
                how = found.how if receiver else _HOW_SELF
                return Found(method, how if each.id == owner.id else _HOW_HIERARCHY)
    meant = family.called(receivers.names, receivers.file, target)
    if meant is not None:
        return Found(meant, found.how, found.instance)
    outer = receivers.file_level(scope, name) if not receiver else None
    if outer is None or not isinstance(outer.target, Entry) or outer.target.kind in _RUNNABLE:
        return outer
    return None


def _owners(receivers: Receivers, scope: int, receiver: str) -> Iterator[Entry]:
    """The types among whose members a called name is looked for."""
    names, owner = receivers.names, receivers.owner(scope)
    if not receiver:
        while owner is not None and receivers.family.implicit_self:
            yield owner
            owner = names.owner_of(names.tables.entry(owner.parent)) if owner.parent else None
        return
    if receiver in receivers.family.supers:
        yield from names.line(owner)[1:] if owner is not None else ()
        return
    value = receivers.value(scope, receiver)
    target = value.target if value is not None else None
    if isinstance(target, Entry) and target.kind in HOLDERS:
        target = names.type_of(target)
    if isinstance(target, Entry) and target.kind in TYPE_KINDS:
        yield target
