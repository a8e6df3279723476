"""Brackets behind the name of a type that run no constructor: the companion's `invoke` of Kotlin
and `apply` of Scala, or that of an object."""

from __future__ import annotations

from sonde.link.overloads import Meant
from sonde.link.receivers import Receivers
from sonde.link.tables import Entry
from sonde.model import CALLABLE_KINDS, Kind, Provenance, Reference

# Bound once: in Python 3.11 reading a member off its enum costs 15 times as much.
_KIND_INTERFACE = Kind.INTERFACE
_NOT_MADE = frozenset({"object", "abstract", "sealed", "interface"})  # by brackets


LANGUAGES = frozenset({"kotlin", "scala"})


def run_by(receivers: Receivers, reference: Reference, type_: Entry, how: Provenance) -> Meant:
    """What brackets behind a type run where none of its constructors in the body takes them."""
    if receivers.file.language == "kotlin":
        return _invoked(receivers, reference, type_, how)
    names = receivers.names
    # `new Row(1)` runs no method; an object beside a class is told apart by extraction
    if not type_.static or names.beside(type_, static=False) is not type_:
        return Meant((), how)
    method = names.type_member(type_, "apply")
    if method is None or method.kind not in CALLABLE_KINDS:
        return Meant((), how)
    object_ = f"{reference.receiver}.{reference.name}".lstrip(".")
    return applied(receivers, reference._replace(name="apply", receiver=object_), method, how)


def _invoked(receivers: Receivers, reference: Reference, type_: Entry, how: Provenance) -> Meant:
    """Kotlin: what `Money(1)` runs; none if the constructor in the head does."""
    names, overloads = receivers.names, receivers.overloads
    method = names.type_member(type_, "invoke")
    if method is None:
        return Meant((), how)
    signature = names.tables.head(type_)
    words = frozenset(signature.partition("(")[0].split())
    if not method.static and "object" not in words:
        return Meant((), how)
    called = reference._replace(name=method.name, receiver=reference.name)
    made = words.isdisjoint(_NOT_MADE) and type_.kind is not _KIND_INTERFACE
    if made and "private" in words and "constructor" in words:
        around = receivers.owner(reference.scope)
        made = around is not None and around.id == type_.id
    if not made:
        return overloads.meant(called, method, how)
    if not names.tables.params(type_) and reference.args == "()":
        return Meant((), how)
    return overloads.constructors(called, type_, method, how)


def applied(receivers: Receivers, reference: Reference, target: Entry, how: Provenance) -> Meant:
    """Scala: what `Money(1)` runs, if `target` is an `apply` found there; none if the one that
    every case class has."""
    names, overloads = receivers.names, receivers.overloads
    value = receivers.value(reference.scope, reference.receiver)
    if value is None or value.instance or not isinstance(value.target, Entry):
        return Meant((), how)
    object_ = names.beside(value.target, static=True)
    several = overloads.beside(target)
    inherited = target.parent not in (value.target.id, object_.id)
    if not object_.static or not (inherited or any(each.static for each in several)):
        return Meant((), how)
    type_ = names.beside(value.target, static=False)
    if not type_.static and "case" in names.tables.head(type_).split("class", 1)[0].split():
        first = next((each for each in several if each.static), target)
        return overloads.constructors(reference, type_, first, how)
    return overloads.meant(reference, target, how)
