"""The parameters of function types: `(Row) -> Unit`, `Fn(&Row)`, `Consumer<? super Row>`."""

from __future__ import annotations

import re
from typing import NamedTuple

from sonde.lately import remembered
from sonde.link.chain import closing, split

_MARKS = re.compile(
    r"@\w+(?:\([^()]*\))?\s*|\b(?:suspend|final|const|dyn|impl|mut|noinline|crossinline|inout|async"
    r"|in|out|some|any|sending)\s+|\? (?:super|extends)\s+|&(?:'\w+\s+)?|\bthrows\b"
)
_HEAD = re.compile(r"([\w.:]*?)(\w+)\s*[<\[(]")
_RUST = frozenset({"Fn", "FnMut", "FnOnce"})
_WRAPPED = frozenset({"Box", "Arc", "Rc", "Option", "Optional", "Expression", "Nullable"})
# generic types of standard libraries, with how often each argument is taken as a parameter
_LAST_RETURNED = frozenset({"Function", "BiFunction", "Func", "ToIntBiFunction", "KFunction"})
_ALL_TAKEN = """
Consumer BiConsumer Predicate BiPredicate Action ToIntFunction ToLongFunction ToDoubleFunction
ObjIntConsumer Converter
"""
_ALL = frozenset(_ALL_TAKEN.split())
_TWICE = frozenset({"Comparator", "BinaryOperator", "Comparison"})
_ONCE = frozenset({"UnaryOperator"})


class FunctionType(NamedTuple):
    """What a function takes: the type of its receiver, "" for none, and of its parameters."""

    receiver: str
    params: tuple[str, ...]


@remembered(4096)
def function_type(text: str) -> FunctionType | None:
    """A written type as a function's; None if it is none or we do not know it."""
    text = _MARKS.sub("", text).strip().rstrip("?!").strip()
    if text[:1] == "(" and closing(text, 0) == len(text):  # `((Row) -> Unit)?`
        return function_type(text[1:-1])
    arrow = _arrow(text)
    if arrow >= 0:
        return _written(text[:arrow].strip())
    head = _HEAD.match(text)
    if head is None:
        return None
    opening = head.end() - 1
    end = closing(text, opening)
    if end < 0:
        return None
    inner = text[opening + 1 : end - 1]
    parts = tuple(each.strip() for each in split(inner, ",")) if inner.strip() else ()
    name = head[2]
    if text[opening] == "(":
        return FunctionType("", parts) if name in _RUST else None
    if name in _WRAPPED and len(parts) == 1:
        return function_type(parts[0])
    return _standard(name, parts)


def _standard(name: str, parts: tuple[str, ...]) -> FunctionType | None:
    if name in _LAST_RETURNED:
        return FunctionType("", parts[:-1])
    if name in _TWICE:
        return FunctionType("", parts[:1] * 2)
    if name in _ALL or name in _ONCE:
        return FunctionType("", parts)
    return None


def _arrow(text: str) -> int:
    """Where the arrow of a function type stands, outside all brackets; -1 for none."""
    if "->" not in text and "=>" not in text:
        return -1
    depth = 0
    for at, char in enumerate(text):
        if char in "([{<":
            depth += 1
        elif char in ")]}":
            depth -= 1
        elif char == ">":
            if text[at - 1] in "-=":
                if depth == 0:
                    return -1 if _RUST & set(re.findall(r"\w+", text[:at])) else at - 1
            else:
                depth -= 1
    return -1


def _written(taken: str) -> FunctionType | None:
    """What stands before the arrow: `Row`, `(Row, Int)`, `Row.(Int)`, `(row: Row)`."""
    receiver = ""
    if taken[-1:] == ")" and taken[:1] != "(":
        opening = taken.find(".(")
        if opening < 0 or closing(taken, opening + 1) != len(taken):
            return None
        receiver, taken = taken[:opening], taken[opening + 1 :]
    if taken[:1] != "(":
        return FunctionType("", (taken,))
    if closing(taken, 0) != len(taken):
        return None
    inner = taken[1:-1].strip()
    parts = [each.strip() for each in split(inner, ",")] if inner else []
    return FunctionType(receiver, tuple(_unnamed(each) for each in parts if each))


def _unnamed(param: str) -> str:
    """The type of a parameter that may have a name."""
    name, colon, type_ = param.partition(":")
    if colon and type_[:1] != ":" and re.fullmatch(r"[\w\s.?]+", name):
        return type_.strip()
    return param
