"""Facts by content: extraction is paid once per content, language and extractor version."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterable
from hashlib import blake2b
from pathlib import Path

from sonde.store.database import rest, store_errors
from sonde.store.errors import ProblemKind

_SCHEMA = """
CREATE TABLE IF NOT EXISTS facts(
    hash BLOB NOT NULL, language TEXT NOT NULL, version TEXT NOT NULL, data BLOB NOT NULL,
    UNIQUE (hash, language, version)
)
"""
_PAGE = 1024  # bytes; the usual 4096 wastes a fifth of the file in half-filled last pages

_KEPT_FOR_EACH = 3  # contents kept for each file of a workspace, for other branches and worktrees
_FEWEST_KEPT = 2_000


def content_hash(data: bytes) -> bytes:
    """The name of a content: 16 bytes of BLAKE2b."""
    return blake2b(data, digest_size=16).digest()


class FactStore:
    """Encoded facts in one SQLite file shared by worktrees; safe for several processes."""

    def __init__(self, path: Path, version: str) -> None:
        self._path = path
        self._version = version
        with store_errors(path, ProblemKind.CORRUPT_FACTS):
            path.parent.mkdir(parents=True, exist_ok=True)
            self._database = sqlite3.connect(
                path, isolation_level=None, timeout=30, check_same_thread=False
            )
            self._database.execute(f"PRAGMA page_size = {_PAGE}")
            self._database.execute("PRAGMA journal_mode = WAL")
            # Losing the newest facts in a power cut only costs extracting them again.
            self._database.execute("PRAGMA synchronous = OFF")
            self._database.execute(_SCHEMA)

    def get(self, content: bytes, language: str) -> bytes | None:
        """The encoded facts of a content, or None when it has not been extracted."""
        try:
            row = self._database.execute(
                "SELECT data FROM facts WHERE hash = ? AND language = ? AND version = ?",
                (content, language, self._version),
            ).fetchone()
        except sqlite3.DatabaseError:
            return None  # what cannot be read is extracted again; writing will report the damage
        return None if row is None else bytes(row[0])

    def has(self, content: bytes, language: str) -> bool:
        """Whether a content has been extracted."""
        try:
            row = self._database.execute(
                "SELECT 1 FROM facts WHERE hash = ? AND language = ? AND version = ?",
                (content, language, self._version),
            ).fetchone()
        except sqlite3.Error as error:  # told as damage of these, or the index would be rebuilt
            with store_errors(self._path, ProblemKind.CORRUPT_FACTS):
                raise error
        return row is not None

    def add(self, rows: Iterable[tuple[bytes, str, bytes]]) -> None:
        """Store encoded facts as (content hash, language, data)."""
        with store_errors(self._path, ProblemKind.CORRUPT_FACTS):
            self._database.execute("BEGIN IMMEDIATE")
            self._database.executemany(
                "INSERT OR REPLACE INTO facts VALUES (?, ?, ?, ?)",
                ((content, language, self._version, data) for content, language, data in rows),
            )
            self._database.execute("COMMIT")

    def prune(self, wanted: Collection[tuple[bytes, str]]) -> None:
        """Forget what other versions wrote and, beyond a few for each file, the oldest facts.

        `wanted` (content hash, language) stays, and so does room for other branches and
        worktrees. Whoever misses facts extracts again.
        """
        with store_errors(self._path, ProblemKind.CORRUPT_FACTS):
            self._database.execute("BEGIN IMMEDIATE")
            self._database.execute("DELETE FROM facts WHERE version != ?", (self._version,))
            rows = self._database.execute("SELECT rowid, hash, language FROM facts ORDER BY rowid")
            stored = rows.fetchall()
            surplus = len(stored) - max(_FEWEST_KEPT, _KEPT_FOR_EACH * len(wanted))
            if surplus > 0:
                old = [(row,) for row, *key in stored if tuple(key) not in wanted]
                self._database.executemany("DELETE FROM facts WHERE rowid = ?", old[:surplus])
            self._database.execute("COMMIT")

    def rest(self) -> None:
        """Give back the memory of pages read."""
        rest(self._database)

    def close(self) -> None:
        """Release the file."""
        self._database.close()
