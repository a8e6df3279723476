"""The result of linking one file."""

from __future__ import annotations

from typing import NamedTuple

from sonde.model import Edge, EdgeKind, Unresolved


class Leaf(NamedTuple):
    """A relation to a non-symbol: an environment variable, program, package, owner or route."""

    source: int
    kind: EdgeKind
    label: str
    line: int


class FileLinks(NamedTuple):
    """The edges that start in one file, and every key whose change could alter them."""

    edges: tuple[Edge, ...]
    unresolved: tuple[Unresolved, ...]
    leaves: tuple[Leaf, ...]
    consulted: frozenset[str]
