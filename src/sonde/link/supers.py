"""Resolve `super`: the ancestors of a type, in the workspace or outside it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sonde.link.names import HOLDERS, Found, Target
from sonde.link.space import OUTSIDE, UNKNOWN
from sonde.link.tables import Entry, FileEntry
from sonde.model import TYPE_KINDS, Provenance

if TYPE_CHECKING:
    from sonde.link.names import Names

# Bound once: in Python 3.11 reading a member off its enum costs 15 times as much.
_HOW_HIERARCHY = Provenance.HIERARCHY
_HOW_SELF = Provenance.SELF
_HOW_DECLARED = Provenance.DECLARED

# languages in which using a non-existent member does not compile
_CHECKED = frozenset({"go", "java", "kotlin", "scala", "csharp", "typescript", "tsx", "swift"})


def inherited(names: Names, owner: Entry, name: str) -> Found | None:
    """A member looked up on the ancestors only; OUTSIDE if these continue outside the workspace."""
    for ancestor in names.line(owner)[1:]:
        found = names.own_member(ancestor, name)
        if found is not None:
            return Found(found, _HOW_HIERARCHY)
    return Found(OUTSIDE, _HOW_HIERARCHY) if _goes_on_outside(names, owner) else None


def parent(names: Names, owner: Entry) -> Found | None:
    """The immediate parent of a type."""
    line = names.line(owner)
    if len(line) > 1:
        return Found(line[1], _HOW_SELF, True)
    return Found(OUTSIDE, _HOW_SELF) if _goes_on_outside(names, owner) else None


def beyond(names: Names, target: Target, name: str) -> Found | None:
    """A member that no type in the workspace has although the compiler must know it: from an
    outside base, or in Go the base itself, which is a field of that name."""
    if isinstance(target, Entry) and target.kind in HOLDERS:
        target = names.type_of(target) or UNKNOWN
    if not isinstance(target, Entry) or not target.bases or target.kind not in TYPE_KINDS:
        return None
    language = names.tables.file_of(target).language
    if language not in _CHECKED:
        return None
    for each in names.line(target) if language == "go" else ():
        for base in each.bases:
            if base.rpartition(".")[2] == name:
                meant = names.meaning(each, base)
                return Found(meant, _HOW_DECLARED, True) if meant is not None else None
    return Found(OUTSIDE, _HOW_HIERARCHY) if _goes_on_outside(names, target) else None


def _goes_on_outside(names: Names, owner: Entry) -> bool:
    return any(
        names.meaning(each, base) is OUTSIDE for each in names.line(owner) for base in each.bases
    )


def inherited_constant(names: Names, file: FileEntry, owner: Entry, name: str) -> Target | None:
    """A constant that a type inherits from a superclass or a module mixed into it."""
    family = names.family(file.language)
    for above in names.line(owner)[1:]:
        found = family.absolute(names, file, f"{above.qualname}.{name}")
        if found is not None:
            return found
    return None
