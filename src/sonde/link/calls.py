"""Calls where methods have their own namespace: `date = date("x")` runs the method, not a field."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from sonde.link.names import HOLDERS, Found, Target
from sonde.link.sides import of_self
from sonde.link.space import UNKNOWN
from sonde.link.tables import Entry
from sonde.model import CALLABLE_KINDS, TYPE_KINDS, Kind, Provenance

if TYPE_CHECKING:
    from sonde.link.receivers import Receivers

# Bound once: in Python 3.11 reading a member off its enum costs 15 times as much.
_HOW_HIERARCHY = Provenance.HIERARCHY
_HOW_SELF = Provenance.SELF
_KIND_PROPERTY = Kind.PROPERTY

_LONGEST_ALIAS = 5  # names that stand for one another before a type is reached
_RUNNABLE = (CALLABLE_KINDS | TYPE_KINDS) - {Kind.TYPE_ALIAS}


def called(
    receivers: Receivers, found: Found, scope: int, receiver: str, name: str, sure: bool
) -> Found | None:
    """What a call with a resolved name means; `sure` if brackets or arguments prove the call."""
    target, family = found.target, receivers.family
    if not isinstance(target, Entry):
        return found
    if target.kind in _RUNNABLE:
        if sure and not receiver and target.kind in TYPE_KINDS and family.tags_apart:
            return _beside_tag(receivers, found, target)
        return found
    if not sure and not family.names_call:
        return found
    reader = family.calls_self and target.kind is _KIND_PROPERTY  # a method itself
    if target.kind in HOLDERS and not reader:
        method = _method(receivers, scope, receiver, name)
        if method is not None:
            own = receiver and method.how is _HOW_SELF
            return method._replace(how=found.how) if own else method
        if not receiver and (beside := _beside_field(receivers, target)) is not None:
            return Found(beside, found.how)
        if name in target.bases:  # an accessor that an annotation generates
            return found
        if (held := _called_holder(receivers, target)) is not None:
            return Found(held, found.how)
    meant = family.called(receivers.names, receivers.file, target)
    if meant is not None:
        return Found(meant, found.how, found.instance)
    outer = receivers.file_level(scope, name) if not receiver else None
    if outer is None or not isinstance(outer.target, Entry) or outer.target.kind in _RUNNABLE:
        return outer
    return None


def _beside_tag(receivers: Receivers, found: Found, tag: Entry) -> Found | None:
    """What calling the name of a structure means where a function may share it."""
    meant = receivers.family.called(receivers.names, receivers.file, tag)
    return found._replace(target=meant) if meant is not None else None


def _beside_field(receivers: Receivers, field: Entry) -> Entry | None:
    """The method that shares the name of an imported field."""
    owner = receivers.names.tables.entry(field.parent) if field.parent else None
    if owner is None or owner.kind not in TYPE_KINDS:
        return None
    method = receivers.names.own_member(owner, field.name)
    return method if method is not None and method.kind in CALLABLE_KINDS else None


def called_value(receivers: Receivers, scope: int, name: str, value: Found) -> Found | None:
    """What calling a variable runs: the call method of its type, else a method of that name."""
    for each in receivers.family.call_methods:
        member = receivers.names.member(value.target, each)
        # the methods of a Scala class's companion are not those of its instances
        if isinstance(member, Entry) and (member.owner or _has(receivers, value.target, member)):
            return Found(member, value.how)
    return _method(receivers, scope, "", name) if receivers.family.methods_apart else None


def _called_holder(receivers: Receivers, holder: Entry) -> Entry | None:
    """The call method of what a property holds: `class Shop(val rows: Rows) { … rows(1) }`."""
    names = receivers.names
    held = names.type_of(holder)
    if not isinstance(held, Entry):
        return None
    for each in receivers.family.call_methods:
        member = names.member(held, each)
        if isinstance(member, Entry) and _has(receivers, held, member):
            return member
    return None


def _has(receivers: Receivers, target: Target, member: Entry) -> bool:
    """Whether a member is in a type, in its ancestors or in the type it is an alias for."""
    for _ in range(_LONGEST_ALIAS):
        if not isinstance(target, Entry):
            break
        if member.parent in (each.id for each in receivers.names.line(target)):
            return True
        target = receivers.names.type_of(target) or UNKNOWN
    return False


def _method(receivers: Receivers, scope: int, receiver: str, name: str) -> Found | None:
    """The method of that name, if a variable or field shares it."""
    spot = receivers.spots.around(scope) if not receiver else 0
    own = receivers.spots.member(spot, name) if spot else None
    if own is not None and isinstance(own.target, Entry) and own.target.kind in CALLABLE_KINDS:
        return own
    for owner in _owners(receivers, scope, receiver):
        for each in receivers.names.line(owner):
            method = receivers.names.own_member(each, name)
            if method is not None and method.kind in CALLABLE_KINDS:
                meant = Found(method, _HOW_SELF if each.id == owner.id else _HOW_HIERARCHY)
                return meant if receiver else of_self(receivers, scope, 0, meant)
    return None


def _owners(receivers: Receivers, scope: int, receiver: str) -> Iterator[Entry]:
    """The types whose members a called name may refer to."""
    names, owner = receivers.names, receivers.owner(scope)
    if not receiver:
        if receivers.family.calls_self:
            spot = receivers.spots.around(scope)
            yield from receivers.spots.bases(spot) if spot else filter(None, (owner,))
        elif receivers.family.implicit_self:
            yield from receivers.spots.owners(scope)
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
