"""The per-symbol columns of the graph, read from the tables."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from typing import Any

import numpy
from numpy.typing import NDArray

from sonde.store.graph import Columns
from sonde.store.graph_edit import grown_columns
from sonde.store.rows import FILE_KINDS

_SELECT = (
    "SELECT s.id, s.file, s.kind, s.parent, s.visibility, f.kind, s.start_line, s.end_line"
    " FROM symbols s JOIN files f ON f.id = s.file"
)
_FILE_KIND_NUMBER = {kind.value: number for number, kind in enumerate(FILE_KINDS)}
_PART = 20_000  # rows held as Python objects at a time


def all_columns(database: sqlite3.Connection, limit: int) -> Columns:
    """The columns of every symbol; `limit` is one more than the largest id."""
    columns = grown_columns(None, limit)
    cursor = database.execute(_SELECT)
    while rows := cursor.fetchmany(_PART):
        _fill(columns, rows)
    return Columns(**columns)


def patched_columns(
    old: Columns, database: sqlite3.Connection, limit: int, files: Iterable[int]
) -> Columns:
    """The columns after some files were replaced or removed."""
    columns = grown_columns(old, limit)
    changed = sorted(files)
    columns["file"][numpy.isin(columns["file"], changed)] = 0
    for file in changed:
        rows = database.execute(f"{_SELECT} WHERE s.file = ?", (file,)).fetchall()
        if rows:
            _fill(columns, rows)
    return Columns(**columns)


def _fill(columns: dict[str, NDArray[Any]], rows: Sequence[Sequence[Any]]) -> None:
    ids, file, kind, parent, visibility, file_kind, start_line, end_line = zip(*rows, strict=True)
    place = numpy.array(ids)
    columns["file"][place] = file
    columns["kind"][place] = kind
    columns["parent"][place] = parent
    columns["visibility"][place] = visibility
    columns["file_kind"][place] = [_FILE_KIND_NUMBER[each] for each in file_kind]
    columns["start_line"][place] = start_line
    columns["end_line"][place] = end_line
