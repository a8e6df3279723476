"""What a Ruby method returns, inferred from its last expression, as it is never declared."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sonde.extract.spec import Node
    from sonde.extract.text_of import SourceText

# an earlier return may give something else; returning nothing adds no other type
_LEAVES = re.compile(rb"\breturn\b(?!\s*(?:if\b|unless\b|nil\b|;|\n|$))")
_ASSIGNED = frozenset({"assignment", "operator_assignment"})
_CONSTANT = re.compile(r"[A-Z]\w*(?:::[A-Z]\w*)*")
_NAME = re.compile(r"[a-z_]\w*")


def result(method: Node, source: SourceText) -> str:
    """The class of the returned instance, "self", the call whose result is returned, or ""."""
    body = method.child_by_field_name("body")
    if body is None:
        return ""
    last = next((each for each in reversed(body.named_children) if each.type != "comment"), None)
    if last is None or (last.type in _ASSIGNED and (last := _right(last)) is None):
        return ""
    if last.type not in ("self", "call"):
        return ""
    if _LEAVES.search(source.data, body.start_byte, body.end_byte):
        return ""
    return "self" if last.type == "self" else _called(last, source)


def _right(assignment: Node) -> Node | None:
    left = assignment.child_by_field_name("left")
    return (
        None
        if left is None or left.type == "element_reference"
        else (assignment.child_by_field_name("right"))
    )


def _called(call: Node, source: SourceText) -> str:
    name, receiver = source.field(call, "method"), call.child_by_field_name("receiver")
    if receiver is None:
        plain = call.child_by_field_name("block") is None and _NAME.fullmatch(name)
        return f"{name}()" if plain else ""
    holder = source.of(receiver)
    if not _CONSTANT.fullmatch(holder):
        return ""
    return holder if name == "new" else f"{holder}.{name}()"
