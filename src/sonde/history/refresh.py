"""Bring the stored history up to the commit that is checked out, recent commits first."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable
from pathlib import Path

from sonde.git import GitFailure
from sonde.history.log import Log, cut_at, head, is_ancestor, read_log
from sonde.history.store import History

COMMITS = 5_000  # older ones describe code that is gone
_BATCH = 1_000
_SECONDS = 30.0  # for one call of git
_NOTHING = Log((), 0)


def refresh(
    root: Path,
    history: History,
    seconds: float = 60.0,
    stop: Callable[[], bool] = lambda: False,
) -> bool:
    """Read what is new, then deepen until the time is over; whether nothing is left to read.

    Another line of history than before starts over: only ancestors of the commit that is
    checked out may speak. What cannot be read costs the channel, not the answer.
    """
    until = time.monotonic() + seconds
    try:
        now = head(root)
        if not now:
            return True
        if history.head != now and not _catch_up(root, history, now):
            return True
        if history.cut != (cut := " ".join(sorted(cut_at(root)))):
            history.reopen(cut)
        while not history.whole and time.monotonic() < until and not stop():
            if not _deepen(root, history):
                return True
        return history.whole
    except sqlite3.Error:
        return True


def _catch_up(root: Path, history: History, now: str) -> bool:
    known = history.head
    if not known or not is_ancestor(root, known, now):
        history.clear()
        history.add(_NOTHING, now, 0, False)
        return True
    log = read_log(root, f"{known}..{now}", 0, COMMITS, _SECONDS)
    if isinstance(log, GitFailure):
        return False
    history.add(log, now, history.walked + log.walked, history.whole)
    return True


def _deepen(root: Path, history: History) -> bool:
    log = read_log(root, history.head, history.walked, _BATCH, _SECONDS)
    if isinstance(log, GitFailure):
        return False
    walked = history.walked + log.walked
    history.add(log, history.head, walked, log.walked < _BATCH or walked >= COMMITS)
    return True
