"""The constants of an enum, which are values of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sonde.model import Kind

if TYPE_CHECKING:
    from sonde.link.recorder import Recorder
    from sonde.link.tables import Entry

# Bound once: in Python 3.11 reading a member off its enum costs 15 times as much.
_KIND_CONSTANT = Kind.CONSTANT
_KIND_ENUM = Kind.ENUM


def enum_of(tables: Recorder, constant: Entry) -> Entry | None:
    """The enum that a constant is a value of; None for what has a type of its own."""
    if constant.kind is not _KIND_CONSTANT or constant.returns or not constant.parent:
        return None
    owner = tables.entry(constant.parent)
    return owner if owner.kind is _KIND_ENUM else None
