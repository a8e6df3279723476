"""How each language family resolves names beyond the file they are used in."""

from __future__ import annotations

from functools import cache
from importlib import import_module

from sonde.link.imports.family import Family
from sonde.link.tables import family

_MODULES = frozenset(
    {"python", "ecmascript", "jvm", "go", "rust", "ruby", "c", "csharp", "php", "swift"}
)


@cache
def family_of(language: str) -> Family:
    """The rules of a language; a language without rules sees only its own file."""
    name = family(language)
    if name not in _MODULES:
        return Family()
    found: Family = import_module(f"sonde.link.imports.{name}").FAMILY
    return found


__all__ = ["Family", "family_of"]
