"""Reading a file to be indexed: whole, bounded, and never from outside the root."""

from __future__ import annotations

import os
import stat
from functools import lru_cache
from typing import NamedTuple

from sonde.discover import is_inside
from sonde.discover.reading import OPEN_FLAGS
from sonde.discover.stamp import is_racy

UNTRUSTED = 0  # stands in for the time of a file that may change again unnoticed


class Content(NamedTuple):
    """The bytes of a file and the state they were read in."""

    data: bytes
    size: int
    mtime_ns: int


@lru_cache(maxsize=256)
def _is_folder_inside(root: str, folder: str) -> bool:
    return is_inside(root, os.path.realpath(folder))


def read_file(root: str, path: str, limit: int) -> Content | None:
    """A regular file below the resolved root; None when there is none, or it is too large."""
    full = f"{root}/{path}"
    if not _is_folder_inside(root, os.path.dirname(full)):
        return None
    try:
        descriptor = os.open(full, OPEN_FLAGS)
    except OSError:
        return None
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode) or status.st_size > limit:
            return None
        data = _read_all(descriptor, status.st_size, limit)
        if data is None:
            return None
        # Also untrusted when it grew or shrank under the read.
        racy = is_racy(status.st_mtime_ns) or len(data) != status.st_size
        return Content(data, status.st_size, UNTRUSTED if racy else status.st_mtime_ns)
    except OSError:
        return None
    finally:
        os.close(descriptor)


def _read_all(descriptor: int, size: int, limit: int) -> bytes | None:
    """The bytes of a file that was of this size; None when it has grown over the limit."""
    # One byte more shows that there are no more: asked for a megabyte, Python reserves it.
    data = os.read(descriptor, size + 1)
    if len(data) == size:
        return data
    parts = [data]
    total = len(data)
    while part := os.read(descriptor, 1 << 20):
        parts.append(part)
        total += len(part)
        if total > limit:
            return None
    return b"".join(parts) if total <= limit else None
