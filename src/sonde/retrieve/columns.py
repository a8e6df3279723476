"""Properties of candidates, looked up for all of them at once in the columns of the graph."""

from __future__ import annotations

from collections.abc import Container
from functools import cache

import numpy
from numpy.typing import NDArray

from sonde.model import FileKind, Kind
from sonde.retrieve.view import View
from sonde.store.rows import FILE_KINDS, KINDS, PRIVATE

Ids = NDArray[numpy.int64]
Values = NDArray[numpy.float64]


def of_kind(view: View, ids: Ids, kinds: frozenset[Kind]) -> Values:
    """1 for each symbol of one of the kinds, 0 for the others."""
    return _kinds(kinds).take(view.index.graph.columns.kind[ids])


def of_file_kind(view: View, ids: Ids, kinds: frozenset[FileKind]) -> Values:
    """1 for each symbol in a file of one of the kinds, 0 for the others."""
    return _file_kinds(kinds).take(view.index.graph.columns.file_kind[ids])


def private(view: View, ids: Ids) -> Values:
    """1 for each private symbol, 0 for the others."""
    found: NDArray[numpy.bool_] = view.index.graph.columns.visibility[ids] == PRIVATE
    return found.astype(float)


def inside(view: View, ids: Ids, kinds: frozenset[Kind]) -> Values:
    """1 for each symbol defined directly inside one of these kinds, 0 for the others."""
    parents = view.index.graph.columns.parent[ids].astype(numpy.int64)
    return numpy.where(parents > 0, of_kind(view, parents, kinds), 0.0)


@cache
def _kinds(members: frozenset[Kind]) -> Values:
    return _table(members, KINDS)


@cache
def _file_kinds(members: frozenset[FileKind]) -> Values:
    return _table(members, FILE_KINDS)


def _table(members: Container[object], numbered: tuple[object, ...]) -> Values:
    return numpy.array([1.0 if each in members else 0.0 for each in numbered])
