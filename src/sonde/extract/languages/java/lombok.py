"""Lombok: the methods that its annotations add to a class, recorded at the fields they access."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sonde.extract.spec import Draft, Node
    from sonde.extract.text_of import SourceText

BUILDER = "builder"
_READ = frozenset({"Data", "Value", "Getter"})
_WRITTEN = frozenset({"Data", "Setter"})
_COPIED = frozenset({"With", "Wither"})
_BUILT = frozenset({"Builder", "SuperBuilder"})
_FLUENT = re.compile(rb"@Accessors\([^)]*\bfluent\s*=\s*true")
_MARK = re.compile(r"@(?:lombok\.(?:experimental\.)?)?(\w+)")
_MODIFIERS_LIMIT = 600  # bytes of a class's annotations that are read


def accessors(draft: Draft, field: Node, source: SourceText) -> tuple[str, ...]:
    """The names of methods that annotations add for a field; "builder" stands for a builder's."""
    if b"lombok" not in source.data or "static" in draft["signature"].partition("=")[0].split():
        return ()
    body = field.parent
    holder = body.parent if body is not None else None
    if body is None or holder is None:
        return ()
    head = source.slice(
        holder.start_byte, min(body.start_byte, holder.start_byte + _MODIFIERS_LIMIT)
    )
    given = {*_MARK.findall(head), *(mark.rpartition(".")[2] for mark in draft["decorators"])}
    fluent = _FLUENT.search(source.data, holder.start_byte, body.start_byte) is not None
    return tuple(_names(draft["name"], draft["returns"] == "boolean", given, fluent))


def _names(name: str, is_flag: bool, given: set[str], fluent: bool) -> list[str]:
    flagged = is_flag and name.startswith("is") and name[2:3].isupper()
    plain = name[2:] if flagged else name[:1].upper() + name[1:]
    found = []
    if given & _READ:
        found.append(name if fluent else ("is" if is_flag else "get") + plain)
    if given & _WRITTEN:
        found.append(name if fluent else "set" + plain)
    if given & _COPIED:
        found.append("with" + plain)
    if given & _BUILT:
        found += [name, BUILDER]
    return list(dict.fromkeys(found))
