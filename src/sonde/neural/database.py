"""SQLite files of vectors. They are not synced to the disk: what is damaged is made again."""

from __future__ import annotations

import sqlite3
from contextlib import closing, suppress
from pathlib import Path

from sonde.store.errors import is_damage


def open_vectors(path: Path, schema: str, first: str = "") -> sqlite3.Connection:
    """Open a file of vectors; one too damaged for that, or for a `first` query, is replaced."""
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        return _opened(path, schema, first)
    except sqlite3.Error as error:
        if not is_damage(error):
            raise
    _remove(path)
    return _opened(path, schema, first)


def remove_damaged(path: Path) -> None:
    """Remove a file of vectors unless it is sound as a whole, which takes a while to tell."""
    with suppress(sqlite3.Error), closing(sqlite3.connect(path)) as database:
        if database.execute("PRAGMA quick_check(1)").fetchone() == ("ok",):
            return
    _remove(path)


def _opened(path: Path, schema: str, first: str) -> sqlite3.Connection:
    database = sqlite3.connect(path, timeout=30.0, check_same_thread=False)
    try:
        database.execute("PRAGMA journal_mode=WAL")
        database.execute("PRAGMA synchronous=OFF")  # what is lost is embedded again
        database.executescript(schema)
        database.execute(first).fetchall()
    except sqlite3.Error:
        database.close()
        raise
    return database


def _remove(path: Path) -> None:
    for each in path.parent.glob(f"{path.name}*"):
        each.unlink(missing_ok=True)
