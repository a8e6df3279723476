"""Building the graph's arrays, and splicing a few files' edges into them.

An edit touches the rows of a few hundred symbols. The untouched stretches
between them are copied as they are, so that the cost is that of copying
memory and not of sorting 1.5 million edges.
"""

from __future__ import annotations

from typing import Any

import numpy
from numpy.typing import NDArray

from sonde.model import EdgeKind
from sonde.store.graph import Columns, Graph, Rows

Edges = NDArray[numpy.int32]  # rows of source, target, kind, line, provenance

NO_EDGES: Edges = numpy.zeros((0, 5), numpy.int32)
_MIRRORS = {EdgeKind.CONTAINS: EdgeKind.MEMBER_OF, EdgeKind.TESTS: EdgeKind.TESTED_BY}
_COLUMN_TYPES: dict[str, Any] = {
    "file": numpy.int32,
    "kind": numpy.uint8,
    "parent": numpy.int32,
    "visibility": numpy.uint8,
    "file_kind": numpy.uint8,
    "start_line": numpy.int32,
    "end_line": numpy.int32,
}


def with_mirrors(edges: Edges) -> Edges:
    """The edges and, for each that has one, its counterpart in the other direction."""
    parts = [edges]
    for kind, mirror in _MIRRORS.items():
        there = edges[edges[:, 2] == kind]
        back = there[:, [1, 0, 2, 3, 4]]
        back[:, 2] = mirror
        parts.append(back)
    return numpy.concatenate(parts)


def build(edges: Edges, columns: Columns) -> Graph:
    """The graph of all edges, mirrors included."""
    size = len(columns.file)
    return Graph(_rows(edges, 0, 1, size), _rows(edges, 1, 0, size), columns)


def splice(graph: Graph, removed: Edges, added: Edges, columns: Columns) -> Graph:
    """The graph without `removed` and with `added` edges, mirrors included in both."""
    size = len(columns.file)
    return Graph(
        _spliced(graph.outgoing, removed, added, 0, 1, size),
        _spliced(graph.incoming, removed, added, 1, 0, size),
        columns,
    )


def grown_columns(columns: Columns | None, size: int) -> dict[str, NDArray[Any]]:
    """Writable copies of the columns with room for `size` symbols."""
    grown = {}
    for name, dtype in _COLUMN_TYPES.items():
        array = numpy.zeros(size, dtype)
        if columns is not None:
            old = getattr(columns, name)
            array[: len(old)] = old[:size]
        grown[name] = array
    return grown


def _rows(edges: Edges, row: int, other: int, size: int) -> Rows:
    # Two combined keys: lexsort over all five columns took three times as long.
    wide = edges.astype(numpy.int64)
    major = (wide[:, row] << 32) | wide[:, other]
    minor = (wide[:, 2] << 40) | (wide[:, 3] << 8) | wide[:, 4]
    edges = edges[numpy.lexsort((minor, major))]
    indptr = numpy.zeros(size + 1, numpy.int32)
    numpy.cumsum(numpy.bincount(edges[:, row], minlength=size), out=indptr[1:])
    return Rows(
        indptr,
        numpy.ascontiguousarray(edges[:, other]),
        edges[:, 2].astype(numpy.uint8),
        edges[:, 4].astype(numpy.uint8),
        numpy.ascontiguousarray(edges[:, 3]),
    )


def _spliced(rows: Rows, removed: Edges, added: Edges, row: int, other: int, size: int) -> Rows:
    touched = numpy.unique(numpy.concatenate([removed[:, row], added[:, row]]))
    old_size = len(rows.indptr) - 1
    counts = numpy.zeros(size, numpy.int32)
    counts[:old_size] = numpy.diff(rows.indptr)[:size]
    old_touched = touched[touched < old_size]
    current = _edges_in(rows, old_touched, row, other)
    kept = _without(current, removed)
    fresh = _rows(numpy.concatenate([kept, added]), row, other, size)
    counts[touched] = numpy.diff(fresh.indptr)[touched]
    indptr = numpy.zeros(size + 1, numpy.int32)
    numpy.cumsum(counts, out=indptr[1:])
    gaps = _gaps(rows.indptr, old_touched)
    return Rows(
        indptr,
        _merged(rows.other, gaps, fresh.other, fresh.indptr, touched),
        _merged(rows.kind, gaps, fresh.kind, fresh.indptr, touched),
        _merged(rows.provenance, gaps, fresh.provenance, fresh.indptr, touched),
        _merged(rows.line, gaps, fresh.line, fresh.indptr, touched),
    )


def _edges_in(rows: Rows, ids: NDArray[Any], row: int, other: int) -> Edges:
    """The present edges of some rows."""
    starts, ends = rows.indptr[ids], rows.indptr[ids + 1]
    lengths = ends - starts
    total = int(lengths.sum())
    edges = numpy.empty((total, 5), numpy.int32)
    places = numpy.repeat(starts - numpy.cumsum(lengths) + lengths, lengths) + numpy.arange(total)
    edges[:, row] = numpy.repeat(ids, lengths)
    edges[:, other] = rows.other[places]
    edges[:, 2] = rows.kind[places]
    edges[:, 3] = rows.line[places]
    edges[:, 4] = rows.provenance[places]
    return edges


def _without(edges: Edges, removed: Edges) -> Edges:
    """`edges` less `removed`, counting repeated ones."""
    both = numpy.concatenate([edges, removed])
    _, group = numpy.unique(both, axis=0, return_inverse=True)
    group = group.reshape(-1)
    surplus = numpy.bincount(group[len(edges) :], minlength=int(group.max(initial=-1)) + 1)
    own = group[: len(edges)]
    order = numpy.argsort(own, kind="stable")
    ordered = own[order]
    first = numpy.searchsorted(ordered, ordered, side="left")
    repetition = numpy.arange(len(ordered)) - first
    keep = numpy.empty(len(edges), bool)
    keep[order] = repetition >= surplus[ordered]
    return edges[keep]


def _gaps(indptr: NDArray[Any], touched: NDArray[Any]) -> list[tuple[int, int]]:
    """The stretches before, between and after the touched rows."""
    starts = [0, *indptr[touched + 1].tolist()]
    ends = [*indptr[touched].tolist(), int(indptr[-1])]
    return list(zip(starts, ends, strict=True))


def _merged(
    old: NDArray[Any],
    gaps: list[tuple[int, int]],
    fresh: NDArray[Any],
    fresh_indptr: NDArray[Any],
    touched: NDArray[Any],
) -> NDArray[Any]:
    bounds = list(
        zip(fresh_indptr[touched].tolist(), fresh_indptr[touched + 1].tolist(), strict=True)
    )
    parts = []
    known = len(gaps) - 1  # rows beyond those are new ids, which lie after every old row
    for (start, end), (low, high) in zip(gaps[:known], bounds[:known], strict=True):
        parts += [old[start:end], fresh[low:high]]
    parts.append(old[slice(*gaps[-1])])
    parts += [fresh[low:high] for low, high in bounds[known:]]
    return numpy.concatenate(parts)
