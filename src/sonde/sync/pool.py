"""Worker processes, and what happens when one crashes or hangs: its file is given up."""

from __future__ import annotations

import os
import selectors
import subprocess
import sys
import time
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from sonde.model import SkipReason
from sonde.store.errors import ProblemKind, StoreError
from sonde.sync.frames import FrameBuffer, pack_frame
from sonde.sync.worker import TIME_OVER

_TIME_LIMIT = 20.0  # seconds without an answer; a worker that computes ends itself much earlier
_START_LIMIT = 60.0  # seconds for a worker's first answer, which waits for imports and tables
_BATCH = 12  # jobs sent at once, so that a worker need not wait for the writer
_WORTH_A_WORKER = 16  # jobs; starting a process costs as much as extracting some twenty files
_READ_SIZE = 1 << 18
_MOST_STARTS_WITHOUT_ANSWER = 3
# From so many jobs on, workers give way to questions, and by this much: at 5 a question gets three
# times their share. A question that met a branch switch spent half of its time waiting for a core,
# or for the interpreter's lock, whose holder waited for a core.
_MANY, _GIVING_WAY = 50, 5


class Job(NamedTuple):
    """One call of a worker's operation; `key` names it for the caller."""

    key: Any
    arguments: tuple[Any, ...]


class _Worker:
    """One process and the jobs it has been given."""

    def __init__(self, start: tuple[Any, ...]) -> None:
        # -P: the current folder may be a hostile repository and must not be imported from.
        process = subprocess.Popen(
            [sys.executable, "-P", "-m", "sonde.sync.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            bufsize=0,
        )
        assert process.stdin is not None
        assert process.stdout is not None
        self.process = process
        self.requests = process.stdin
        self.answers = process.stdout
        self.jobs: deque[Job] = deque()
        self.buffer = FrameBuffer()
        self.since = time.monotonic()
        self.answered = False
        self.gives_way = False
        self.send(start)

    def give_way(self) -> None:
        """Give way to other processes, for good."""
        if not self.gives_way:
            self.gives_way = True
            own = os.getpriority(os.PRIO_PROCESS, 0)
            with suppress(OSError):  # it has ended, which is noticed elsewhere
                os.setpriority(os.PRIO_PROCESS, self.process.pid, own + _GIVING_WAY)

    def send(self, message: Any) -> bool:
        data = memoryview(pack_frame(message))
        try:
            while data:
                data = data[self.requests.write(data) :]
        except OSError:
            return False  # noticed again when its answers end
        return True

    def give(self, operation: str, jobs: Sequence[Job]) -> None:
        self.since = time.monotonic()
        self.jobs.extend(jobs)
        self.send((operation, [job.arguments for job in jobs]))

    @property
    def overdue(self) -> bool:
        limit = _TIME_LIMIT if self.answered else _START_LIMIT
        return bool(self.jobs) and time.monotonic() - self.since > limit

    def end(self, *, kill: bool = False) -> None:
        if kill:
            self.process.kill()
        self.requests.close()
        self.answers.close()
        self.process.wait()


class Pool:
    """A few workers of one workspace, started when needed; those `behind` questions give way."""

    def __init__(self, start: tuple[Any, ...], size: int, *, behind: bool = False) -> None:
        self._start = start
        self._size = max(1, size)
        self._behind = behind
        self._workers: list[_Worker] = []
        self._barren_starts = 0

    def prepare(self) -> None:
        """Have a worker ready; otherwise the first edit waits a fifth of a second for its start."""
        if any(worker.gives_way for worker in self._workers):
            self.close()  # somebody waits for an edit
        if not self._workers:
            self._workers.append(self._new_worker())

    def run(self, operation: str, jobs: Sequence[Job]) -> Iterator[tuple[Any, Any]]:
        """Answers as they come: (key, answer), or (key, SkipReason) for a job that was given up."""
        waiting = deque(jobs)
        batch = max(1, min(_BATCH, -(-len(jobs) // self._size)))
        gives_way = self._behind and len(jobs) > _MANY
        if jobs and not gives_way and any(worker.gives_way for worker in self._workers):
            self.close()
        with selectors.DefaultSelector() as selector:
            while len(self._workers) < min(self._size, -(-len(jobs) // _WORTH_A_WORKER)):
                self._workers.append(self._new_worker())
            for worker in self._workers:
                selector.register(worker.answers, selectors.EVENT_READ, worker)
                if gives_way:
                    worker.give_way()
            while waiting or any(worker.jobs for worker in self._workers):
                for worker in self._workers:
                    if len(worker.jobs) <= batch // 2 and waiting:
                        count = min(batch, len(waiting))
                        worker.give(operation, [waiting.popleft() for _ in range(count)])
                for key, _ in selector.select(timeout=0.2):
                    yield from self._receive(key.data, selector, waiting)
                for worker in [each for each in self._workers if each.overdue]:
                    yield self._give_up(worker, selector, waiting, SkipReason.PARSER_TIMEOUT)

    def _receive(
        self, worker: _Worker, selector: selectors.BaseSelector, waiting: deque[Job]
    ) -> Iterator[tuple[Any, Any]]:
        data = os.read(worker.answers.fileno(), _READ_SIZE)
        if not data:
            ended_itself = worker.process.wait() == -TIME_OVER
            reason = SkipReason.PARSER_TIMEOUT if ended_itself else SkipReason.PARSER_CRASH
            yield self._give_up(worker, selector, waiting, reason)
            return
        for answer in worker.buffer.feed(data):
            job = worker.jobs.popleft()
            worker.answered = True
            self._barren_starts = 0
            yield job.key, answer
            # Reset after the caller took the answer: the caller's time is not the worker's.
            worker.since = time.monotonic()

    def _give_up(
        self,
        worker: _Worker,
        selector: selectors.BaseSelector,
        waiting: deque[Job],
        reason: SkipReason,
    ) -> tuple[Any, Any]:
        """End a worker; its current job is answered with the reason, the others wait again."""
        selector.unregister(worker.answers)
        worker.end(kill=True)
        self._workers.remove(worker)
        if not worker.answered:
            self._barren_starts += 1
            if self._barren_starts >= _MOST_STARTS_WITHOUT_ANSWER:
                raise StoreError(
                    ProblemKind.NO_WORKERS,
                    "worker processes end before they answer; nothing indexed",
                )
        culprit = worker.jobs.popleft() if worker.jobs else None
        waiting.extendleft(reversed(worker.jobs))
        replacement = self._new_worker()
        self._workers.append(replacement)
        selector.register(replacement.answers, selectors.EVENT_READ, replacement)
        return (culprit.key, reason) if culprit else (None, reason)

    def _new_worker(self) -> _Worker:
        try:
            return _Worker(self._start)
        except OSError as error:
            raise StoreError(
                ProblemKind.NO_WORKERS, f"cannot start a worker process: {error.strerror}"
            ) from error

    def close(self) -> None:
        """End all workers."""
        for worker in self._workers:
            worker.end(kill=bool(worker.jobs))
        self._workers.clear()
