"""What `super` means: the types above one, in the workspace or beyond it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sonde.link.names import Found
from sonde.link.space import OUTSIDE
from sonde.model import Provenance

if TYPE_CHECKING:
    from sonde.link.names import Names
    from sonde.link.tables import Entry

# Bound once: in Python 3.11 reading a member off its enum costs 15 times as much.
_HOW_HIERARCHY = Provenance.HIERARCHY
_HOW_SELF = Provenance.SELF


def inherited(names: Names, owner: Entry, name: str) -> Found | None:
    """A member looked up on the ancestors only; one from outside where these go on there."""
    for ancestor in names.line(owner)[1:]:
        found = names.own_member(ancestor, name)
        if found is not None:
            return Found(found, _HOW_HIERARCHY)
    return Found(OUTSIDE, _HOW_HIERARCHY) if _goes_on_outside(names, owner) else None


def parent(names: Names, owner: Entry) -> Found | None:
    """The type right above one."""
    line = names.line(owner)
    if len(line) > 1:
        return Found(line[1], _HOW_SELF, True)
    return Found(OUTSIDE, _HOW_SELF) if _goes_on_outside(names, owner) else None


def _goes_on_outside(names: Names, owner: Entry) -> bool:
    return any(
        names.meaning(each, base) is OUTSIDE for each in names.line(owner) for base in each.bases
    )
