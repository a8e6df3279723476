"""What can be wrong with a store: a closed list, each reported to the user in one line."""

from __future__ import annotations

import errno
import os
import sqlite3
import zlib
from enum import StrEnum

from sonde.frozen import frozen

# What is too large for a limit of the system lacks room as well.
_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_NO_ROOM_SAID = tuple(map(os.strerror, _NO_ROOM))


class ProblemKind(StrEnum):
    """The ways a store can refuse to work."""

    NO_INDEX = "no index"
    CORRUPT = "corrupt index"
    CORRUPT_FACTS = "corrupt facts"
    NEWER = "index of a newer version"
    UNWRITABLE = "cache folder cannot be written"
    DISK_FULL = "no space left"
    BUSY = "another process is writing"
    NO_ROOT = "workspace folder cannot be read"
    NO_WORKERS = "workers cannot be started"
    BAD_SETTINGS = "settings cannot be used"


@frozen
class Problem:
    """Why there is no answer: a kind for programs, one line for people."""

    kind: ProblemKind
    message: str
    # Of a busy store, as far as its writer knows: files that may have changed, those that are
    # gone, and when the look at the disk that found them began, on the monotonic clock.
    doubtful: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()
    since: float = 0.0


class StoreError(Exception):
    """Carries a `Problem` from the depth of the store to its public functions."""

    def __init__(self, kind: ProblemKind, message: str) -> None:
        super().__init__(message)
        self.problem = Problem(kind, message)


def lacks_room(error: Exception) -> bool:
    """Whether something could not be written for want of room; some tell so in words only."""
    if isinstance(error, OSError):
        return error.errno in _NO_ROOM
    return any(each in str(error) for each in _NO_ROOM_SAID)


def is_damage(error: Exception) -> bool:
    """Whether an exception raised while reading an index means that its bytes are damaged."""
    if isinstance(error, sqlite3.DatabaseError):
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        return code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
    if isinstance(error, StoreError):
        return error.problem.kind is ProblemKind.CORRUPT
    return isinstance(error, zlib.error)
