"""The parameters of lambdas, by what the function that is called with them says.

A collection's own members give its elements; otherwise the parameter that takes the lambda has a
function type, or an interface with a single method.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sonde.link.arguments import BLOCK
from sonde.link.chain import Step, steps_of
from sonde.link.expressions import declaration, generic_type, text_of
from sonde.link.function_types import FunctionType, function_type
from sonde.link.generics import TAKES_ELEMENTS, taken_by
from sonde.link.names import Found
from sonde.link.space import UNKNOWN
from sonde.link.tables import Entry
from sonde.link.type_arguments import Written, stands_for
from sonde.model import CALLABLE_KINDS, TYPE_KINDS, Kind, Param, Provenance

if TYPE_CHECKING:
    from sonde.link.receivers import Receivers

# Bound once: in Python 3.11 reading a member off its enum costs 15 times as much.
_HOW_INFERRED = Provenance.INFERRED
_KIND_INTERFACE = Kind.INTERFACE
_KIND_METHOD = Kind.METHOD

BLOCK_RECEIVER = "this"
# Kotlin: functions of the standard library that give their receiver to the block
_GIVEN_AS_PARAMETER = frozenset({"let", "also", "takeIf", "takeUnless", "use"})
_GIVEN_AS_RECEIVER = frozenset({"apply", "run"})
_MOST_OVERLOADS = 12


def lambda_parameter(receivers: Receivers, scope: int, text: str) -> Found:
    """What a parameter of a lambda holds, given what extraction says of it."""
    nothing = Found(UNKNOWN, _HOW_INFERRED, True)
    index, _, called = _read(text)
    if receivers.file.language == "kotlin" and called:
        passed = _passed_on(receivers, scope, index, called)
        if passed is not None:
            return passed._replace(how=_HOW_INFERRED, instance=True)
    declared = declared_parameter(receivers, scope, text)
    meant = receivers.names.meaning(*declared) if declared is not None else None
    return Found(meant, _HOW_INFERRED, True) if meant is not None else nothing


def declared_parameter(receivers: Receivers, scope: int, text: str) -> Written | None:
    """Where the type of a lambda's parameter is written, and its text."""
    index, argument, called = _read(text)
    if not called:
        return None
    over, name = called[:-1], called[-1].name
    if over and name in TAKES_ELEMENTS and index.isdigit():
        held = declaration(receivers, scope, text_of(over))
        element = taken_by(held[1], name, int(index)) if held is not None else ""
        if held is not None and element:
            return held[0], element
    found = receivers.meaning(scope, text_of(over), name, True)
    target = found.target if found is not None else None
    if not isinstance(target, Entry):
        return None
    types = {}
    for each in _callables(receivers, target)[:_MOST_OVERLOADS]:
        param = _taking(receivers.names.tables.params(each), argument)
        taken = _parameter(receivers, each, param.type, index) if param is not None else None
        if taken is not None and taken[0] == each:
            taken = generic_type(receivers, scope, text_of(over), each, taken[1]) or taken
        if taken is not None:
            types[taken[1]] = taken
    return next(iter(types.values())) if len(types) == 1 else None


def _read(text: str) -> tuple[str, str, tuple[Step, ...]]:
    """The position of a parameter, of the argument it belongs to, and the steps to the callee."""
    place, _, callee = text.partition(" ")
    index, _, argument = place[1:].partition("/")
    return index, argument, steps_of(callee)


def _passed_on(
    receivers: Receivers, scope: int, index: str, called: tuple[Step, ...]
) -> Found | None:
    name = called[-1].name
    given = _GIVEN_AS_RECEIVER if index == BLOCK_RECEIVER else _GIVEN_AS_PARAMETER
    if len(called) < 2 or name not in given or index not in (BLOCK_RECEIVER, "0"):
        return None
    return receivers.value(scope, text_of(called[:-1]))


def _callables(receivers: Receivers, target: Entry) -> tuple[Entry, ...]:
    if target.kind in CALLABLE_KINDS:
        return receivers.overloads.beside(target)
    if target.kind not in TYPE_KINDS:
        return ()
    found = [target]
    for name in (*receivers.family.constructors, target.name):
        made = receivers.names.own_member(target, name)
        if made is not None and made.kind is Kind.CONSTRUCTOR:
            found.extend(receivers.overloads.beside(made))
    return tuple(found)


def _taking(params: tuple[Param, ...], argument: str) -> Param | None:
    """The parameter that takes an argument, by its position, its label or as a block behind."""
    if not params:
        return None
    if argument == BLOCK:
        return params[-1]
    if argument.isdigit():
        at = int(argument)
        return params[at] if at < len(params) else None
    return next((each for each in params if argument in (each.mark, each.name)), None)


def _parameter(receivers: Receivers, user: Entry, type_: str, index: str) -> Written | None:
    """The type of one parameter of a function type, and where it is written."""
    function = function_type(type_)
    if function is None:
        named = receivers.names.named_type(user, type_)
        if named is None or named.kind is Kind.TYPE_ALIAS:
            held = named or receivers.names.meaning(user, type_)
            alias = held.returns if isinstance(held, Entry) else ""
            function = function_type(alias) if alias else None
            return _at(held, function, index) if isinstance(held, Entry) else None
        if named.kind is _KIND_INTERFACE and index.isdigit():
            return _of_single_method(receivers, named, (user, type_), int(index))
        return None
    return _at(user, function, index)


def _at(user: Entry, function: FunctionType | None, index: str) -> Written | None:
    if function is None:
        return None
    if index == BLOCK_RECEIVER:
        return (user, function.receiver) if function.receiver else None
    params = function.params
    if not index.isdigit() or int(index) >= len(params):
        return None
    return user, params[int(index)]


def _of_single_method(
    receivers: Receivers, type_: Entry, written: Written, index: int
) -> Written | None:
    """The type of a parameter of the only method that an interface leaves to others."""
    names = receivers.names
    members = names.tables.members(type_)
    methods = [each for each in members if each.kind is _KIND_METHOD and each.declared]
    if len(methods) != 1:
        return None
    params = names.tables.params(methods[0])
    if index >= len(params):
        return None
    text = params[index].type
    return stands_for(names, type_, written, methods[0], text) or (methods[0], text)
