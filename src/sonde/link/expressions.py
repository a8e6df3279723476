"""What an expression is: its type, its elements in a loop, or whether it is a type itself."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sonde.link.arguments import ALL
from sonde.link.chain import Step, element_type, steps_of, type_name
from sonde.link.generics import ACCESSES, UNWRAPS, given_by, indexed
from sonde.link.names import HOLDERS, Found, Target
from sonde.link.space import UNKNOWN
from sonde.link.tables import Entry
from sonde.link.type_arguments import names_parameter, replaced, stands_for
from sonde.model import CALLABLE_KINDS, TYPE_KINDS, Kind, Provenance

if TYPE_CHECKING:
    from sonde.link.receivers import Receivers

# Bound once: in Python 3.11 reading a member off its enum costs 15 times as much.
_KIND_CONSTANT = Kind.CONSTANT
_HOW_INFERRED = Provenance.INFERRED

_OF_TYPE = re.compile(r"(?:\w+\.)*K?Class<(?:\? extends |out )?(\w+)>")
_CLOSED = (")", ">")  # what ends a call's arguments, or its type arguments
# In a static method these mean the type, elsewhere an instance.
_BY_PLACE = frozenset({"self", "this", "cls", "$this", "static"})


def on_type(receivers: Receivers, scope: int, receiver: str) -> bool | None:
    """Whether a receiver is a type rather than an instance; None if unknown."""
    if not receiver or receiver in _BY_PLACE or receiver in receivers.family.supers:
        for index in receivers.around(scope):
            symbol = receivers.symbols[index]
            member = symbol.owner or receivers.symbols[symbol.parent].kind in TYPE_KINDS
            if member and symbol.kind not in TYPE_KINDS:
                return symbol.static
        return None
    if receiver == "Self" or receiver.endswith((".class", ".constructor", "::class")):
        return True
    value = receivers.value(scope, receiver)
    if value is None or not isinstance(value.target, Entry):
        return None
    if value.instance or value.target.kind in HOLDERS:
        return value.target.renames and not value.instance
    return is_type(value.target) or None


def type_of(receivers: Receivers, scope: int, text: str) -> tuple[str, frozenset[str]]:
    """The type of an expression as written, and the names of all that it inherits from."""
    made = text[:1] == "+"  # `new Row()`, `(Row) x`
    declared = (receivers.entries[scope], text[1:]) if made else declaration(receivers, scope, text)
    if declared is not None and declared[1]:
        user, type_ = declared
        found = receivers.names.meaning(user, type_) if not type_.endswith("()") else None
    else:
        value = receivers.value(scope, text)
        found = value.target if value is not None else None
        if isinstance(found, Entry) and found.kind is _KIND_CONSTANT and found.parent:
            found = receivers.names.tables.entry(found.parent)  # `Color.Red` is a Color
        type_ = found.name if isinstance(found, Entry) and found.kind in TYPE_KINDS else ""
    if type_.endswith("()"):
        type_ = ""
    if not isinstance(found, Entry) or found.kind not in TYPE_KINDS:
        return type_, frozenset()
    named = receivers.names.tables.qualified(found.qualname)  # a type of C# may have many parts
    parts = [each for each in named if each.kind in TYPE_KINDS] if len(named) > 1 else [found]
    line = [each for part in parts for each in receivers.names.line(part)]
    known = all(len(receivers.names.bases(each)) == len(each.bases) for each in line)
    above = {base.rpartition(".")[2] for each in line for base in each.bases}
    return type_, frozenset(above | {each.name for each in line} | ({ALL} if known else set()))


def element(receivers: Receivers, scope: int, text: str) -> Found:
    """What a loop over an expression yields, as far as its declaration says."""
    declared = declaration(receivers, scope, text)
    element = element_type(declared[1]) if declared is not None else ""
    meant = receivers.names.meaning(declared[0], element) if declared and element else None
    return Found(meant or UNKNOWN, _HOW_INFERRED, True)


def declaration(receivers: Receivers, scope: int, text: str) -> tuple[Entry, str] | None:
    """Where the type of a name, attribute or call result is written, and its text."""
    key = (scope, text)
    known = receivers.declared
    if key not in known:
        known[key] = None  # `rows = rows.filter()` ends here
        known[key] = _declaration(receivers, scope, text)
    return known[key]


def _declaration(receivers: Receivers, scope: int, text: str) -> tuple[Entry, str] | None:
    for index in receivers.around(scope) if text.isidentifier() else ():
        binding = receivers.variables.bound.get((index, text))
        if binding is not None:
            return receivers.variables.declared(binding)
        for param in receivers.symbols[index].params:
            if param.name == text:
                return receivers.entries[index], param.type
    receiver, step = _last_of(text)
    name = step.name
    found = receivers.meaning(scope, receiver, name, False)
    if found is None or not isinstance(found.target, Entry):
        held = declaration(receivers, scope, receiver) if receiver and name in ACCESSES else None
        given = given_by(held[1], name) if held is not None else ""
        return (held[0], given) if held is not None and given else None
    target = found.target
    called = target.kind in CALLABLE_KINDS or (bool(target.bases) and target.kind in HOLDERS)
    if called != step.called or target.kind in TYPE_KINDS:
        return None
    if step.type_args and target.kind in CALLABLE_KINDS:
        static = on_type(receivers, scope, receiver) is True
        typed = receivers.overloads.returning(target, step, static)
        return returned(receivers, scope, typed, step) if typed is not None else None
    written = target.returns
    return generic_type(receivers, scope, receiver, target, written) or (target, written)


def _last_of(text: str) -> tuple[str, Step]:
    """What comes before the last name of an expression, and the step that this name is."""
    plain = text.removesuffix("()")
    steps = steps_of(text) if plain[-1:] in _CLOSED else ()
    if steps:
        return text_of(steps[:-1]), steps[-1]
    receiver, _, name = plain.rpartition(".")
    return receiver, Step(name, plain != text)


def returned(
    receivers: Receivers, scope: int, function: Entry, step: Step
) -> tuple[Entry, str] | None:
    """Where the type that a call returns is written, and its text, with the call's type arguments
    for the type parameters of the function."""
    params = receivers.names.tables.type_params(function) if step.type_args else ()
    user = receivers.entries[scope]
    known = {param: (user, given) for param, given in zip(params, step.type_args, strict=False)}
    return replaced(function.returns, known, function)


def generic_type(
    receivers: Receivers, scope: int, receiver: str, member: Entry, text: str
) -> tuple[Entry, str] | None:
    """A type in a member's declaration that names type parameters of the member's owner, by what
    the declaration of the receiver says; None if it names none or nothing says it."""
    if not names_parameter(receivers.names, member, text):
        return None
    if not receiver or receiver in _BY_PLACE:
        type_, given = receivers.owner(scope), None
    else:
        value = receivers.value(scope, receiver)
        held = value.target if value is not None else None
        if isinstance(held, Entry) and held.kind in HOLDERS:
            held = receivers.names.type_of(held)
        given = declaration(receivers, scope, receiver)
        type_ = held if isinstance(held, Entry) else None
    if type_ is None or type_.kind not in TYPE_KINDS:
        return None
    return stands_for(receivers.names, type_, given, member, text)


def through(
    receivers: Receivers, scope: int, steps: tuple[Step, ...], position: int, found: Found | None
) -> tuple[Found, int] | None:
    """The result of a chain after the members of a declared collection or wrapper, which begin
    at a given position, and where the rest of the chain begins."""
    target = found.target if found is not None else UNKNOWN
    if isinstance(receivers.names.member(target, steps[position].name), Entry):
        return None
    declared = _declared(receivers, scope, steps[:position], found)
    text = declared[1] if declared is not None else ""
    at = position
    while at < len(steps) and text:
        step = steps[at]
        given = given_by(text, step.name)
        if not given and at > position and step.name in UNWRAPS:
            given = text
        if not given:
            break
        text = indexed(given) if step.element else given
        at += 1
    if declared is None or at == position:
        return None
    meant = receivers.names.meaning(declared[0], text)
    return Found(meant or UNKNOWN, _HOW_INFERRED, True), at


def element_at(
    receivers: Receivers, scope: int, steps: tuple[Step, ...], found: Found | None
) -> Found:
    """The element at an index of the collection that a chain refers to."""
    last = steps[-1]._replace(element=False)
    declared = _declared(receivers, scope, (*steps[:-1], last), found)
    element = indexed(declared[1]) if declared is not None else ""
    meant = receivers.names.meaning(declared[0], element) if declared and element else None
    return Found(meant or UNKNOWN, _HOW_INFERRED, True)


def result_by_type(receivers: Receivers, scope: int, function: Entry, step: Step) -> Found | None:
    """The result of a call that is given a type: `<T> T make(Class<T> type)`, `make(Row.class)`."""
    names, result = receivers.names, function.returns
    for entry in names.tables.qualified(function.qualname) if result.isidentifier() else ():
        if entry.file != function.file or entry.returns != result:
            continue
        for param, type_ in zip(names.tables.params(entry), step.types, strict=False):
            match = _OF_TYPE.fullmatch(param.type) if type_ else None
            if match is not None and match[1] == result:
                meant = names.meaning(receivers.entries[scope], type_)
                return Found(meant or UNKNOWN, _HOW_INFERRED, True)
    return None


def result_by_type_argument(
    receivers: Receivers, scope: int, function: Entry, step: Step
) -> Found | None:
    """The result of a call that is given the type it returns: `T Make<T>()`, `Make<Row>()`."""
    result = type_name(function.returns)
    params = receivers.names.tables.type_params(function) if result else ()
    at = params.index(result) if result in params else len(step.type_args)
    if at >= len(step.type_args):
        return None
    meant = receivers.names.meaning(receivers.entries[scope], step.type_args[at])
    return Found(meant or UNKNOWN, _HOW_INFERRED, True)


def _declared(
    receivers: Receivers, scope: int, steps: tuple[Step, ...], found: Found | None
) -> tuple[Entry, str] | None:
    """Where the type of a chain that leads to `found` is written, and its text."""
    target = found.target if found is not None else None
    if isinstance(target, Entry) and target.kind in HOLDERS:
        return target, target.returns
    if any(step.element for step in steps):
        return None
    return declaration(receivers, scope, text_of(steps))


def text_of(steps: tuple[Step, ...]) -> str:
    """A chain as text, with blanks for arguments."""
    return ".".join([_written(step) for step in steps])


def _written(step: Step) -> str:
    text = f"{step.name}<{','.join(step.type_args)}>" if step.type_args else step.name
    if step.called:
        text += f"({','.join('_' * step.given)})"
    return f"{text}[_]" if step.element else text


def is_type(target: Target) -> bool:
    """Whether a name resolves to a type."""
    return isinstance(target, Entry) and target.kind in TYPE_KINDS


def is_callable(found: Found | None) -> bool:
    """Whether a name resolves to a function."""
    target = found.target if found is not None else None
    return isinstance(target, Entry) and target.kind in CALLABLE_KINDS
