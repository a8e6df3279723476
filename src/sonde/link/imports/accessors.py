"""Methods that annotations generate for a class, mapped to the field each stands for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sonde.link.tables import Entry
from sonde.model import Kind

if TYPE_CHECKING:
    from sonde.link.names import Names

_KIND_FIELD = Kind.FIELD  # bound once: reading a member off its enum costs 15 times as much
_PREFIXES = ("get", "set", "is", "with")
_STARTS = frozenset({"ge", "se", "is", "wi", "bu", "to"})
_BUILDER = "builder"
_BUILDS = frozenset({_BUILDER, "toBuilder", "build"})


def accessed(names: Names, owner: Entry, name: str) -> Entry | None:
    """The field that a generated method of a type reads, sets or is named after, or the type
    itself for methods that create or finish a builder of it."""
    if name[:2] not in _STARTS or not _generates(names, owner):
        return None
    if name in _BUILDS:
        for member in names.tables.members(owner):
            if member.kind is _KIND_FIELD and _BUILDER in member.bases:
                return owner
        return None
    for field in _fields(name):
        for entry in names.tables.qualified(f"{owner.qualname}.{field}"):
            if entry.file == owner.file and entry.kind is _KIND_FIELD and name in entry.bases:
                return entry
    return None


def _generates(names: Names, owner: Entry) -> bool:
    """Whether the file of a type imports annotations that generate methods."""
    known = names.generating.get(owner.file)
    if known is None:
        file = names.tables.file_of(owner)
        known = names.generating[owner.file] = file.language == "java" and any(
            item.module.startswith("lombok") for item in names.tables.imports(file)
        )
    return known


def _fields(name: str) -> list[str]:
    """The fields whose accessor may have this name."""
    for prefix in _PREFIXES:
        rest = name.removeprefix(prefix)
        if rest != name and rest[:1].isupper():
            return [rest[:1].lower() + rest[1:], rest, f"is{rest}"]
    return []
