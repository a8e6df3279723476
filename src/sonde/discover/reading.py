"""Bounded reads that cannot leave the workspace, block or follow a link."""

from __future__ import annotations

import os
import stat

# A link put in place of a file after it was listed must not lead the read elsewhere,
# and a pipe put there must not block it.
OPEN_FLAGS = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


def read_start(path: str, limit: int) -> bytes | None:
    """The first `limit` bytes of a regular file; None when it cannot be read or is a link."""
    try:
        descriptor = os.open(path, OPEN_FLAGS)
    except OSError:
        return None
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            return None
        return os.read(descriptor, limit)
    except OSError:
        return None
    finally:
        os.close(descriptor)


def is_inside(root: str, path: str) -> bool:
    """Whether a resolved path is the resolved root or lies below it."""
    return path == root or path.startswith(root if root.endswith(os.sep) else root + os.sep)
