"""Connections to the index's SQLite file, and its few named values."""

from __future__ import annotations

import errno
import os
import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sonde.store.errors import ProblemKind, StoreError
from sonde.store.migrations import migrate

_UNWRITABLE = frozenset(
    {
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_PERM,
        sqlite3.SQLITE_IOERR,
    }
)
_PAGE = 2048  # bytes; the usual 4096 wastes twice as much behind the blobs of files
_CURSORS = 201  # cursors made before a connection forgets those that are gone
_CACHE_KIB = 32_000  # pages kept by the writer; more did not help at 300k symbols


def open_for_writing(path: Path) -> sqlite3.Connection:
    """Open or create the database, at the newest schema, in explicit-transaction mode."""
    with store_errors(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        database = sqlite3.connect(path, isolation_level=None, timeout=30, check_same_thread=False)
        database.execute(f"PRAGMA page_size = {_PAGE}")
        database.execute("PRAGMA journal_mode = WAL")
        # The index can be rebuilt, so losing the last transaction in a power cut is
        # acceptable; WAL with NORMAL never corrupts.
        database.execute("PRAGMA synchronous = NORMAL")
        database.execute(f"PRAGMA cache_size = -{_CACHE_KIB}")
        migrate(database)
        return database


def open_for_reading(path: Path) -> sqlite3.Connection:
    """Open an existing database that this connection will never change."""
    if not path.is_file():
        raise StoreError(ProblemKind.NO_INDEX, "this workspace has no index yet: run 'sonde index'")
    with store_errors(path):
        database = sqlite3.connect(
            f"{path.absolute().as_uri()}?mode=ro",
            uri=True,
            isolation_level=None,
            check_same_thread=False,
            timeout=5,
        )
        database.execute("PRAGMA query_only = 1")
        database.execute("PRAGMA mmap_size = 268435456")
        return database


def rest(database: sqlite3.Connection) -> None:
    """Give back the memory of pages read, and of the cursors that read them.

    A connection notes each cursor and forgets it 200 cursors later. These notes were scattered
    among what questions remember, and Python returns memory a megabyte at a time.
    """
    database.execute("PRAGMA shrink_memory")
    for _ in range(_CURSORS):
        database.cursor()


def indexed_files(database: sqlite3.Connection) -> int:
    """How many files are indexed; skipped ones do not count."""
    rows = database.execute("SELECT count(*) FROM files WHERE skip IS NULL")
    return int(rows.fetchone()[0])


def unlinked_files(database: sqlite3.Connection) -> list[str]:
    """Files that could not be linked: their definitions are known, not what they use; by path."""
    rows = database.execute(
        "SELECT path FROM files WHERE module != 0 AND skip IS NULL"
        " AND id NOT IN (SELECT file FROM links) ORDER BY path"
    )
    return [path for (path,) in rows]


@contextmanager
def store_errors(path: Path, damaged: ProblemKind = ProblemKind.CORRUPT) -> Iterator[None]:
    """Turn what SQLite and the file system raise into one-line store errors."""
    try:
        yield
    except sqlite3.Error as error:
        raise StoreError(*_classify(error, path, damaged)) from error
    except OSError as error:
        raise StoreError(*_classify_os(error, path)) from error


def check_compressed(data: bytes, path: Path) -> None:
    """Raise a `StoreError` unless compressed bytes of the database at `path` are whole."""
    try:
        zlib.decompress(data)
    except zlib.error as error:
        raise StoreError(ProblemKind.CORRUPT, f"{path} is damaged: {error}") from error


def _classify(error: sqlite3.Error, path: Path, damaged: ProblemKind) -> tuple[ProblemKind, str]:
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code == sqlite3.SQLITE_FULL:
        return ProblemKind.DISK_FULL, f"no space left on the disk of {path.parent}"
    if code in _UNWRITABLE:
        return ProblemKind.UNWRITABLE, f"cannot write to {path.parent}: {error}"
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return ProblemKind.BUSY, f"another process is using {path}: {error}"
    return damaged, f"{path} is damaged: {error}"


def _classify_os(error: OSError, path: Path) -> tuple[ProblemKind, str]:
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return ProblemKind.DISK_FULL, f"no space left on the disk of {path.parent}"
    return (
        ProblemKind.UNWRITABLE,
        f"cannot use {error.filename or path}: {os.strerror(error.errno or 0)}",
    )


def meta(database: sqlite3.Connection, key: str, default: int = 0) -> int:
    """One named number of the index."""
    row = database.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
    return default if row is None else int(row[0])


def set_meta(database: sqlite3.Connection, key: str, value: int) -> None:
    """Set one named number inside the running transaction."""
    database.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, value))
