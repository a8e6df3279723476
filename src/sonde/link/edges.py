"""Collects edges: one per source, target and kind, at its first occurrence."""

from __future__ import annotations

from sonde.model import Edge, EdgeKind, Provenance

_new = tuple.__new__  # half the cost of calling the class, and there are hundreds of thousands


class Edges:
    """The edges of one file, each relation once."""

    def __init__(self) -> None:
        self._found: dict[tuple[int, int, int], Edge] = {}

    def add(self, source: int, target: int, kind: EdgeKind, line: int, how: Provenance) -> None:
        """Add a relation unless it is already known or points to its own source."""
        key = (source, target, kind)
        found = self._found
        if key not in found and source != target:
            found[key] = _new(Edge, (source, target, kind, line, how))

    def all(self) -> tuple[Edge, ...]:
        """Every edge in the order found, which depends only on facts and lookups."""
        return tuple(self._found.values())

    def of_kind(self, *kinds: EdgeKind) -> list[Edge]:
        """The edges of some kinds found so far, in the order found."""
        return [edge for edge in self._found.values() if edge.kind in kinds]
