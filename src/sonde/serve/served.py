"""One workspace of a server: its engine, the thread that answers and the one that watches."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from sonde.serve.batch import Batch
from sonde.serve.learning import BackgroundLearning
from sonde.serve.memory import give_back
from sonde.serve.metrics import Metrics
from sonde.serve.readers import MOST as MOST_READERS
from sonde.serve.tidying import Tidying
from sonde.serve.turn import Turn

if TYPE_CHECKING:
    from sonde.answers.elsewhere import Asked, Elsewhere
    from sonde.answers.results import Answer
    from sonde.config import Settings
    from sonde.engine import Engine
    from sonde.serve.buffers import Buffers
    from sonde.serve.embedding import BackgroundEmbedding
    from sonde.serve.packs import SentPacks
    from sonde.serve.readers import Readers
    from sonde.store.errors import Problem
    from sonde.sync.report import Progress
    from sonde.sync.watch import Watched

T = TypeVar("T")
_REMEMBERED = 200  # files an editor has used
_AGAIN = 2.0  # seconds until a watch that died is started again
MOST_WAITING = 64  # questions to one workspace; at 40 ms each the last waits 3 s


class Overloaded(Exception):
    """Too many questions are waiting: ask again in a second."""


@dataclass(frozen=True, slots=True)
class Health:
    """How a workspace's index is kept fresh."""

    indexing: bool
    stage: str
    done: int
    total: int
    degraded: str  # why there are no file events; "" when there are
    synced_at: float  # seconds since 1970, 0 before the first sync
    problem: str


