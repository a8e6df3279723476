"""What the fields of a file hold if their first assignment does not say."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sonde.link.names import Found, Target
from sonde.link.space import UNKNOWN
from sonde.link.tables import Entry
from sonde.model import Binding, Kind

if TYPE_CHECKING:
    from sonde.link.receivers import Receivers

_KIND_FIELD = Kind.FIELD  # bound once: reading a member off its enum costs 15 times as much

SELF_NAMES = frozenset({"self", "this", "cls", "$this", "Self", "static"})


class Fields:
    """The assignments to members of `self` in one file, read on first use."""

    def __init__(self, receivers: Receivers) -> None:
        self._receivers = receivers
        self._bound: dict[tuple[int, str], Binding] | None = None

    def value(self, target: Target) -> Found | None:
        """What a field of this file holds if its declaration does not say."""
        found: Found | None = None
        asked: set[int] = set()  # two fields may be assigned to each other
        while self._is_open(target) and isinstance(target, Entry) and target.id not in asked:
            asked.add(target.id)
            found = self._assigned(target)
            if found is None:
                return None
            target = found.target
        return found if not self._is_open(target) else None

    def _is_open(self, target: Target) -> bool:
        return (
            isinstance(target, Entry)
            and target.kind is _KIND_FIELD
            and not target.returns
            and target.file == self._receivers.file.id
        )

    def _assigned(self, field: Entry) -> Found | None:
        found = self._assignments().get((field.parent, field.name))
        if found is None:
            return self._constructor_param(field)
        value = self._receivers.variables.value(found)
        return value if value.target is not UNKNOWN else None

    def _assignments(self) -> dict[tuple[int, str], Binding]:
        if self._bound is None:
            self._bound = {}
            for binding in self._receivers.variables.bound.values():
                head, dot, name = binding.name.rpartition(".")
                if dot and head in SELF_NAMES:
                    owner = self._receivers.owner(binding.scope)
                    if owner is not None:
                        self._bound.setdefault((owner.id, name), binding)
        return self._bound

    def _constructor_param(self, field: Entry) -> Found | None:
        """The declared type of the constructor's parameter that a field is named after."""
        receivers = self._receivers
        owner = next((i for i, e in enumerate(receivers.entries) if e.id == field.parent), -1)
        for name in receivers.family.constructors:
            index = receivers.child(owner, name)
            if index is not None:
                found = receivers.in_callable(index, field.name)
                return found if found is not None and found.target is not UNKNOWN else None
        return None
