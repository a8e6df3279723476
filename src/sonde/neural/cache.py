"""Vectors by the text they were made from: none is embedded twice, whatever its branch."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Mapping, Sequence
from pathlib import Path

_SCHEMA = "CREATE TABLE IF NOT EXISTS vectors (text BLOB PRIMARY KEY, row BLOB) WITHOUT ROWID"
_MOST = 500  # keys in one query


def vectors_folder(cache: Path) -> Path:
    """Where the vectors of all models are kept, one file per model."""
    return cache / "embeddings"


def text_key(text: str) -> bytes:
    """The name of a text."""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()


class VectorCache:
    """The vectors of one model, shared by all workspaces of the user."""

    def __init__(self, cache: Path, model_id: str) -> None:
        path = vectors_folder(cache) / f"{model_id}.db"
        path.parent.mkdir(parents=True, exist_ok=True)
        self._database = sqlite3.connect(path, timeout=30.0, check_same_thread=False)
        self._database.execute("PRAGMA journal_mode=WAL")
        self._database.execute("PRAGMA synchronous=OFF")  # what is lost is embedded again
        self._database.execute(_SCHEMA)

    def get(self, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        """The rows that are known, by key."""
        found: dict[bytes, bytes] = {}
        for start in range(0, len(keys), _MOST):
            part = keys[start : start + _MOST]
            marks = ",".join("?" * len(part))
            query = f"SELECT text, row FROM vectors WHERE text IN ({marks})"
            found.update(self._database.execute(query, part).fetchall())
        return found

    def put(self, rows: Mapping[bytes, bytes]) -> None:
        """Keep rows by key."""
        with self._database:
            self._database.executemany("INSERT OR IGNORE INTO vectors VALUES (?, ?)", rows.items())

    def close(self) -> None:
        """Release the file."""
        self._database.close()
