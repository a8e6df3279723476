"""The cost of a command: wall time, CPU time and memory, including its children (Linux)."""

from __future__ import annotations

import os
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

_SAMPLE_SECONDS = 0.05


class CommandFailed(Exception):
    """The measured command failed; the message is its last line."""


@dataclass(frozen=True, slots=True)
class Cost:
    """Seconds and bytes of one command and its children."""

    wall: float
    cpu: float
    peak_memory: int  # largest sum of proportional set sizes: shared pages counted once
    output: str

    @property
    def cores(self) -> float:
        """How many cores were busy on average."""
        return self.cpu / self.wall if self.wall else 0.0


def run_measured(command: Sequence[str], environment: Mapping[str, str]) -> Cost:
    """Run a command to its end and measure it."""
    start = time.perf_counter()
    process = subprocess.Popen(
        command, env=dict(environment), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout is not None
    assert process.stderr is not None
    memory = _MemoryWatch(process.pid)
    memory.start()
    errors: list[bytes] = []
    reader = threading.Thread(target=lambda: errors.append(process.stderr.read()))  # type: ignore[union-attr]
    reader.start()
    output = process.stdout.read()
    reader.join()
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - start
    # Popen must not wait for a process that has already been reaped.
    process.returncode = os.waitstatus_to_exitcode(status)
    process.stdout.close()
    process.stderr.close()
    memory.stop()
    if process.returncode:
        lines = errors[0].decode(errors="replace").strip().splitlines()
        raise CommandFailed(f"{Path(command[0]).name}: {lines[-1] if lines else 'failed'}")
    cpu = usage.ru_utime + usage.ru_stime
    return Cost(wall, cpu, memory.peak, output.decode(errors="replace"))


class _MemoryWatch(threading.Thread):
    """Samples the memory of a process and all its descendants."""

    def __init__(self, pid: int) -> None:
        super().__init__(daemon=True)
        self._pid = pid
        self._ended = threading.Event()
        self.peak = 0

    def run(self) -> None:
        while not self._ended.wait(_SAMPLE_SECONDS):
            self.peak = max(self.peak, sum(_memory(pid) for pid in _family(self._pid)))

    def stop(self) -> None:
        """End sampling."""
        self._ended.set()
        self.join()


def _family(pid: int) -> list[int]:
    found, waiting = [], [pid]
    while waiting:
        current = waiting.pop()
        found.append(current)
        try:
            for task in os.scandir(f"/proc/{current}/task"):
                children = Path(task.path, "children").read_text()
                waiting.extend(int(child) for child in children.split())
        except OSError:
            continue
    return found


def _memory(pid: int) -> int:
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return sum(1024 * int(line.split()[1]) for line in lines if line.startswith("Pss:"))
