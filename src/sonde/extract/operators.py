"""Calls that a sign stands for: `rows[i]`, `a + b`, `x in rows`.

Linking keeps them only where it finds their definition, as most are those of numbers and texts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from sonde.extract.arguments import read_arguments, told_by
from sonde.model import Reference, RefKind

if TYPE_CHECKING:
    from sonde.extract.spec import Node
    from sonde.extract.text_of import SourceText

_OPERATOR = RefKind.OPERATOR  # bound once: reading a member off its enum is slow
_CHAIN = re.compile(r"[A-Za-z_][\w.]*(?:(?:::|\(\)|\?\.|!!\.)[\w.]*)*")  # what can be followed
_LONGEST = 120  # characters of an operand that are read
_INDEXED = frozenset({"index_expression", "element_access_expression", "subscript_expression"})
_CHAINED = frozenset({"<<", ">>"})
_KOTLIN = {
    "+": "plus",
    "-": "minus",
    "*": "times",
    "/": "div",
    "%": "rem",
    "..": "rangeTo",
    "..<": "rangeUntil",
    "in": "contains",
    "!in": "contains",
    "<": "compareTo",
    ">": "compareTo",
    "<=": "compareTo",
    ">=": "compareTo",
    "+=": "plusAssign",
    "-=": "minusAssign",
}


def kotlin_operators(node: Node, source: SourceText) -> Iterator[tuple[int, Reference]]:
    """`rows[i]` is `get`, as the target of an assignment `set`; `+` is `plus`, `in` `contains`."""
    if node.type in _INDEXED:
        given, around = node.named_children[1:], node.parent
        assigned = around.children if around is not None and around.type == "assignment" else ()
        if assigned and assigned[0] == node and source.of(assigned[1]) == "=":
            yield from _called("set", node, [*given, assigned[-1]], source)
        else:
            yield from _called("get", node, given, source)
        return
    sign = source.of(node.children[1])
    name = _KOTLIN.get(sign, "")
    left, right = node.children[0], node.children[-1]
    if sign in ("in", "!in"):
        left, right = right, left
    if name:
        yield from _called(name, left, [right], source, node)
    if name.endswith("Assign"):  # without one, `+=` assigns the sum
        yield from _called(name.removesuffix("Assign"), left, [right], source, node)


def csharp_operators(node: Node, source: SourceText) -> Iterator[tuple[int, Reference]]:
    """`rows[i]` is the indexer `this`; `a + b` the static `operator +`."""
    if node.type in _INDEXED:
        yield from _called("this", node, node.children[1].named_children, source)
        return
    sign, assigned = source.of(node.children[1]), node.type == "assignment_expression"
    if sign != "=":
        left, right = node.children[0], node.children[-1]
        name = f"operator {sign.removesuffix('=') if assigned else sign}"
        yield from _called(name, left, [left, right], source, node)


def cpp_operators(node: Node, source: SourceText) -> Iterator[tuple[int, Reference]]:
    """`rows[i]` is the member `operator[]`, `a + b` the member `operator+`."""
    if node.type in _INDEXED:
        yield from _called("operator[]", node, node.children[1].named_children, source)
        return
    sign = source.of(node.children[1])
    left, right = node.children[0], node.children[-1]
    while sign in _CHAINED and left.type == "binary_expression":
        if source.of(left.children[1]) != sign:
            break
        left = left.children[0]  # `out << a << b` gives `out` back
    yield from _called(f"operator{sign}", left, [right], source, node)


def swift_subscripts(node: Node, source: SourceText) -> Iterator[tuple[int, Reference]]:
    """`rows[i]` is a `subscript`, with labels as any call."""
    operand = node.children[0]
    receiver = source.of(operand) if operand.end_byte - operand.start_byte <= _LONGEST else ""
    if _CHAIN.fullmatch(receiver):
        args = read_arguments(node, source, "swift")
        yield operand.start_byte, Reference(_OPERATOR, "subscript", receiver, 0, 0, args)


def scala_operators(node: Node, source: SourceText) -> Iterator[tuple[int, Reference]]:
    """`a + b` and `a max b` call a method of a, `a :: b` one of b; `Row(1)` may call `apply`."""
    if node.type != "infix_expression":
        receiver = source.of(node) if node.end_byte - node.start_byte <= _LONGEST else ""
        if _CHAIN.fullmatch(receiver):
            args = read_arguments(node, source, "scala")
            yield node.end_byte, Reference(_OPERATOR, "apply", receiver, 0, 0, args)
        return
    left, sign, right = node.children[0], source.of(node.children[1]), node.children[-1]
    if sign[-1:] == ":":
        left, right = right, left
    yield from _called(sign, left, [right], source, node)


def _called(
    name: str, of: Node, given: list[Node], source: SourceText, around: Node | None = None
) -> Iterator[tuple[int, Reference]]:
    """The call of a method of an operand; an indexed one is the first child of `of`."""
    operand = of if around is not None else of.children[0]
    if operand.end_byte - operand.start_byte > _LONGEST:
        return
    receiver = source.of(operand).replace("->", ".")
    if _CHAIN.fullmatch(receiver):
        told = [told_by(each, source) for each in given]
        args = f"({','.join(told)})"
        yield operand.start_byte, Reference(_OPERATOR, name, receiver, 0, 0, args)
