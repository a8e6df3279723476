"""The graph of one generation as arrays: walking it issues no SQL.

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
from zlib import crc32

import numpy
from numpy.typing import NDArray

from sonde.frozen import frozen
from sonde.model import EdgeKind, Provenance
from sonde.store.errors import ProblemKind, StoreError

Ints = NDArray[numpy.int32]
Bytes = NDArray[numpy.uint8]
Lines = NDArray[numpy.uint16]
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

    def sources(self, id: int, kind: EdgeKind) -> list[int]:
        """The symbols with an edge of some kind that arrives at a symbol."""
        part = _part(self.incoming, id)
        found: list[int] = self.incoming.other[part][self.incoming.kind[part] == kind].tolist()
        return found


def _part(rows: Rows, id: int) -> slice:
    if not 0 <= id < len(rows.indptr) - 1:
        return slice(0, 0)
    return slice(int(rows.indptr[id]), int(rows.indptr[id + 1]))


# Names and types of all arrays, and how files hold them: an index that has others is built again.
LAYOUT = (
    "degrees, relations, short numbers, sums",
    *(
        (part.__name__, field.name, str(field.type))
        for part in (PlacedRows, Rows, Columns)
        for field in fields(part)
    ),
)

_SHORT = 1 << 16  # numbers below this are kept in two bytes
_SHORT_SUFFIX = ".short"
_SUMS = "sums"  # a line for each array: checksum and name
_PROVENANCES = len(Provenance)
assert len(EdgeKind) * _PROVENANCES <= 256, "kind and provenance share a byte on disk"


def save(graph: Graph, folder: Path) -> None:
    """Write a generation's arrays under a temporary name, then rename."""
    temporary = folder.with_name(f"{folder.name}.tmp")
    shutil.rmtree(temporary, ignore_errors=True)
    temporary.mkdir(parents=True)
    sums = []
    for part, rows in (("outgoing", graph.outgoing), ("incoming", graph.incoming)):
        sums.append(_write(temporary / f"{part}.degree", numpy.diff(rows.indptr)))
        sums.append(_write(temporary / f"{part}.other", rows.other))
        relation = rows.kind * _PROVENANCES + rows.provenance
        sums.append(_write(temporary / f"{part}.relation", relation))
    sums.append(_write(temporary / "outgoing.line", graph.outgoing.line))
    for field in fields(graph.columns):
        sums.append(_write(temporary / f"columns.{field.name}", getattr(graph.columns, field.name)))
    (temporary / _SUMS).write_text("".join(sums), "ascii")
    shutil.rmtree(folder, ignore_errors=True)
    os.rename(temporary, folder)


def _write(path: Path, array: NDArray[Any]) -> str:
    """An array as a file, numbers that are all small in half the room; returns its checksum."""
    if array.dtype == numpy.int32 and (not len(array) or int(array.max()) < _SHORT):
        path = path.with_name(path.name + _SHORT_SUFFIX)
        array = array.astype(numpy.uint16)
    array = numpy.ascontiguousarray(array)
    with open(path, "wb", buffering=0) as file:
        array.tofile(file)
    return f"{crc32(array.data)} {path.name}\n"


def check(folder: Path) -> None:
    """Raise a `StoreError` unless all arrays have the bytes that were written.

    It runs at 4 GB/s but reads every page: for the writer of the next generation, not questions.
    """
    try:
        for line in (folder / _SUMS).read_text("ascii").splitlines():
            told, name = line.split(" ", 1)
            if crc32((folder / name).read_bytes()) != int(told):
                raise ValueError(f"{name} has other bytes than were written")
    except (OSError, ValueError) as error:
        raise StoreError(ProblemKind.CORRUPT, f"{folder} is damaged: {error}") from error


def load(folder: Path) -> Graph:
    """Read a generation's arrays; the longest of a large graph are mapped, page by page.

    Raises ValueError or OSError when they are not all there.
    """
    columns: dict[str, Any] = {}
    for field in fields(Columns):
        place = folder / f"columns.{field.name}"
        columns[field.name] = _ints(place) if field.type == "Ints" else _mapped(place, numpy.uint8)
    outgoing = _rows(folder, "outgoing")
    line = _mapped(folder / "outgoing.line", numpy.uint16)
    graph = Graph(PlacedRows(*outgoing, line), Rows(*_rows(folder, "incoming")), Columns(**columns))
    for rows in (graph.outgoing, graph.incoming):
        sizes = {len(rows.other), len(rows.kind), int(rows.indptr[-1])}
        if len(rows.indptr) != graph.size + 1 or len(sizes) > 1:
            raise ValueError(f"the arrays in {folder} do not fit together")
    return graph


def _rows(folder: Path, part: str) -> tuple[Ints, Ints, Bytes, Bytes]:
    degrees = _ints(folder / f"{part}.degree")
    indptr = numpy.zeros(len(degrees) + 1, numpy.int32)
    numpy.cumsum(degrees, out=indptr[1:])
    relation = _mapped(folder / f"{part}.relation", numpy.uint8)
    kind = relation // _PROVENANCES
    return indptr, _ints(folder / f"{part}.other"), kind, relation - kind * _PROVENANCES


def _ints(path: Path) -> Ints:
    short = path.with_name(path.name + _SHORT_SUFFIX)
    if short.exists():
        return numpy.fromfile(short, numpy.uint16).astype(numpy.int32)
    return _mapped(path, numpy.int32)


def _mapped(path: Path, dtype: Any) -> NDArray[Any]:
    if path.stat().st_size == 0:  # an empty file cannot be mapped
        return numpy.zeros(0, dtype)
    # As a plain array: each slice of a memmap object costs five times as much.
    return numpy.asarray(numpy.memmap(path, dtype, "r"))
