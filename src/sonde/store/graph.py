"""The graph of one generation as memory-mapped arrays: walking it issues no SQL.

Both directions are compressed sparse rows over symbol ids. Incoming rows repeat
kind, provenance and line rather than pointing at outgoing edges, so that an
update never has to renumber a million entries.
"""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy
from numpy.typing import NDArray

Ints = NDArray[numpy.int32]
Bytes = NDArray[numpy.uint8]


@dataclass(frozen=True, slots=True)
class Rows:
    """Edges by symbol id: those of `id` are at indptr[id]:indptr[id + 1]."""

    indptr: Ints
    other: Ints  # target of outgoing, source of incoming edges
    kind: Bytes
    provenance: Bytes
    line: Ints


@dataclass(frozen=True, slots=True)
class Columns:
    """What ranking needs of each symbol, by id; `file` is 0 where no symbol has that id."""

    file: Ints
    kind: Bytes  # index into store.rows.KINDS
    parent: Ints
    visibility: Bytes
    file_kind: Bytes  # index into store.rows.FILE_KINDS
    start_line: Ints
    end_line: Ints


@dataclass(frozen=True, slots=True)
class Graph:
    """All edges and columns of one generation."""

    outgoing: Rows
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
        return _edges_of(self.outgoing, id)

    def in_edges(self, id: int) -> list[tuple[int, int, int, int]]:
        """(source, kind, line, provenance) of each edge that arrives at a symbol."""
        return _edges_of(self.incoming, id)


def _edges_of(rows: Rows, id: int) -> list[tuple[int, int, int, int]]:
    if not 0 <= id < len(rows.indptr) - 1:
        return []
    part = slice(int(rows.indptr[id]), int(rows.indptr[id + 1]))
    return list(
        zip(
            rows.other[part].tolist(),
            rows.kind[part].tolist(),
            rows.line[part].tolist(),
            rows.provenance[part].tolist(),
            strict=True,
        )
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
                file.write(memoryview(numpy.ascontiguousarray(array)).cast("B"))
    shutil.rmtree(folder, ignore_errors=True)
    os.rename(temporary, folder)


def load(folder: Path) -> Graph:
    """Map a generation's arrays; pages are read when they are touched."""
    return Graph(
        Rows(**_mapped(folder, "outgoing", Rows)),
        Rows(**_mapped(folder, "incoming", Rows)),
        Columns(**_mapped(folder, "columns", Columns)),
    )


def _mapped(folder: Path, part: str, group: type[Any]) -> dict[str, Any]:
    arrays: dict[str, Any] = {}
    for field in fields(group):
        path = folder / f"{part}.{field.name}"
        dtype: Any = numpy.uint8 if field.type == "Bytes" else numpy.int32
        if path.stat().st_size == 0:  # an empty file cannot be mapped
            arrays[field.name] = numpy.zeros(0, dtype)
        else:
            arrays[field.name] = numpy.memmap(path, dtype, "r")
    return arrays
