"""The state of a file or folder, by which a later look can tell whether it changed."""

from __future__ import annotations

import os
import time
from typing import TypeAlias

Stamp: TypeAlias = tuple[int, ...]

ABSENT: Stamp = ()
# What changed this shortly before it was looked at may change again within one tick of its
# file system's clock; its time proves nothing. Two seconds is the coarsest clock in use.
_RACY_NS = 2_000_000_000


def is_racy(changed_ns: int) -> bool:
    """Whether a time is too recent to prove that nothing changes after it."""
    return time.time_ns() - changed_ns < _RACY_NS


def stamp_of(path: str) -> Stamp:
    """Times, size and identity of what a path leads to."""
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return ABSENT
    return (status.st_mtime_ns, status.st_ctime_ns, status.st_ino, status.st_size)


def lasting_stamp(path: str) -> Stamp | None:
    """A stamp to compare with later; None while the path may change unnoticed."""
    stamp = stamp_of(path)
    if stamp is not ABSENT and is_racy(max(stamp[:2])):
        return None
    return stamp
