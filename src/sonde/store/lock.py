"""One writer at a time, across processes: an advisory lock that tells who holds it."""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sonde.store.database import store_errors
from sonde.store.errors import ProblemKind, StoreError

_PAUSE = 0.02  # seconds between attempts


@contextmanager
def writer_lock(path: Path, patience: float) -> Iterator[None]:
    """Hold the lock; after `patience` seconds of waiting say who has it instead."""
    with store_errors(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        _acquire(descriptor, path, patience)
        with store_errors(path):
            os.ftruncate(descriptor, 0)
            os.pwrite(descriptor, str(os.getpid()).encode(), 0)
        yield
    finally:
        os.close(descriptor)  # releases the lock, as the end of the process does


def _acquire(descriptor: int, path: Path, patience: float) -> None:
    try:
        if lock_within(descriptor, patience):
            return
    except OSError as error:
        raise StoreError(ProblemKind.UNWRITABLE, f"cannot lock {path}: {error.strerror}") from error
    holder = os.pread(descriptor, 20, 0).decode("ascii", "replace").strip()
    raise StoreError(
        ProblemKind.BUSY, f"process {holder or 'unknown'} is updating this index; try again later"
    )


def is_alive(process: int) -> bool:
    """Whether a process of that number runs, anybody's."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


def lock_within(descriptor: int, patience: float) -> bool:
    """Lock an open file for its process alone; False when others held it all the time."""
    deadline = time.monotonic() + patience
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return True
        except BlockingIOError:
            if time.monotonic() >= deadline:
                return False
            time.sleep(_PAUSE)
