"""Embedding a workspace: file after file, those in use first, only what is not embedded yet."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

import numpy

from sonde.meaning.encode import directions
from sonde.meaning.matrix import Rows
from sonde.model import SymbolRecord
from sonde.neural.cache import VectorCache, cache_file, text_key
from sonde.neural.database import remove_damaged
from sonde.neural.models import Models, Vectors
from sonde.neural.symbol_text import symbol_text
from sonde.neural.vector_store import FileVectors, Point, Unavailable
from sonde.store.errors import Problem, ProblemKind, StoreError, is_damage
from sonde.store.index import Index
from sonde.store.lock import writer_lock
from sonde.store.records import FileRecord
from sonde.sync.report import Progress, ProgressCallback

STAGE = "embed"
_AT_ONCE = 32  # texts between checks whether to stop: about a second
_FLUSH_EVERY = 2.0  # seconds until questions are shown what is new
_IDLE_SHARE = 20  # and that may take a twentieth of the time


class Embedded(NamedTuple):
    """How many symbols of how many are embedded; `new` by this call, some from the cache."""

    done: int
    total: int
    new: int

    @property
    def share(self) -> float:
        """Of the symbols those that are embedded; 1 where there are none to embed."""
        return self.done / self.total if self.total else 1.0


def embed(
    index: Index,
    models: Models,
    first: Sequence[str] = (),
    stop: Callable[[], bool] = lambda: False,
    progress: ProgressCallback = lambda _: None,
) -> Embedded | Problem:
    """Embed what is missing, the files in `first` before others; if stopped, what is done stays."""
    begin = partial(_embed, index, models, first, stop, progress)
    try:
        return begin()
    except sqlite3.Error as error:
        if not is_damage(error):
            return _unwritable(models, error)
    _mend(models)
    try:
        return begin()
    except sqlite3.Error as error:
        return _unwritable(models, error)


def _embed(
    index: Index,
    models: Models,
    first: Sequence[str],
    stop: Callable[[], bool],
    progress: ProgressCallback,
) -> Embedded | Problem:
    vectors = models.vectors()
    if isinstance(vectors, Problem):
        return vectors
    try:
        with writer_lock(models.place.vectors / "embedding.lock", 0.0):
            return _Round(index, models, vectors, stop).run(first, progress)
    except StoreError as error:
        if error.problem.kind is ProblemKind.BUSY:
            return Problem(ProblemKind.BUSY, "another process is embedding this workspace")
        return error.problem
    except Unavailable as error:
        return Problem(ProblemKind.BAD_SETTINGS, str(error))
    except OSError as error:
        return _unwritable(models, error)


def _mend(models: Models) -> None:
    """Remove files of vectors that are damaged; what was in them is embedded again."""
    vectors = models.vectors()
    models.close()
    if not isinstance(vectors, Problem):
        remove_damaged(cache_file(models.place.cache, vectors.model.id))
    for path in models.place.vectors.glob("*.db"):
        remove_damaged(path)


def _unwritable(models: Models, error: Exception) -> Problem:
    where = models.place.cache
    return Problem(ProblemKind.UNWRITABLE, f"vectors cannot be kept below {where}: {error}")


class _Round:
    """One pass over the files of an index."""

    def __init__(
        self, index: Index, models: Models, vectors: Vectors, stop: Callable[[], bool]
    ) -> None:
        self._index = index
        self._stop = stop
        self._models = models
        self._model, self._store = vectors
        self._cache = VectorCache(models.place.cache, vectors.model.id, vectors.model.dimensions)
        self._known = dict(self._store.files())
        self._flushed = time.monotonic()
        self._pause = _FLUSH_EVERY

    def run(self, first: Sequence[str], progress: ProgressCallback) -> Embedded:
        """Embed what is missing until it is stopped."""
        counts = self._index.meant_counts()
        files = {file.path: file for file in self._index.files() if file.id in counts}
        missing = [each for each in files.values() if self._known.get(each.path) != each.hash]
        total = sum(counts.values())
        done = total - sum(counts[file.id] for file in missing)
        before = done
        try:
            self._store.remove_others()
            self._remove(self._known.keys() - files.keys())
            for file in _in_order(missing, first):
                if self._stop():
                    break
                progress(Progress(STAGE, done, total))
                if self._put(file):
                    done += counts[file.id]
                self._flush_sometimes()
        finally:
            self._flush()
            self._cache.close()
        return Embedded(done, total, done - before)

    def _remove(self, gone: set[str]) -> None:
        if gone:
            self._store.remove(gone)
            self._known = {path: hash for path, hash in self._known.items() if path not in gone}

    def _put(self, file: FileRecord) -> bool:
        """Embed one file, unless its content on disk differs from the index by now."""
        source = self._index.source_bytes(file.path)
        changed = self._changed_at(file.path)
        if not isinstance(source, bytes) or changed is None:
            return False
        records = self._index.records(self._index.meant_in(file.id))
        rows = self._rows([symbol_text(record, source) for record in records])
        if rows is None:
            return False
        self._store.replace(
            FileVectors(
                file.path,
                file.hash,
                file.language,
                (file.kind.value, *([file.package] if file.package else [])),
                changed,
                tuple(_point(record) for record in records),
                rows,
            )
        )
        self._known[file.path] = file.hash
        return True

    def _changed_at(self, path: str) -> int | None:
        try:
            return int((self._models.place.root / path).stat().st_mtime)
        except OSError:
            return None

    def _rows(self, texts: Sequence[str]) -> Rows | None:
        """A row for each text; None if it was stopped, with what was made in the cache."""
        keys = [text_key(text) for text in texts]
        rows = self._cache.get(keys)
        new = [each for each in dict(zip(keys, texts, strict=True)).items() if each[0] not in rows]
        for start in range(0, len(new), _AT_ONCE):
            if start and self._stop():
                return None
            part = new[start : start + _AT_ONCE]
            encoded = directions(self._model.embed([text for _, text in part]))
            made = {key: row.tobytes() for (key, _), row in zip(part, encoded, strict=True)}
            self._cache.put(made)
            rows.update(made)
        joined = b"".join(rows[key] for key in keys)
        return numpy.frombuffer(joined, numpy.int8).reshape(len(keys), -1)

    def _flush_sometimes(self) -> None:
        if time.monotonic() - self._flushed > self._pause:
            self._flush()

    def _flush(self) -> None:
        began = time.monotonic()
        self._store.flush()
        self._models.known = dict(self._known)
        self._flushed = time.monotonic()
        self._pause = max(_FLUSH_EVERY, _IDLE_SHARE * (self._flushed - began))


def _in_order(missing: Sequence[FileRecord], first: Sequence[str]) -> Iterator[FileRecord]:
    """Files in use, then the others by path."""
    by_path = {file.path: file for file in missing}
    for path in first:
        if (file := by_path.pop(path, None)) is not None:
            yield file
    yield from by_path.values()


def _point(record: SymbolRecord) -> Point:
    return Point(record.qualname, record.kind.value, record.start_byte, record.end_byte)
