"""How much of a workspace's history has been read, for who asks about that alone."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from sonde.frozen import frozen
from sonde.git import GitFailure
from sonde.history.log import head, read_log
from sonde.history.store import Unread, open_history
from sonde.store.git_folder import own_git_dir

_SECONDS = 10.0  # for one commit


@frozen
class Kept:
    """What is kept of the commits that led to the checkout."""

    commits: int
    whole: bool  # nothing older will be read
    current: bool  # as of what is checked out now


def kept(root: Path, path: Path) -> Kept | Unread | None:
    """What is kept at a path; None for a folder without git."""
    if own_git_dir(root) is None:
        return None
    now = head(root)
    if isinstance(now, GitFailure):
        return Unread(now.message)
    if not path.exists():
        return Kept(0, whole=not now, current=not now)
    history = open_history(path)
    if isinstance(history, Unread):
        return history
    try:
        if now and history.head == now and not history.walked:  # not begun, or git cannot
            newest = read_log(root, now, 0, 1, _SECONDS)
            if isinstance(newest, GitFailure):
                return Unread(newest.message)
        return Kept(history.count, history.whole or not now, history.head == now)
    except sqlite3.Error as error:
        return Unread(f"{path}: {error}")
    finally:
        history.close()
