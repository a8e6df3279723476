"""The names that the imports of a file bind."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from sonde.model import Import

Bound: TypeAlias = tuple[dict[str, list[Import]], list[Import]]


def by_name(imports: Iterable[Import]) -> Bound:
    """Imports by the name that each binds, and the wildcard imports."""
    named: dict[str, list[Import]] = {}
    wholesale = []
    for item in imports:
        if item.name == "*":
            wholesale.append(item)
        else:
            named.setdefault(item.alias, []).append(item)
    return named, wholesale
