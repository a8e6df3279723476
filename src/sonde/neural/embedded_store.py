"""The store that needs no server: vectors by file in SQLite, searched in memory."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy
from numpy.typing import NDArray

from sonde.meaning.matrix import EXACT_UP_TO, Direction, Directions
from sonde.neural.database import open_vectors
from sonde.neural.vector_store import EVERYWHERE, FileVectors, Nearest, Unavailable, Within

_SCHEMA = """
CREATE TABLE IF NOT EXISTS files (
    path TEXT PRIMARY KEY, hash BLOB, language TEXT, changed INTEGER, rows BLOB
) WITHOUT ROWID;
"""
_LIST = "SELECT path, hash FROM files"
# Bytes, of which each point has as many as there are dimensions.
_WHOLE = "WHERE typeof(rows) = 'blob' AND length(rows) AND length(rows) % ? = 0"
_LOOK_EVERY = 2.0  # seconds between checks for what others wrote
_INSERT = (
    "INSERT OR REPLACE INTO files (path, hash, language, changed, rows) VALUES (?, ?, ?, ?, ?)"
)


class _File(NamedTuple):
    path: str
    hash: bytes
    language: str
    changed: int
    points: int


@dataclass(frozen=True)
class _Held:
    """All vectors at one moment."""

    files: list[_File]  # by path
    ends: NDArray[numpy.int64]  # of each file's rows
    directions: Directions

    def rows_within(self, within: Within) -> NDArray[numpy.intp]:
        """The rows of the files that a search looks at."""
        wanted = numpy.array([_is_within(file, within) for file in self.files], dtype=bool)
        return numpy.flatnonzero(numpy.repeat(wanted, [file.points for file in self.files]))


class EmbeddedStore:
    """One file in the workspace's cache folder.

    Searches see what was there at the last `flush`; the writer pays for that, not they. What
    another process writes, they see a moment later.
    """

    def __init__(self, path: Path, dimensions: int, exact_up_to: int = EXACT_UP_TO) -> None:
        self._path = path
        self._dimensions = dimensions
        self._exact_up_to = exact_up_to
        self._lock = threading.Lock()  # of the connection: one thread embeds while another asks
        self._held: _Held | None = None
        self._seen = 0  # the version that was read, as SQLite counts others' changes
        self._looked = 0.0
        try:
            self._database = open_vectors(path, _SCHEMA, _LIST)
        except (OSError, sqlite3.Error) as error:
            raise Unavailable(f"vectors cannot be kept in {path}: {error}") from error

    def files(self) -> Mapping[str, bytes]:
        """The content hash of each file that has points, all of them whole."""
        with self._lock:
            return dict(self._database.execute(f"{_LIST} {_WHOLE}", (self._dimensions,)).fetchall())

    def replace(self, file: FileVectors) -> None:
        """Replace a file's points."""
        row = (file.path, file.hash, file.language, file.changed, file.rows.tobytes())
        with self._lock, self._database:
            self._database.execute(_INSERT, row)

    def remove(self, paths: Collection[str]) -> None:
        """Remove the points of some files."""
        gone = [(path,) for path in sorted(paths)]
        with self._lock, self._database:
            self._database.executemany("DELETE FROM files WHERE path = ?", gone)

    def flush(self) -> None:
        """Let searches see what was written."""
        if self._held is not None:
            self._held = self._read()

    def search(
        self, direction: Direction, limit: int, within: Within = EVERYWHERE
    ) -> list[Nearest]:
        """The points nearest to a unit vector, nearest first, ties by place."""
        held = self._now()
        if within == EVERYWHERE:
            some = held.directions.likely(direction, limit)
        else:
            some = held.rows_within(within)
        cosines = held.directions.cosines(direction, some)
        best = _largest(cosines, limit)
        rows = best if some is None else some[best]
        owners = numpy.searchsorted(held.ends, rows, side="right")
        found = []
        for row, owner, cosine in zip(rows, owners, cosines[best], strict=True):
            file = held.files[owner]
            ordinal = int(row - held.ends[owner]) + file.points
            found.append(Nearest(file.path, file.hash, ordinal, float(cosine)))
        return found

    def remove_others(self) -> None:
        """Remove what other models have stored for the workspace."""
        for path in self._path.parent.glob("*.db*"):
            if not path.name.startswith(self._path.name):
                path.unlink(missing_ok=True)

    def close(self) -> None:
        """Release the file."""
        with self._lock:
            self._held = None
            self._database.close()

    def _now(self) -> _Held:
        if self._held is None or self._written_elsewhere():
            self._held = self._read()
        return self._held

    def _written_elsewhere(self) -> bool:
        """Whether another connection has written since the vectors were read."""
        if time.monotonic() - self._looked < _LOOK_EVERY:
            return False
        self._looked = time.monotonic()
        with self._lock:
            return self._version() != self._seen

    def _version(self) -> int:
        (version,) = self._database.execute("PRAGMA data_version").fetchone()
        return int(version)

    def _read(self) -> _Held:
        with self._lock:
            self._seen = self._version()
            rows = self._database.execute(
                "SELECT path, hash, language, changed, length(rows), rows FROM files"
                f" {_WHOLE} ORDER BY path",
                (self._dimensions,),
            ).fetchall()
        files = [
            _File(path, hash, language, changed, size // self._dimensions)
            for path, hash, language, changed, size, _ in rows
        ]
        vectors = numpy.frombuffer(b"".join(row[5] for row in rows), numpy.int8)
        directions = Directions(vectors.reshape(-1, self._dimensions), self._exact_up_to)
        return _Held(files, numpy.cumsum([file.points for file in files]), directions)


def _largest(values: NDArray[numpy.float32], limit: int) -> NDArray[numpy.intp]:
    """Positions of the largest values, largest first, ties in order; most are never sorted."""
    some = numpy.arange(len(values))
    if len(values) > limit:
        some = numpy.flatnonzero(values >= numpy.partition(values, -limit)[-limit])
    order: NDArray[numpy.intp] = some[numpy.argsort(-values[some], kind="stable")][:limit]
    return order


def _is_within(file: _File, within: Within) -> bool:
    if within.languages and file.language not in within.languages:
        return False
    if within.module and not f"{file.path}/".startswith(f"{within.module.rstrip('/')}/"):
        return False
    return file.changed >= within.since
