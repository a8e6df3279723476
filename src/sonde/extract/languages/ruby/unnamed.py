"""Types without a name of their own: `Class.new(Base) do … end`, unless a constant holds it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sonde.extract.spec import Node
    from sonde.extract.text_of import SourceText

BODIES = frozenset({"class", "module", "singleton_class", "method", "singleton_method", "program"})
_MAKERS = re.compile(rb"\b(?:(?:Class|Module|Struct)\.new|Data\.define)\b")
_BASE = re.compile(r"^Class\.new[ (]\s*((?:::)?[A-Z][\w:]*)")
_ANY = "Object"  # what every type is derived from


def unnamed_base(node: Node, source: SourceText) -> str:
    """The base of the unnamed type that a definition or a mixin stands in; "" if in none."""
    if _MAKERS.search(source.data, 0, node.start_byte) is None:
        return ""  # most files: a parent is slow to find, the slower the deeper a node is
    inner, around = node, node.parent
    while around is not None and around.type not in BODIES:
        if around.type == "call" and inner.type in ("do_block", "block"):
            written = source.slice(around.start_byte, inner.start_byte)
            if _MAKERS.match(written.encode("utf-8", "replace")):
                return "" if _is_named(around) else _base(written)
        inner, around = around, around.parent
    return ""


def _base(written: str) -> str:
    found = _BASE.match(written)
    return found[1] if found is not None else _ANY


def _is_named(call: Node) -> bool:
    holder = call.parent
    left = holder.child_by_field_name("left") if holder is not None else None
    return left is not None and left.type in ("constant", "scope_resolution")
