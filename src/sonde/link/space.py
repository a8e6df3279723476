"""Places that hold names without being symbols: folders, packages, and everything outside."""

from __future__ import annotations

from typing import NamedTuple


class Space(NamedTuple):
    """A package or folder of a language."""

    language: str
    name: str


OUTSIDE = Space("", "outside")  # the standard library, dependencies, builtins
UNKNOWN = Space("", "unknown")  # a local that hides outer names and has no declared type