class Served:
    """Questions take turns, so that the engine sees one at a time."""

    def __init__(self, root: Path, settings: Settings | None = None) -> None:
        self.root = root
        self.metrics = Metrics()
        self.listeners: list[Callable[[Progress | None], None]] = []
        self.recent: dict[str, None] = {}  # paths an editor has used, oldest first
        self._events = Batch(self._sync_soon)
        self._embedding: BackgroundEmbedding | None = None
        self._learning = BackgroundLearning(self.engine, lambda: self._progress is not None)
        self._buffers: Buffers | None = None
        self._settings = settings
        self._made = threading.Lock()
        self._engine: Engine | None = None
        self._packs: SentPacks | None = None
        # One thread has the turn; the others wait for processes that answer in its place.
        self._answering = ThreadPoolExecutor(MOST_READERS + 1, f"answers {root.name}")
        self._turn = Turn()
        self._readers: Readers | None = None
        self._waiting = 0
        self._counted = threading.Lock()
        self._stop = threading.Event()
        self._watcher: threading.Thread | None = None
        self._progress: Progress | None = None
        self._degraded = self._problem = ""
        self._synced_at = 0.0
        self._tidying = Tidying(self._tidy)

    @property
    def packs(self) -> SentPacks:
        """Packs that were sent lately."""
        from sonde.serve.packs import SentPacks

        with self._made:
            self._packs = self._packs or SentPacks()
            return self._packs

    @property
    def waiting(self) -> int:
        """Questions that have no answer yet."""
        return self._waiting

    def engine(self) -> Engine:
        """The engine, made when it is first needed: importing it takes a while."""
        with self._made:
            if self._engine is None:
                from sonde.engine import Engine
                from sonde.serve.background import BackgroundSync

                syncing = partial(BackgroundSync, self._on_progress, self.recent)
                engine = Engine(self.root, self._settings, syncing, patient=False)
                engine.status()  # opens what both threads use
                self._engine = engine
                self._readers = self._readers_of(engine)
                if engine.embeds:
                    from sonde.serve.embedding import BackgroundEmbedding

                    self._embedding = BackgroundEmbedding(self.engine, self.recent)
            return self._engine

    def _readers_of(self, engine: Engine) -> Readers | None:
        from sonde.serve.readers import Readers
        from sonde.store.errors import Problem

        place = engine.place()
        return None if isinstance(place, Problem) else Readers(place, engine.workers)

    def buffers(self) -> Buffers:
        """Unsaved texts of an editor."""
        engine = self.engine()
        with self._made:
            if self._buffers is None:
                from sonde.serve.buffers import Buffers
                from sonde.store.errors import Problem

                place = engine.place()
                if isinstance(place, Problem):
                    raise Overloaded(place.message)
                self._buffers = Buffers(place, self._over, self._look_at_buffers)
            return self._buffers

    def noticed(self, path: str, *, on_disk: bool) -> None:
        """An editor works on a file; `on_disk` when it changed there."""
        self.recent.pop(path, None)
        self.recent[path] = None
        while len(self.recent) > _REMEMBERED:
            self.recent.pop(next(iter(self.recent)))
        if on_disk:
            self._events.add(path)

    @property
    def noticed_files(self) -> int:
        """Files that an editor reported and whose sync has not begun."""
        return self._events.waiting

    def _seeing(self) -> Engine:
        """The engine that sees unsaved buffers while there are any."""
        over = self._buffers.engine() if self._buffers is not None else None
        return over or self.engine()

    def _look_at_buffers(self) -> None:
        """Let the thread that answers close what no buffer needs any more."""
        with suppress(Overloaded):  # then the next question does
            self.ask(lambda _: None)

    def _over(self, overlay: Path) -> Engine:
        from sonde.engine import Engine
        from sonde.serve.background import BackgroundSync

        syncing = partial(BackgroundSync, lambda _: None, self.recent)
        return Engine(self.root, self._settings, syncing, overlay, patient=False)

    def _sync_soon(self) -> None:
        threading.Thread(target=self.engine().sync, name="events", daemon=True).start()

    def start(self) -> None:
        """Index now, and keep the index fresh from here on."""
        if self._watcher is None:
            name = f"watch {self.root.name}"
            watcher = threading.Thread(target=self._watch, name=name, daemon=True)
            watcher.start()
            self._watcher = watcher  # known once it runs: who closes waits for its end

    def ask(self, question: Callable[[Engine], T], name: str = "other") -> Future[T]:
        """Ask a question; its answer comes in turn. Raises `Overloaded` when too many wait."""
        with self._counted:
            if self._waiting >= MOST_WAITING:
                raise Overloaded("too many questions are waiting: ask again in a second")
            self._waiting += 1
            waiting = self._waiting
        if self._readers is not None:
            self._readers.notice(waiting - 1)
        began = time.perf_counter()
        try:
            future = self._answering.submit(self._answer, question)
        except RuntimeError as error:
            self._answered(name, began)
            raise Overloaded("this workspace is being closed") from error
        future.add_done_callback(lambda _: self._answered(name, began))
        return future

    def _answer(self, question: Callable[[Engine], T]) -> T:
        with self._turn.taken():
            return question(self._seeing())

    def elsewhere(self) -> Elsewhere | None:
        """Where a task may be answered while other questions wait for their turn."""
        readers = self._readers
        if readers is None or not readers.there or self._waiting < 2:
            return None

        def answer(asked: Asked) -> Answer | None:
            with self._turn.given_up():
                return readers.answer(asked)

        return answer

    def health(self) -> Health:
        """How fresh the index is kept."""
        at = self._progress
        return Health(
            at is not None,
            at.stage if at else "",
            at.done if at else 0,
            at.total if at else 0,
            self._degraded,
            self._synced_at,
            self._problem,
        )

    def leave(self) -> None:
        """Remove what must not outlive the process."""
        if self._buffers is not None:
            self._buffers.remove()

    def forget(self) -> Problem | None:
        """Close and delete the index."""
        self.close()
        return self.engine().forget()

    def close(self) -> None:
        """End the threads."""
        self._stop.set()
        self._tidying.close()
        self._answering.shutdown(wait=True, cancel_futures=True)
        if self._readers is not None:
            self._readers.close()
        self._learning.close()
        if self._embedding is not None:
            self._embedding.close()
        if self._buffers is not None:
            self._buffers.close()
        self._close_engine()  # and with it the sync that the watch may be waiting for
        if self._watcher is not None:
            self._watcher.join(3.0)
        self._close_engine()  # which the watch may have made meanwhile

    def _close_engine(self) -> None:
        if self._engine is not None:
            with self._turn.taken():
                self._engine.close()

    def _answered(self, name: str, began: float) -> None:
        with self._counted:
            self._waiting -= 1
        self._tidying.later()
        self.metrics.observe(name, time.perf_counter() - began)

    def _watch(self) -> None:
        """Watch until the end; a watch that dies is reported and started again."""
        while not self._stop.is_set():
            try:
                problem = self.engine().watch(self._stop, self._on_sync)
                self._problem = problem.message if problem is not None else self._problem
            except Exception as error:
                said = f"{type(error).__name__}: {error}".splitlines()[0][:200]
                self._problem = f"watching failed: {said}"
                self._degraded = self._problem
            self._progress = None
            self._stop.wait(_AGAIN)

    def _tidy(self) -> bool:
        """Give memory back; True while there are processes to be ended later."""
        if self._engine is not None:
            with self._turn.taken():
                self._engine.rest()
        if self._packs is not None:
            self._packs.rest()
        give_back()
        if self._readers is None:
            return False
        self._readers.tidy()
        return self._readers.there

    def _on_progress(self, progress: Progress) -> None:
        self._progress = progress
        for listener in list(self.listeners):
            listener(progress)

    def _on_sync(self, watched: Watched) -> None:
        from sonde.store.errors import Problem

        self._progress = None
        self._degraded = watched.degraded
        result = watched.result
        self._problem = result.message if isinstance(result, Problem) else ""
        if not isinstance(result, Problem):
            self._synced_at = time.time()
            if result.changed:
                self._tidying.later()
            self._learning.wake()
            if self._embedding is not None:
                self._embedding.wake(result.generation)
        for listener in list(self.listeners):
            listener(None)
