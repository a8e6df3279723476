"""Ruby: a bare name calls a method of `self`, not of an enclosing module or of the other side."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sonde.link.expressions import is_callable, on_type
from sonde.link.names import Found
from sonde.link.tables import Entry
from sonde.model import TYPE_KINDS

if TYPE_CHECKING:
    from sonde.link.receivers import Receivers


def of_self(receivers: Receivers, scope: int, index: int, found: Found) -> Found | None:
    """What a name found in the type `index` around a scope means there; None if it is a method that
    cannot be called there without a receiver."""
    target = found.target
    if not receivers.family.calls_self or not isinstance(target, Entry) or not is_callable(found):
        return found
    around = receivers.around(scope)
    if index and receivers.spots.around(scope) not in (0, index):
        return None  # `self` is of an unnamed type inside of this one
    if index in around and index != next(
        each for each in around if receivers.symbols[each].kind in TYPE_KINDS
    ):
        return None
    # `class << self` and `extend` may bring methods of instances to the class, never back
    if not target.static or on_type(receivers, scope, "") is not False:
        return found
    several = receivers.names.tables.qualified(target.qualname)
    return None if all(each.static for each in several) else found
