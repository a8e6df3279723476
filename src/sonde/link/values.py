"""What an expression before a dot evaluates to: a chain of names, members and calls."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sonde.link.beside import extension_of, implied
from sonde.link.chain import Step
from sonde.link.expressions import (
    element_at,
    generic_type,
    is_callable,
    is_type,
    on_type,
    result_by_type,
    result_by_type_argument,
    text_of,
    through,
)
from sonde.link.fields import SELF_NAMES
from sonde.link.generics import ACCESSES
from sonde.link.lambdas import BLOCK_RECEIVER
from sonde.link.names import HOLDERS, Found, Target
from sonde.link.space import OUTSIDE, UNKNOWN
from sonde.link.supers import parent
from sonde.link.tables import Entry
from sonde.model import CALLABLE_KINDS, TYPE_KINDS, Provenance

if TYPE_CHECKING:
    from sonde.link.receivers import Receivers

# Bound once: in Python 3.11 reading a member off its enum costs 15 times as much.
_HOW_IMPORT = Provenance.IMPORT
_HOW_INFERRED = Provenance.INFERRED
_HOW_SELF = Provenance.SELF

_NOT_CALLED = frozenset({"super", "type"})  # `super()` and `type(self)` are values themselves
_OWN_CLASS = frozenset({"__class__", "class", "constructor"})


def value_of_chain(receivers: Receivers, scope: int, steps: tuple[Step, ...]) -> Found | None:
    """What a chain of names and calls evaluates to in a scope."""
    first = steps[0]
    found = _first(receivers, scope, first)
    named = first.name[:1].isupper() or receivers.family.packages_named(receivers.file)
    if found is None and len(steps) > 1 and named:
        found, steps = _spelled_out(receivers, steps)
    of_type, done = False, 0  # done: steps resolved through a declared collection
    for position, step in enumerate(steps):
        if position and position >= done and step.name in ACCESSES:
            held = through(receivers, scope, steps, position, found)
            if held is not None:
                found, done = held
        if position < done:
            continue
        if found is None or (position and found.target is UNKNOWN):
            return found
        if position:
            of_type = not found.instance and is_type(found.target)
            if isinstance(found.target, Entry):
                if step.name in receivers.family.type_objects:
                    return Found(OUTSIDE, found.how)
                if step.name in _OWN_CLASS:
                    continue
                if step.name == "this":  # Java: `Row.this` in a class nested in Row
                    found = Found(found.target, _HOW_SELF, True)
                    continue
            member = receivers.member(found, step.name) or _extension(receivers, found, step.name)
            if member is None and step.called and step.name in receivers.family.keeping:
                continue
            if step.called and _gives_itself(member):
                continue
            found = member
        called = step.called or (receivers.family.names_call and is_callable(found))
        if called and found is not None and not (position == 0 and first.name in _NOT_CALLED):
            found = _result(receivers, scope, found, step, of_type, steps[:position])
        elif found is not None and position and not found.instance:
            found = _generic(receivers, scope, found.target, steps[:position]) or found
        if step.element:
            found = element_at(receivers, scope, steps[: position + 1], found)
    return found


def _extension(receivers: Receivers, value: Found, name: str) -> Found | None:
    """What an extension gives to a value in the midst of a chain."""
    target = value.target
    if not (receivers.family.extends and value.instance and isinstance(target, Entry)):
        return None
    given = extension_of(receivers, target, name) if target.kind in TYPE_KINDS else None
    return Found(given, value.how) if given is not None else None


def _gives_itself(member: Found | None) -> bool:
    """Whether an extension gives back what it is called on: `fun <T : Row> T.kept(): T`."""
    target = member.target if member is not None else None
    return isinstance(target, Entry) and bool(target.owner) and target.returns == "this"


def _spelled_out(
    receivers: Receivers, steps: tuple[Step, ...]
) -> tuple[Found | None, tuple[Step, ...]]:
    """What the first names of a chain mean as a whole, if nothing has the first name alone,
    and the chain from the last of them on: `Api::Rows.find(1)`."""
    for end in range(1, len(steps)):
        if steps[end - 1].called:
            break
        space = ".".join(step.name for step in steps[:end])
        whole = receivers.family.qualified(receivers.names, receivers.file, space, steps[end].name)
        if whole is not None:
            return Found(whole, _HOW_IMPORT), steps[end:]
    return None, steps


def _result(
    receivers: Receivers,
    scope: int,
    function: Found,
    step: Step,
    of_type: bool,
    before: tuple[Step, ...],
) -> Found | None:
    """What a call with these arguments gives, after the steps before it."""
    target: Target | None = function.target
    if isinstance(target, Entry) and target.kind in HOLDERS and target.bases:
        # a generated accessor: without an argument it reads, with one it sets
        made = receivers.names.owner_of(target) if step.given else receivers.names.type_of(target)
        return Found(made, _HOW_INFERRED, True) if made is not None else None
    if receivers.overloads.needed and isinstance(target, Entry) and target.kind in CALLABLE_KINDS:
        if step.types and (typed := result_by_type(receivers, scope, target, step)) is not None:
            return typed
        target = receivers.overloads.returning(target, step, of_type)
        if step.type_args and target is not None:
            typed = result_by_type_argument(receivers, scope, target, step)
            if typed is not None:
                return typed
    result = receivers.names.result_of(target)
    if result is None:
        return _generic(receivers, scope, target, before)
    return Found(result, _HOW_INFERRED, True)


def _generic(
    receivers: Receivers, scope: int, member: Target | None, before: tuple[Step, ...]
) -> Found | None:
    """What a member holds or returns if its declaration names a type parameter."""
    if not isinstance(member, Entry) or not member.returns or member.kind in TYPE_KINDS:
        return None
    if not member.parent or any(step.element for step in before):
        return None
    written = generic_type(receivers, scope, text_of(before), member, member.returns)
    meant = receivers.names.meaning(*written) if written is not None else None
    return Found(meant, _HOW_INFERRED, True) if meant is not None else None


def _first(receivers: Receivers, scope: int, step: Step) -> Found | None:
    """What the first name of a chain stands for."""
    name = step.name
    if name in SELF_NAMES or name[0] == "@" or (name == "type" and step.called):
        for index in receivers.around(scope) if name == BLOCK_RECEIVER else ():
            if index < receivers.first_block:
                break
            held = receivers.receiver_of(index)
            if held is not None:
                return held
        owner = receivers.owner(scope)
        if owner is None:
            return receivers.find(scope, name)
        if name[0] == "@":
            whole = Found(owner, _HOW_SELF)
            return receivers.member(whole, name) or receivers.member(whole, name.lstrip("@"))
        return Found(owner, _HOW_SELF, True)
    if name in receivers.family.supers and receivers.local(scope, name) is None:
        owner = receivers.owner(scope)
        return parent(receivers.names, owner) if owner is not None else receivers.find(scope, name)
    found = receivers.find(scope, name) or made_here(receivers, scope, name)
    return found or (implied(receivers, scope, name) if step.called else None)


def made_here(receivers: Receivers, scope: int, name: str) -> Found | None:
    """What Ruby's `new` alone creates in a method of a class itself: one of that class."""
    if not name or name != receivers.family.maker or not on_type(receivers, scope, ""):
        return None
    owner = receivers.owner(scope)
    return Found(owner, _HOW_SELF, True) if owner is not None else None
