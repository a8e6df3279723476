"""The models that a user chose for a workspace, each loaded when first needed."""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from enum import Enum, auto
from pathlib import Path
from typing import Generic, NamedTuple, TypeVar

from sonde.extract import EXTRACTOR_VERSION
from sonde.neural.model_folder import model_files
from sonde.neural.onnx_model import CrossEncoder, EmbeddingModel, load_model
from sonde.neural.vector_store import EVERYWHERE, Nearest, Unavailable, VectorStore, Within
from sonde.store.errors import Problem, ProblemKind
from sonde.store.location import Workspace

T = TypeVar("T")
_AGAIN = 30.0  # seconds until something that failed is tried again


class Choice(NamedTuple):
    """What was configured."""

    embedding: Path | None
    reranking: Path | None
    store: str = ""  # "": in the cache folder; else a Qdrant server's URL, or a folder

    @property
    def stamp(self) -> str:
        """A value that changes with the choice and with the chosen files."""
        chosen = [folder for folder in (self.embedding, self.reranking) if folder is not None]
        times = [_changed_at(path) for folder in chosen for path in model_files(folder)]
        return repr((*self, *times))


class Lacking(Enum):
    """Why a question has to do without a model."""

    LOADING = auto()
    FAILED = auto()

    @property
    def is_loading(self) -> bool:
        """Whether nothing is wrong, and a later question may have it."""
        return self is Lacking.LOADING


class Vectors(NamedTuple):
    """A model that embeds, and the store with what it has embedded."""

    model: EmbeddingModel
    store: VectorStore


class Models:
    """The chosen models. With `behind`, no question waits for what is not ready."""

    def __init__(self, choice: Choice, place: Workspace, *, behind: bool = False) -> None:
        self.choice = choice
        self.place = place
        self.known: Mapping[str, bytes] = {}  # content hash of each embedded file, by path
        self._behind = behind
        self._threads = 1 if behind else os.cpu_count() or 1
        self._vectors = _Loaded(self._open_vectors)
        self._reranker = _Loaded(self._open_reranker)
        self._failed = -_AGAIN  # when the store last did not answer

    @property
    def embeds(self) -> bool:
        """Whether a model for vectors was chosen."""
        return self.choice.embedding is not None

    @property
    def judges(self) -> bool:
        """Whether a model for pairs was chosen."""
        return self.choice.reranking is not None

    def vectors(self) -> Vectors | Problem:
        """The embedding model and its store, waited for."""
        return self._vectors.wait()

    def files(self) -> Mapping[str, bytes] | Problem:
        """The content hash of each embedded file, by path, or why that cannot be told now."""
        if not self._behind:
            vectors = self._vectors.wait()
            return vectors if isinstance(vectors, Problem) else self.known
        loaded = self._vectors.get(self._behind)
        if loaded is Lacking.LOADING:
            return Problem(ProblemKind.BUSY, "the embedding model is still loading: ask again")
        if loaded is Lacking.FAILED:
            return _problem("the embedding model is not ready: see 'sonde doctor'")
        return self.known

    def judged(self, task: str, texts: Callable[[], Sequence[str]]) -> list[float] | Lacking:
        """How well each text answers a task, 0 to 1, or why no model for that is ready."""
        model = self._reranker.get(self._behind)
        if isinstance(model, Lacking):
            return model
        try:
            return model.scores(task, texts())
        except Unavailable:
            return Lacking.FAILED

    def nearest(
        self, text: str, limit: int, within: Within = EVERYWHERE
    ) -> list[Nearest] | Lacking:
        """The embedded symbols nearest to a text, or why the model or store is not ready."""
        if self.choice.embedding is None:
            return []
        if time.monotonic() - self._failed < _AGAIN:
            return Lacking.FAILED
        vectors = self._vectors.get(self._behind)
        if isinstance(vectors, Lacking):
            return vectors
        try:
            (direction,) = vectors.model.embed([text])
            return vectors.store.search(direction, limit, within)
        except (Unavailable, sqlite3.Error):
            self._failed = time.monotonic()
            return Lacking.FAILED

    def close(self) -> None:
        """Release the store."""
        self._vectors.drop(lambda vectors: vectors.store.close())

    def _open_vectors(self) -> Vectors | Problem:
        if self.choice.embedding is None:
            return _problem("no embedding model is chosen")
        model = load_model(self.choice.embedding, self._threads)
        if isinstance(model, CrossEncoder):
            return _problem(f"{self.choice.embedding} judges pairs of texts: it gives no vectors")
        if isinstance(model, Problem):
            return model
        try:
            store = open_store(self.choice.store, self.place, model)
            self.known = store.files()
        except (Unavailable, sqlite3.Error) as error:
            return _problem(str(error))
        return Vectors(model, store)

    def _open_reranker(self) -> CrossEncoder | Problem:
        assert self.choice.reranking is not None
        model = load_model(self.choice.reranking, self._threads)
        if isinstance(model, EmbeddingModel):
            return _problem(f"{self.choice.reranking} gives vectors: it judges no pairs of texts")
        return model


def open_store(chosen: str, place: Workspace, model: EmbeddingModel) -> VectorStore:
    """The store of a workspace's vectors. Raises `Unavailable`."""
    # Points are numbered among a file's symbols, of which another extractor may find others.
    name = f"{model.id}-{EXTRACTOR_VERSION}"
    if not chosen:
        from sonde.neural.embedded_store import EmbeddedStore

        return EmbeddedStore(place.vectors / f"{name}.db", model.dimensions)
    try:
        from sonde.neural.qdrant_store import QdrantStore
    except ImportError as error:
        raise Unavailable("Qdrant needs its client: pip install 'sonde[qdrant]'") from error
    return QdrantStore(chosen, place.name, name, model.dimensions)


class _Loaded(Generic[T]):
    """Something that takes long to load: waited for, or loaded behind the questions."""

    def __init__(self, load: Callable[[], T | Problem]) -> None:
        self._load = load
        self._lock = threading.Lock()
        self._value: T | Problem | None = None
        self._tried = -_AGAIN

    def wait(self) -> T | Problem:
        """The value, or why there is none."""
        with self._lock:
            value = self._value
            if value is None or self._is_due():
                self._value = value = self._load()
                self._tried = time.monotonic()
            return value

    def get(self, behind: bool) -> T | Lacking:
        """The value if it is there; `behind` begins to load it instead of waiting."""
        if not behind:
            self.wait()
        elif (self._value is None or self._is_due()) and not self._lock.locked():
            threading.Thread(target=self.wait, name="load a model", daemon=True).start()
        value = self._value
        if value is None:
            return Lacking.LOADING
        return Lacking.FAILED if isinstance(value, Problem) else value

    def _is_due(self) -> bool:
        """Whether something that failed is worth another attempt."""
        again = time.monotonic() - self._tried >= _AGAIN
        return isinstance(self._value, Problem) and again

    def drop(self, close: Callable[[T], None]) -> None:
        """Close the value; if it is still being loaded, once it is."""
        with self._lock:
            if self._value is not None and not isinstance(self._value, Problem):
                close(self._value)
            self._value = None


def _changed_at(path: Path) -> int:
    """When a file last changed; 0 for one that was removed meanwhile."""
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0


def _problem(message: str) -> Problem:
    return Problem(ProblemKind.BAD_SETTINGS, message)
