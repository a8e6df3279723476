"""Vectors by the text they were made from: none is embedded twice, whatever its branch."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path

from sonde.neural.database import open_vectors

_SCHEMA = "CREATE TABLE IF NOT EXISTS vectors (text BLOB PRIMARY KEY, row BLOB) WITHOUT ROWID"
_WHOLE = "typeof(row) = 'blob' AND length(row) = ?"  # bytes, which are the dimensions
_MOST = 500  # keys in one query


def vectors_folder(cache: Path) -> Path:
    """Where the vectors of all models are kept, one file per model."""
    return cache / "embeddings"


def cache_file(cache: Path, model_id: str) -> Path:
    """Where the vectors of one model are kept."""
    return vectors_folder(cache) / f"{model_id}.db"


def text_key(text: str) -> bytes:
    """The name of a text."""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()


class VectorCache:
    """The vectors of one model, shared by all workspaces of the user."""

    def __init__(self, cache: Path, model_id: str, dimensions: int) -> None:
        path = cache_file(cache, model_id)
        self._dimensions = dimensions
        self._database = open_vectors(path, _SCHEMA)

    def get(self, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        """The rows that are known, by key; one of another length is none."""
        found: dict[bytes, bytes] = {}
        for start in range(0, len(keys), _MOST):
            part = keys[start : start + _MOST]
            marks = ",".join("?" * len(part))
            query = f"SELECT text, row FROM vectors WHERE text IN ({marks}) AND {_WHOLE}"
            found.update(self._database.execute(query, (*part, self._dimensions)).fetchall())
        return found

    def put(self, rows: Mapping[bytes, bytes]) -> None:
        """Keep rows by key."""
        with self._database:
            self._database.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?)", rows.items())

    def close(self) -> None:
        """Release the file."""
        self._database.close()
