"""Linking many files in all workers at once; each holds the tables of all files."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

from sonde.store.database import open_for_writing
from sonde.store.generation import remove_relinking
from sonde.store.links import LinkRow
from sonde.store.writer import StoredFile
from sonde.sync.open_index import OpenIndex
from sonde.sync.pool import Job
from sonde.sync.report import Progress, ProgressCallback

_READ_BY_LINKING = ("files", "symbols", "contracts", "manifests")  # as a whole: no lookups


def link_in_workers(
    index: OpenIndex, files: Sequence[StoredFile], tables: Path, progress: ProgressCallback
) -> Iterator[tuple[int, LinkRow]]:
    """Link files by the tables in a database that the workers can read: committed ones."""
    jobs = [Job(file.id, (str(tables), file.id, file.hash)) for file in files]
    for done, (file, answer) in enumerate(index.pool.run("link", jobs), 1):
        if isinstance(answer, tuple):
            yield file, LinkRow(*answer)
        progress(Progress("link", done, len(files)))
    index.pool.close()  # the workers hold all tables, which nobody needs any more


def relink_in_workers(
    index: OpenIndex, files: Sequence[StoredFile], progress: ProgressCallback
) -> list[tuple[int, LinkRow]]:
    """Link files by tables that are not committed, which the workers read from a copy.

    Committing them first would show readers new symbols without their edges.
    """
    copy = index.workspace.relinking
    try:
        _copy_tables(index.database, copy)
        index.pool.close()  # workers that linked before hold older tables
        return list(link_in_workers(index, files, copy, progress))
    finally:
        remove_relinking(index.workspace)


def _copy_tables(database: sqlite3.Connection, place: Path) -> None:
    with closing(open_for_writing(place)) as copy:
        copy.execute("PRAGMA synchronous = OFF")
        copy.execute("BEGIN")
        for table in _READ_BY_LINKING:
            rows = database.execute(f"SELECT * FROM {table}")
            marks = ",".join("?" * len(rows.description))
            copy.executemany(f"INSERT INTO {table} VALUES ({marks})", rows)
        copy.execute("COMMIT")
