"""Bring the stored history up to the commit that is checked out, recent commits first."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from sonde.git import GitFailure
from sonde.history.log import Log, commits_between, cut_at, descendants, fork, head, read_log
from sonde.history.merges import read_merges, stands_on
from sonde.history.store import History, Unread
from sonde.store.errors import is_damage

COMMITS = 5_000  # older ones describe code that is gone
_BATCH = 1_000
_PARTS = 10  # of a batch that git cannot tell at once
_SECONDS = 30.0  # for one call of git
_FIRST_READ = 2.0  # seconds for a history of which nothing is known yet
_NOTHING = Log()


def refresh(
    root: Path,
    history: History,
    seconds: float = 60.0,
    stop: Callable[[], bool] = lambda: False,
    most: int = COMMITS,
) -> bool | Unread:
    """Read what is new, then deepen until the time is over; whether nothing is left to read.

    Only ancestors of the commit that is checked out may speak: of another line of history those
    that both share are kept, if the lines parted lately. What cannot be read costs the channel,
    not the answer. More than `most` new commits are left for another call, and those already
    known speak alone. A caller that takes them all, because nobody reads behind it, also waits
    for the newest commits of a line that starts over, or of a clone that was deepened.
    """
    until = time.monotonic() + seconds
    try:
        now = head(root)
        if isinstance(now, GitFailure):
            return Unread(now.message)
        if not now:  # before the first commit of a branch
            if history.head:
                history.clear()
            return True
        if history.head != now:
            if not _go_back(root, history, now):
                history.clear()
                history.add(_NOTHING, now, 0, False)
            elif most < COMMITS and len(commits_between(root, history.head, now, most + 1)) > most:
                return False
            elif not _catch_up(root, history, now, stop):
                return not stop()
        deepened = history.cut != (cut := " ".join(sorted(cut_at(root))))
        if deepened:
            history.reopen(cut)
        if most >= COMMITS and (deepened or not history.walked):
            until = max(until, time.monotonic() + _FIRST_READ)

        def goes_on() -> bool:
            return not history.whole and time.monotonic() < until and not stop()

        while goes_on():
            if (failure := _deepen(root, history, goes_on)) is not None:
                return True if history.walked else Unread(failure.message)
        if history.whole and (known := history.merged) != now:
            merges = read_merges(root, known, now, _SECONDS)
            if not isinstance(merges, GitFailure):
                history.add_merges(merges, now, known=known)
        return history.whole
    except sqlite3.Error as error:
        return Unread(f"{history.path}: {error}", damaged=is_damage(error))


def _go_back(root: Path, history: History, now: str) -> bool:
    """Make the known head an ancestor of `now`; False if that is no less than to start over.

    After an amended commit, a rebase or a checkout of another branch most of what is known still
    holds. To read 5,000 commits of django again takes nine seconds.
    """
    known = history.head
    shared = fork(root, known, now) if known else ""
    if not shared or shared == known:
        return bool(shared)
    gone = commits_between(root, shared, known, _BATCH + 1)
    if not 0 < len(gone) <= _BATCH:
        return False
    # Which merge brought a commit depends on the main line that it is seen from.
    straight = stands_on(root, known, shared, _SECONDS)
    history.forget(gone, shared, known=known, straight=straight)
    return True


def _catch_up(root: Path, history: History, now: str, stop: Callable[[], bool]) -> bool:
    """Add all commits since the known head at once: one alone would hide the others."""
    new, known = _NOTHING, history.head
    while new.walked < COMMITS and not new.is_last:
        for log in _batch(root, f"{known}..{now}", new.walked, _BATCH):
            if isinstance(log, GitFailure) or stop():
                return False
            new = new.before(log)
    # Of a branch that was merged late, the log tells the new commits among the older ones. To go on
    # where the known ones ended tells some twice; further on, some would never be told.
    after = descendants(root, known, now)
    history.add(new, now, history.walked, history.whole, known=known, after=after)
    return True


def _deepen(root: Path, history: History, goes_on: Callable[[], bool]) -> GitFailure | None:
    """Add a batch of older commits, or what is read of it in time; the failure if git fails."""
    head, walked = history.head, history.walked
    for log in _batch(root, head, walked, _BATCH):
        if isinstance(log, GitFailure):
            return log
        walked += log.walked
        history.add(log, head, walked, log.is_last or walked >= COMMITS, known=head)
        if not goes_on():
            break
    return None


def _batch(root: Path, revisions: str, skip: int, count: int) -> Iterator[Log | GitFailure]:
    """Up to `count` commits, in parts where git cannot tell the functions of all at once.

    Some are too much for one answer. And what one commit changed may be missing: a clone can
    leave out large files, or the contents of most.
    """
    log = read_log(root, revisions, skip, count, _SECONDS)
    splits = (
        log.too_much if isinstance(log, GitFailure) else _lacks_some(root, revisions, skip, log)
    )
    if not (splits and count > 1):
        yield log
        return
    part = max(count // _PARTS, 1)
    for done in range(0, count, part):
        for log in _batch(root, revisions, skip + done, min(part, count - done)):
            yield log
            if isinstance(log, GitFailure) or log.is_last:
                return


def _lacks_some(root: Path, revisions: str, skip: int, log: Log) -> bool:
    """Whether commits of a log lack functions that a smaller part of it may have."""
    if not log.listed or log.walked < 2:
        return False
    ends = (read_log(root, revisions, skip + nth, 1, _SECONDS) for nth in (0, log.walked - 1))
    return any(isinstance(one, Log) and not one.listed for one in ends)
