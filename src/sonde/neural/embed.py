"""Embedding a workspace: file after file, those in use first, only what is not embedded yet."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy

from sonde.meaning.encode import directions
from sonde.model import SymbolRecord
from sonde.neural.cache import VectorCache, text_key
from sonde.neural.models import Models, Vectors
from sonde.neural.symbol_text import symbol_text
from sonde.neural.vector_store import FileVectors, Point, Unavailable
from sonde.store.errors import Problem, ProblemKind, StoreError
from sonde.store.index import FileRecord, Index
from sonde.store.lock import writer_lock
from sonde.sync.report import Progress, ProgressCallback

STAGE = "embed"
_FLUSH_EVERY = 2.0  # seconds between letting questions see what is new
_IDLE_SHARE = 20  # and that may take a twentieth of the time


class Embedded(NamedTuple):
    """How many symbols are embedded of how many; `new` were by this call, some from the cache."""

    done: int
    total: int
    new: int


def embed(
    index: Index,
    models: Models,
    first: Sequence[str] = (),
    stop: Callable[[], bool] = lambda: False,
    progress: ProgressCallback = lambda _: None,
) -> Embedded | Problem:
    """Embed what is not yet, `first` those files; what was done stays when it is stopped."""
    vectors = models.vectors()
    if isinstance(vectors, Problem):
        return vectors
    try:
        with writer_lock(models.place.vectors / "embedding.lock", 0.0):
            return _Round(index, models, vectors).run(first, stop, progress)
    except StoreError as error:
        if error.problem.kind is ProblemKind.BUSY:
            return Problem(ProblemKind.BUSY, "another process is embedding this workspace")
        return error.problem
    except Unavailable as error:
        return Problem(ProblemKind.BAD_SETTINGS, str(error))


class _Round:
    """One pass over the files of an index."""

    def __init__(self, index: Index, models: Models, vectors: Vectors) -> None:
        self._index = index
        self._models = models
        self._model, self._store = vectors
        self._cache = VectorCache(models.place.cache, vectors.model.id)
        self._known = dict(self._store.files())
        self._flushed = time.monotonic()
        self._pause = _FLUSH_EVERY

    def run(
        self, first: Sequence[str], stop: Callable[[], bool], progress: ProgressCallback
    ) -> Embedded:
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
                if stop():
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
        """Embed one file; not if the disk has another content than the index by now."""
        source = self._index.source_bytes(file.path)
        if not isinstance(source, bytes):
            return False
        records = self._index.records(self._index.meant_in(file.id))
        rows = self._rows([symbol_text(record, source) for record in records])
        self._store.replace(
            FileVectors(
                file.path,
                file.hash,
                file.language,
                (file.kind.value, *([file.package] if file.package else [])),
                int((self._models.place.root / file.path).stat().st_mtime),
                tuple(_point(record) for record in records),
                rows,
            )
        )
        self._known[file.path] = file.hash
        return True

    def _rows(self, texts: Sequence[str]) -> numpy.typing.NDArray[numpy.int8]:
        keys = [text_key(text) for text in texts]
        rows = self._cache.get(keys)
        new = {key: text for key, text in zip(keys, texts, strict=True) if key not in rows}
        if new:
            encoded = directions(self._model.embed(list(new.values())))
            made = {key: row.tobytes() for key, row in zip(new, encoded, strict=True)}
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
