"""Whether parameters accept the arguments of a call: by number and labels, then by types.

Types are compared by name. A grade says how well one fits; an unknown type fits anything.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from sonde.lately import remembered
from sonde.model import Param

BLOCK = "{}"  # an argument that is a function, or follows the brackets of a call
ALL = "*"  # among names: the list is complete
NEVER, LITERALS, ALWAYS = range(3)  # what may be implicitly converted to a project's own types
NO, MAYBE, WIDENED, INHERITED, SAME = range(5)  # grades

# Built-in types, each under one name for all that hold the same values.
_PLAIN = {
    "string": "String string str",
    "int": "int Int Integer int32 Int32",
    "long": "long Long Int64 int64 int64_t uint64_t size_t ulong ULong UInt64",
    "short": "short Short byte Byte sbyte UInt8 Int8 Int16 UInt16 ushort uint uint32_t UInt UInt32",
    "double": "double Double float Float decimal CGFloat",
    "bool": "boolean Boolean bool Bool",
    "char": "char Character Char",
}
_CLASSES = {name: plain for plain, names in _PLAIN.items() for name in names.split()}
_LITERALS = {'"': "string", "1": "int", "1.0": "double", "true": "bool", "'": "char"}
_WIDER = {
    "int": frozenset({"long", "short", "double"}),
    "short": frozenset({"int", "long", "double"}),
    "long": frozenset({"double"}),
    "char": frozenset({"int"}),
}
_ANYTHING = frozenset({"Object", "object", "Any", "any", "AnyObject", "dynamic", "auto", "unknown"})
_TEXTS = frozenset({"CharSequence", "Comparable", "string_view", "StringView"})
_NOISE = re.compile(r"@\w+(?:\([^)]*\))?|\b(?:const|final|in|out|ref|inout|some|any|vararg)\b")


class Argument(NamedTuple):
    """One argument of a call."""

    label: str  # "_" for none
    hint: str  # a literal, a name or a call; "" if nothing is known


@remembered(8192)
def arguments_of(args: str) -> tuple[Argument, ...]:
    """The arguments as recorded by extraction."""
    parts = args[1:-1].split(",") if len(args) > 2 else ()
    found = (part.partition(":") for part in parts)
    return tuple(Argument(label, BLOCK if label == BLOCK else hint) for label, _, hint in found)


def takes(params: tuple[Param, ...], args: str, labelled: bool) -> bool:
    """Whether a callable accepts this many arguments with these labels."""
    return bound(params, args, labelled) is not None


@remembered(8192)
def bound(params: tuple[Param, ...], args: str, labelled: bool) -> tuple[Param, ...] | None:
    """The parameter that takes each argument; None if they do not fit."""
    given = arguments_of(args)
    return _by_labels(params, given) if labelled else _by_position(params, given)


def _by_position(params: tuple[Param, ...], given: Sequence[Argument]) -> tuple[Param, ...] | None:
    names = {param.name: param for param in params}
    named = {each.label for each in given if each.label not in ("_", BLOCK)}
    if not named <= names.keys() or (given and not params):
        return None
    free = [param for param in params if param.name not in named]
    positions = len(given) - len(named)
    most = len(free) if not any(map(repeats, free)) else positions
    if not sum(not may_miss(param) for param in free) <= positions <= most:
        return None
    found, at = [], 0
    for each in given:
        if each.label in named:
            found.append(names[each.label])
        elif each.label == BLOCK:
            found.append(params[-1])
        else:
            found.append(free[min(at, len(free) - 1)])
            at += 1
    return tuple(found)


def _by_labels(params: tuple[Param, ...], given: Sequence[Argument]) -> tuple[Param, ...] | None:
    """Swift: labels follow the order of the parameters; trailing closures have none."""
    found: list[Param] = []
    for at, param in enumerate(params):
        label = param.mark or param.name
        following = given[len(found)].label if len(found) < len(given) else ""
        if following == label:
            found.append(param)
            while repeats(param) and [each.label for each in given[len(found) :][:1]] == ["_"]:
                found.append(param)
        elif following == BLOCK and _is_for_block(params[at:], len(given) - len(found)):
            found.append(param)
        elif not may_miss(param):
            return None
    return tuple(found) if len(found) == len(given) else None


def _is_for_block(params: tuple[Param, ...], blocks: int) -> bool:
    """Whether the first parameter takes the next of so many trailing closures of a call."""
    first, *rest = params
    if may_miss(first) and sum(not may_miss(each) for each in rest) >= blocks:
        return False  # those behind it need them
    if "->" in first.type or not may_miss(first):
        return True
    better = any("->" in each.type or not may_miss(each) for each in rest)
    return not better and plain_type(first.type) not in _PLAIN  # an alias of a function


def repeats(param: Param) -> bool:
    """Whether a parameter takes any number of arguments."""
    return param.mark == "..." or param.type.endswith("...")


def may_miss(param: Param) -> bool:
    """Whether calls may omit a parameter."""
    return bool(param.default) or param.mark == "?" or repeats(param)


@remembered(8192)
def plain_type(text: str) -> str:
    """The name by which a type is compared: no namespace, arguments or marks."""
    text = _NOISE.sub("", text).strip(" *&?!.")
    head = re.split(r"[<\[(\s]", text.strip(), maxsplit=1)[0]
    name = re.split(r"::|\.", head)[-1]
    several = "[]" if "[]" in text or text[:1] == "[" else ""
    return _CLASSES.get(name, name) + several


def is_built_in(text: str) -> bool:
    """Whether a type is a number, text or the like."""
    return plain_type(text) in _PLAIN


def literal_type(hint: str) -> str:
    """The type of a literal, "" for all other arguments."""
    return _LITERALS.get(hint, "")


@remembered(8192)
def grade(param: str, given: str, above: frozenset[str], converts: int) -> int:
    """How well a parameter of one type takes a value of another, both as written.

    `above` names the ancestors of the value's type, with ALL if there are no more; `converts`
    says which built-in types the language converts implicitly.
    """
    wanted, held = plain_type(param.removesuffix("...")), plain_type(given)
    if given == BLOCK:
        if "->" in param or "=>" in param:
            return SAME
        return NO if wanted in _PLAIN else MAYBE
    if not wanted or not held:
        return MAYBE
    if wanted == held:
        return SAME
    if wanted in above:
        return INHERITED
    if wanted in _ANYTHING or len(wanted) == 1 or "->" in param or "=>" in param:
        return MAYBE
    if held in _PLAIN:
        text = held == "string" and (wanted in _TEXTS or (wanted == "char" and converts is ALWAYS))
        if text or wanted in _WIDER.get(held, ()):
            return WIDENED
        return MAYBE if converts > NEVER and wanted not in _PLAIN else NO
    if wanted in _PLAIN:  # only by an operator of a type in the project, or in C++
        return MAYBE if converts is ALWAYS or (converts and above) else NO
    return NO if ALL in above and converts < ALWAYS else MAYBE
