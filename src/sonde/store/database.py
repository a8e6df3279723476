"""Connections to the index's SQLite file, and its few named values."""

from __future__ import annotations

import os
import shutil
import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sonde.store.errors import ProblemKind, StoreError, lacks_room
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
_LEAST_ROOM = 32_768  # bytes
_CURSORS = 201  # cursors made before a connection forgets those that are gone
_CACHE_KIB = 32_000  # pages kept by the writer; more did not help at 300k symbols


class Unguarded(sqlite3.Connection):
    """A connection for reading that writers do not see: soon to be replaced by one they do."""


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
        address = f"{path.absolute().as_uri()}?mode=ro"
        try:
            return _reading(address, sqlite3.Connection)
        except sqlite3.OperationalError as error:
            if _code(error) not in _UNWRITABLE or _has_log(path):
                raise
        # Readers too make a file, for their locks, and the disk may have no room for it. Then no
        # other process has the database open: it would have made that file.
        return _reading(f"{address}&immutable=1", Unguarded)


def _reading(address: str, kind: type[sqlite3.Connection]) -> sqlite3.Connection:
    database = sqlite3.connect(
        address,
        uri=True,
        isolation_level=None,
        check_same_thread=False,
        timeout=5,
        factory=kind,
    )
    try:
        database.execute("PRAGMA query_only = 1")
        database.execute("PRAGMA mmap_size = 268435456")
        database.execute("PRAGMA schema_version").fetchone()  # nothing was read before
    except sqlite3.Error:
        database.close()
        raise
    return database


def _has_log(path: Path) -> bool:
    """Whether something was written that is not in the file itself yet."""
    log = path.with_name(f"{path.name}-wal")
    return log.is_file() and log.stat().st_size > 0


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
    code = _code(error)
    if code == sqlite3.SQLITE_FULL or (code == sqlite3.SQLITE_IOERR and _is_full(path.parent)):
        return ProblemKind.DISK_FULL, f"no space left on the disk of {path.parent}"
    if code in _UNWRITABLE:
        return ProblemKind.UNWRITABLE, f"cannot write to {path.parent}: {error}"
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return ProblemKind.BUSY, f"another process is using {path}: {error}"
    return damaged, f"{path} is damaged: {error}"


def _code(error: sqlite3.Error) -> int:
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


def _is_full(folder: Path) -> bool:
    """Whether a disk has no room for a page of the file that SQLite keeps its locks in."""
    try:
        return shutil.disk_usage(folder).free < _LEAST_ROOM
    except OSError:
        return False


def _classify_os(error: OSError, path: Path) -> tuple[ProblemKind, str]:
    if lacks_room(error):
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
