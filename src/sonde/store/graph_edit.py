"""Building the graph's arrays, and splicing a few files' edges into them.

An edit touches the rows of a few hundred symbols. The untouched stretches
between them are copied as they are, so the cost is that of copying
memory, not of sorting 1.5 million edges.
"""

from __future__ import annotations

from typing import Any

import numpy
from numpy.typing import NDArray

from sonde.model import EdgeKind
from sonde.store.graph import LAST_LINE, Columns, Graph, PlacedRows, Rows

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
    edges = edges.copy()
    numpy.minimum(edges[:, 3], LAST_LINE, out=edges[:, 3])
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
    outgoing, incoming = _rows(edges, size), _rows(_turned(edges), size)
    return Graph(outgoing, _placeless(incoming), columns)


def splice(graph: Graph, removed: Edges, added: Edges, columns: Columns) -> Graph:
    """The graph without `removed` and with `added` edges, mirrors included in both."""
    size = len(columns.file)
    return Graph(
        _spliced(graph.outgoing, removed, added, size),
        _placeless(_spliced(graph.incoming, _turned(removed), _turned(added), size)),
        columns,
    )


def _turned(edges: Edges) -> Edges:
    """Edges by target; their lines are not kept."""
    turned = edges[:, [1, 0, 2, 3, 4]]
    turned[:, 3] = 0
    return turned


def _placeless(rows: PlacedRows) -> Rows:
    return Rows(rows.indptr, rows.other, rows.kind, rows.provenance)


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


def _rows(edges: Edges, size: int) -> PlacedRows:
    # Two combined keys: lexsort over all five columns took three times as long.
    wide = edges.astype(numpy.int64)
    major = (wide[:, 0] << 32) | wide[:, 1]
    minor = (wide[:, 2] << 40) | (wide[:, 3] << 8) | wide[:, 4]
    edges = edges[numpy.lexsort((minor, major))]
    indptr = numpy.zeros(size + 1, numpy.int32)
    numpy.cumsum(numpy.bincount(edges[:, 0], minlength=size), out=indptr[1:])
    return PlacedRows(
        indptr,
        numpy.ascontiguousarray(edges[:, 1]),
        edges[:, 2].astype(numpy.uint8),
        edges[:, 4].astype(numpy.uint8),
        edges[:, 3].astype(numpy.uint16),
    )


def _spliced(rows: Rows, removed: Edges, added: Edges, size: int) -> PlacedRows:
    touched = numpy.unique(numpy.concatenate([removed[:, 0], added[:, 0]]))
    old_size = len(rows.indptr) - 1
    counts = numpy.zeros(size, numpy.int32)
    counts[:old_size] = numpy.diff(rows.indptr)[:size]
    old_touched = touched[touched < old_size]
    current = _edges_in(rows, old_touched)
    kept = _without(current, removed)
    fresh = _rows(numpy.concatenate([kept, added]), size)
    counts[touched] = numpy.diff(fresh.indptr)[touched]
    indptr = numpy.zeros(size + 1, numpy.int32)
    numpy.cumsum(counts, out=indptr[1:])
    gaps = _gaps(rows.indptr, old_touched)
    if isinstance(rows, PlacedRows):
        line = _merged(rows.line, gaps, fresh.line, fresh.indptr, touched)
    else:
        line = numpy.zeros(0, numpy.uint16)
    return PlacedRows(
        indptr,
        _merged(rows.other, gaps, fresh.other, fresh.indptr, touched),
        _merged(rows.kind, gaps, fresh.kind, fresh.indptr, touched),
        _merged(rows.provenance, gaps, fresh.provenance, fresh.indptr, touched),
        line,
    )


def _edges_in(rows: Rows, ids: NDArray[Any]) -> Edges:
    """The present edges of some rows."""
    starts, ends = rows.indptr[ids], rows.indptr[ids + 1]
    lengths = ends - starts
    total = int(lengths.sum())
    edges = numpy.empty((total, 5), numpy.int32)
    places = numpy.repeat(starts - numpy.cumsum(lengths) + lengths, lengths) + numpy.arange(total)
    edges[:, 0] = numpy.repeat(ids, lengths)
    edges[:, 1] = rows.other[places]
    edges[:, 2] = rows.kind[places]
    edges[:, 3] = rows.line[places] if isinstance(rows, PlacedRows) else 0
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
