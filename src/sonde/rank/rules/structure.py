"""Evidence that passes between a type and its members."""

from __future__ import annotations

from sonde.model import TYPE_KINDS
from sonde.rank.rule import Field, Rule

_MEMBERS = 3  # more would favour large types


def _from_owner(field: Field) -> list[float]:
    """A member of a type that the task is about."""
    return [max(0.0, field.own.get(record.parent, 0.0)) for record in field.records]


def _from_members(field: Field) -> list[float]:
    """A type several of whose members the task is about."""
    found: dict[int, list[float]] = {}
    for record in field.records:
        if record.parent:
            found.setdefault(record.parent, []).append(max(0.0, field.own[record.id]))
    return [
        sum(sorted(found.get(record.id, ()), reverse=True)[:_MEMBERS]) / _MEMBERS
        if record.kind in TYPE_KINDS
        else 0.0
        for record in field.records
    ]


RULES = (
    Rule("from-owner", 0.2, _from_owner),
    Rule("from-members", 0.3, _from_members),
)
