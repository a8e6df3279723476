"""The per-symbol columns of the graph, read from the tables."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from typing import Any

import numpy
from numpy.typing import NDArray

from sonde.extract.symbol_codec import decode_places
from sonde.store.graph import Columns
from sonde.store.graph_edit import grown_columns
from sonde.store.rows import FILE_KINDS
from sonde.store.symbol_table import symbol_ids

_SELECT = (
    "SELECT s.file, f.kind, s.first, s.count, s.ids, s.places"
    " FROM symbols s JOIN files f ON f.id = s.file"
)
_FILE_KIND_NUMBER = {kind.value: number for number, kind in enumerate(FILE_KINDS)}


def all_columns(database: sqlite3.Connection, limit: int) -> Columns:
    """The columns of every symbol; `limit` is one more than the largest id."""
    columns = grown_columns(None, limit)
    for row in database.execute(_SELECT):
        _fill(columns, *row)
    return Columns(**columns)


def patched_columns(
    old: Columns, database: sqlite3.Connection, limit: int, files: Iterable[int]
) -> Columns:
    """The columns after some files were replaced or removed."""
    columns = grown_columns(old, limit)
    changed = sorted(files)
    columns["file"][numpy.isin(columns["file"], changed)] = 0
    for file in changed:
        for row in database.execute(f"{_SELECT} WHERE s.file = ?", (file,)):
            _fill(columns, *row)
    return Columns(**columns)


def _fill(
    columns: dict[str, NDArray[Any]],
    file: int,
    file_kind: str,
    first: int,
    count: int,
    packed: bytes | None,
    data: bytes,
) -> None:
    if not count:
        return
    ids = symbol_ids(first, count, packed)
    at: Any = slice(first, first + count) if packed is None else numpy.array(ids)
    places = decode_places(data)
    columns["file"][at] = file
    columns["file_kind"][at] = _FILE_KIND_NUMBER[file_kind]
    columns["kind"][at] = numpy.frombuffer(places.kinds, numpy.uint8)
    columns["visibility"][at] = numpy.frombuffer(places.visibilities, numpy.uint8)
    columns["parent"][at] = [ids[parent] if parent >= 0 else 0 for parent in places.parents]
    columns["start_line"][at] = places.start_lines
    columns["end_line"][at] = places.end_lines
