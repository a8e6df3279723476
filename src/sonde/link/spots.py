"""Anonymous types, created on the spot: `new Base() { void run() { go(); } }`.

Their methods are recognised by having bases: those that the anonymous type inherits from.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from sonde.link.names import Found, is_on_the_spot
from sonde.model import Kind, Provenance

if TYPE_CHECKING:
    from sonde.link.receivers import Receivers
    from sonde.link.tables import Entry

# Bound once: in Python 3.11 reading a member off its enum costs 15 times as much.
_HOW_HIERARCHY = Provenance.HIERARCHY
_HOW_SELF = Provenance.SELF
_KIND_CONSTRUCTOR = Kind.CONSTRUCTOR


class Spots:
    """The methods of one file that belong to anonymous types."""

    def __init__(self, receivers: Receivers) -> None:
        self._receivers = receivers
        self.exist = False
        self._members: dict[tuple[int, tuple[str, ...], str], int] = {}

    def add(self, index: int) -> bool:
        """Record a symbol if it belongs to an anonymous type."""
        symbol = self._receivers.symbols[index]
        if not is_on_the_spot(symbol):
            return False
        self.exist = True
        self._members.setdefault((symbol.parent, symbol.bases, symbol.name), index)
        return True

    def around(self, scope: int) -> int:
        """The method of an anonymous type whose `this` is visible in a scope, 0 for none."""
        index = self._receivers.type_around(scope) if self.exist else 0
        return index if index and is_on_the_spot(self._receivers.symbols[index]) else 0

    def member(self, index: int, name: str) -> Found | None:
        """A member of the anonymous type that has this method: its own, or an inherited one."""
        symbol = self._receivers.symbols[index]
        own = self._members.get((symbol.parent, symbol.bases, name))
        if own is not None:
            return Found(self._receivers.entries[own], _HOW_SELF)
        return self.inherited(index, name)

    def inherited(self, index: int, name: str) -> Found | None:
        """A member of a base of the anonymous type."""
        for base in self.bases(index):
            found = self._receivers.names.type_member(base, name)
            if found is not None and found.kind is not _KIND_CONSTRUCTOR:  # `new Base()` in a Base
                return Found(found, _HOW_HIERARCHY)
        return None

    def bases(self, index: int) -> list[Entry]:
        """The bases in the workspace of the anonymous type that has this method."""
        return self._receivers.names.bases(self._receivers.entries[index])

    def owners(self, scope: int) -> Iterator[Entry]:
        """The types whose members a bare name may refer to, innermost first."""
        receivers, owner = self._receivers, None
        names, spot = receivers.names, self.around(scope)
        if spot:
            yield from self.bases(spot)
            owner = names.owner_of(receivers.entries[spot])
        else:
            owner = receivers.owner(scope)
        while owner is not None:
            yield owner
            owner = names.owner_of(names.tables.entry(owner.parent)) if owner.parent else None
