"""Processes that answer tasks while questions queue up; an idle server has none."""

from __future__ import annotations

import os
import select
import subprocess
import sys
import threading
import time
from typing import TYPE_CHECKING, Any

from sonde.serve.turn import Turn

if TYPE_CHECKING:
    from sonde.answers.elsewhere import Asked
    from sonde.answers.results import Answer
    from sonde.store.location import Workspace

MOST = 4  # processes; each holds some 150 MB of its own for a repository like django
_PATIENCE = 20.0  # seconds for one answer
# Questions in a row that find others waiting. An agent that asks ten things at once has its
# answers before a process runs; with 30, eight clients got a third fewer in their first 8 s.
_QUEUED = 12
_OTHERS = 2  # waiting questions that make a queue
_KEPT = 60.0  # seconds without use
_READ_SIZE = 1 << 18


class _Gone(Exception):
    """The process ended or took too long."""


class _Process:
    """One reader and its pipes."""

    def __init__(self, start: tuple[str, str]) -> None:
        # -P: the current folder may be a hostile repository and must not be imported from.
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "sonde.serve.reader_process"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            bufsize=0,
        )
        self._send(start)

    def _send(self, message: Any) -> None:
        from sonde.sync.frames import pack_frame

        assert self._process.stdin is not None
        data = memoryview(pack_frame(message))
        try:
            while data:
                data = data[self._process.stdin.write(data) :]
        except (OSError, ValueError) as error:
            raise _Gone from error

    def ready(self) -> None:
        """Wait until it has loaded what it needs."""
        self._receive()

    def ask(self, asked: Asked) -> str:
        """The answer as it is kept on disk; "" when there is none."""
        options = asked.options
        shown = (options.budget, options.format, options.tokenizer, options.without, options.seen)
        self._send((asked.task, shown, *asked[2:]))
        return self._receive()

    def _receive(self) -> str:
        from sonde.sync.frames import FrameBuffer

        assert self._process.stdout is not None
        output, buffer = self._process.stdout, FrameBuffer()
        deadline = time.monotonic() + _PATIENCE
        while True:
            if not select.select([output], [], [], max(0.0, deadline - time.monotonic()))[0]:
                raise _Gone
            data = os.read(output.fileno(), _READ_SIZE)
            if not data:
                raise _Gone
            for message in buffer.feed(data):
                return str(message)

    def end(self) -> None:
        """End it at once; it writes nothing that could be left half-written."""
        self._process.kill()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()
        self._process.wait()


class _Crew:
    """Processes that are ready, given in turn to those who ask."""

    def __init__(self, processes: list[_Process]) -> None:
        self._free = processes
        self._turn = Turn(len(processes))
        self._lock = threading.Lock()
        self._left = len(processes)
        self.used = time.monotonic()

    @property
    def alive(self) -> bool:
        """Whether any is left."""
        return self._left > 0

    def ask(self, asked: Asked) -> str:
        """The answer of the first free process; "" when the server has to answer itself."""
        with self._turn.taken():
            with self._lock:
                process = self._free.pop() if self._free else None
            if process is None:  # it died, but its place was still handed out
                return ""
            self.used = time.monotonic()
            try:
                text = process.ask(asked)
            except _Gone:
                process.end()
                with self._lock:
                    self._left -= 1
                return ""
            with self._lock:
                if self._left:
                    self._free.append(process)
                    return text
            process.end()  # all were told to end meanwhile
            return text

    def end(self) -> None:
        """End all; those at work end when they have answered."""
        with self._lock:
            ending, self._free, self._left = self._free, [], 0
        for each in ending:
            each.end()


class Readers:
    """As many processes as the machine has cores, while they are needed."""

    def __init__(self, place: Workspace, most: int) -> None:
        self._place = place
        self._count = min(most, MOST)
        self._lock = threading.Lock()
        self._crew: _Crew | None = None
        self._queued = 0
        self._starting = self._closed = False

    @property
    def there(self) -> bool:
        """Whether tasks can be given away."""
        return self._crew is not None and self._crew.alive

    def notice(self, waiting: int) -> None:
        """Note a question that came while others waited; after some of these, processes start."""
        with self._lock:
            self._queued = self._queued + 1 if waiting >= _OTHERS else 0
            if self._queued < _QUEUED or self.there or self._starting or self._count < 2:
                return
            self._starting = True
        threading.Thread(target=self._begin, name="readers", daemon=True).start()

    def _begin(self) -> None:
        processes: list[_Process] = []
        start = (str(self._place.root), str(self._place.cache))
        try:
            for _ in range(self._count):
                processes.append(_Process(start))
            for each in processes:
                each.ready()
        except (OSError, _Gone):
            for each in processes:
                each.end()
            self._count = 0  # no process can be had here: the server answers alone
            return
        with self._lock:
            self._crew, self._starting = _Crew(processes), False
        if self._closed:
            self.close()

    def answer(self, asked: Asked) -> Answer | None:
        """The answer of whichever process is free first; None when the server has to answer."""
        from sonde.answers.pack_codec import decode_answer

        crew = self._crew
        text = crew.ask(asked) if crew is not None else ""
        return decode_answer(text) if text else None

    def tidy(self) -> None:
        """End the processes when they have not been needed for a while."""
        crew = self._crew
        if crew is not None and time.monotonic() - crew.used > _KEPT:
            self._end()

    def close(self) -> None:
        """End all processes for good."""
        self._closed = True
        self._end()

    def _end(self) -> None:
        with self._lock:
            crew, self._crew = self._crew, None
            self._queued = 0
        if crew is not None:
            crew.end()
