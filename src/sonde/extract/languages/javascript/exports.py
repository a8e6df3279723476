"""What a module exports under another name, recorded as an import without a module."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from sonde.extract.text_of import child_of
from sonde.model import Import

if TYPE_CHECKING:
    from sonde.extract.spec import Node
    from sonde.extract.text_of import SourceText

WHOLE = "module.exports"  # what `require` returns if a module is one function or class
_NAMED = frozenset({"function_expression", "generator_function", "class"})


def exported(node: Node, source: SourceText, line: int) -> Iterable[Import]:
    """`export { a as b }` and `export default a`."""
    clause = child_of(node, "(export_clause)")
    if clause is not None:
        for child in clause.named_children:
            name, alias = source.field(child, "name"), source.field(child, "alias")
            if alias and alias != name:
                yield Import("", name, alias.strip("\"'"), 0, line, True)
        return
    value = node.child_by_field_name("value")
    if value is not None and value.type == "identifier":
        yield Import("", source.of(value), "default", 0, line, True)
    declaration = node.child_by_field_name("declaration")
    name = source.field(declaration, "name") if declaration is not None else ""
    if name:
        yield Import("", name, "default", 0, line, True)


def assigned(target: Node, source: SourceText, line: int) -> Iterable[Import]:
    """`exports.a = b`, `module.exports = b`, `module.exports = { a: b }`."""
    left = target.parent
    assignment = left.parent if left is not None else None
    if left is None or assignment is None:
        return
    alias = source.field(left, "property")
    value = assignment.child_by_field_name("right")
    while value is not None and value.type == "assignment_expression":
        value = value.child_by_field_name("right")
    if value is None:
        return
    if source.of(target) == "module":
        if alias != "exports":
            return
        alias = WHOLE
        if value.type == "object":
            for pair in value.named_children:
                held = pair.child_by_field_name("value")
                if pair.type == "pair" and held is not None:
                    yield from _offered(held, source.field(pair, "key"), source, line)
            return
    yield from _offered(value, alias, source, line)


def _offered(value: Node, alias: str, source: SourceText, line: int) -> Iterable[Import]:
    if value.type == "identifier" and source.of(value) != alias:
        yield Import("", source.of(value), alias, 0, line, True)
    elif value.type in _NAMED and alias == WHOLE:
        own = source.field(value, "name")
        if own:
            yield Import("", own, alias, 0, line, True)
    else:
        module, name = required(value, source)
        if module:
            yield Import(module, name, alias, 0, line, True)


def required(value: Node, source: SourceText) -> tuple[str, str]:
    """The module and member of `require("./x")` or `require("./x").y`; "" if it is neither."""
    name = ""
    if value.type == "member_expression":
        inner = value.child_by_field_name("object")
        if inner is None:
            return "", ""
        name, value = source.field(value, "property"), inner
    if value.type != "call_expression" or source.field(value, "function") != "require":
        return "", ""
    arguments = value.child_by_field_name("arguments")
    text = child_of(arguments, "(string)") if arguments is not None else None
    return (source.of(text).strip("\"'`"), name) if text is not None else ("", "")
