"""The graph of one generation as memory-mapped arrays: walking it issues no SQL.

Both directions are compressed sparse rows over symbol ids. Incoming rows repeat
kind and provenance rather than pointing at outgoing edges, so that an
update never has to renumber a million entries.
"""

from __future__ import annotations

import os
import shutil
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy
from numpy.typing import NDArray

from sonde.frozen import frozen

Ints = NDArray[numpy.int32]
Bytes = NDArray[numpy.uint8]
Lines = NDArray[numpy.uint16]
_TYPES = {"Ints": numpy.int32, "Bytes": numpy.uint8, "Lines": numpy.uint16}
LAST_LINE = 65_535  # lines beyond are stored as this one; the tables have them exactly


@frozen
class Rows:
    """Edges by symbol id: those of `id` are at indptr[id]:indptr[id + 1]."""

    indptr: Ints
    other: Ints  # target of outgoing, source of incoming edges
    kind: Bytes
    provenance: Bytes


@frozen
class PlacedRows(Rows):
    """Outgoing edges, with the line of each use."""

    line: Lines


@frozen
class Columns:
    """What ranking needs of each symbol, by id; `file` is 0 where no symbol has that id."""

    file: Ints
    kind: Bytes  # index into store.rows.KINDS
    parent: Ints
    visibility: Bytes
    file_kind: Bytes  # index into store.rows.FILE_KINDS
    start_line: Ints
    end_line: Ints


@frozen
class Graph:
    """All edges and columns of one generation."""

    outgoing: PlacedRows
    incoming: Rows
    columns: Columns

    @property
    def size(self) -> int:
        """One more than the largest symbol id."""
        return len(self.columns.file)

    @property
    def edges(self) -> int:
        """The number of edges, mirrors included."""
        return len(self.outgoing.other)

    def out_edges(self, id: int) -> list[tuple[int, int, int, int]]:
        """(target, kind, line, provenance) of each edge that leaves a symbol."""
        rows = self.outgoing
        part = _part(rows, id)
        columns = (rows.other, rows.kind, rows.line, rows.provenance)
        return list(zip(*(column[part].tolist() for column in columns), strict=True))

    def in_edges(self, id: int) -> list[tuple[int, int, int, int]]:
        """(source, kind, line, provenance) of each edge that arrives at a symbol."""
        part = _part(self.incoming, id)
        sources = dict.fromkeys(self.incoming.other[part].tolist())
        return [
            (source, kind, line, provenance)
            for source in sources
            for target, kind, line, provenance in self.out_edges(source)
            if target == id
        ]


def _part(rows: Rows, id: int) -> slice:
    if not 0 <= id < len(rows.indptr) - 1:
        return slice(0, 0)
    return slice(int(rows.indptr[id]), int(rows.indptr[id + 1]))


# Names and types of all arrays: an index whose arrays are laid out otherwise is built again.
LAYOUT = tuple(
    (part.__name__, field.name, str(field.type))
    for part in (PlacedRows, Rows, Columns)
    for field in fields(part)
)


def save(graph: Graph, folder: Path) -> None:
    """Write a generation's arrays under a temporary name, then rename."""
    temporary = folder.with_name(f"{folder.name}.tmp")
    shutil.rmtree(temporary, ignore_errors=True)
    temporary.mkdir(parents=True)
    for part in ("outgoing", "incoming", "columns"):
        group: Any = getattr(graph, part)
        for field in fields(group):
            array = getattr(group, field.name)
            with open(temporary / f"{part}.{field.name}", "wb", buffering=0) as file:
                numpy.ascontiguousarray(array).tofile(file)
    shutil.rmtree(folder, ignore_errors=True)
    os.rename(temporary, folder)


def load(folder: Path) -> Graph:
    """Map a generation's arrays; pages are read when they are touched.

    Raises ValueError or OSError when they are not all there.
    """
    graph = Graph(
        PlacedRows(**_mapped(folder, "outgoing", PlacedRows)),
        Rows(**_mapped(folder, "incoming", Rows)),
        Columns(**_mapped(folder, "columns", Columns)),
    )
    for rows in (graph.outgoing, graph.incoming):
        if len(rows.indptr) != graph.size + 1 or rows.indptr[-1] != len(rows.kind):
            raise ValueError(f"the arrays in {folder} do not fit together")
    return graph


def _mapped(folder: Path, part: str, group: type[Any]) -> dict[str, Any]:
    arrays: dict[str, Any] = {}
    for field in fields(group):
        path = folder / f"{part}.{field.name}"
        dtype: Any = _TYPES[str(field.type)]
        if path.stat().st_size == 0:  # an empty file cannot be mapped
            arrays[field.name] = numpy.zeros(0, dtype)
        else:
            # As a plain array: each slice of a memmap object costs five times as much.
            arrays[field.name] = numpy.asarray(numpy.memmap(path, dtype, "r"))
    return arrays
