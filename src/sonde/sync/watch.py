"""Watching: file events only wake a sync; what changed is always taken from the disk."""

from __future__ import annotations

import math
import os
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from sonde.store.errors import Problem
from sonde.store.location import Workspace, own_folders
from sonde.sync.report import SyncReport

_DEBOUNCE = 100  # milliseconds in which events are collected
# Milliseconds of silence that end the collecting. The watcher wakes as often while nothing
# happens: every 10 ms took 0.35 % of a core. Questions look at the disk without waiting for it.
_STEP = 50
_LEAST_PAUSE = 30.0  # seconds until the disk is looked at without an event: events can get lost
_IDLE_SHARE = 200  # such looks may take a two-hundredth of the time: half a per cent
_BLIND_PAUSE = 2.0  # seconds between looks while no events come at all
# Their events come by the thousand and never concern an indexed file.
_UNWATCHED = frozenset({".git", ".hg", ".svn", "node_modules", "__pycache__", ".mypy_cache"})


@dataclass(frozen=True, slots=True)
class Watched:
    """One sync that the watch made. `degraded` says why there are no events, if there are none."""

    result: SyncReport | Problem
    degraded: str = ""


@dataclass(slots=True)
class _Pace:
    """How long the watch may go without an event before it looks at the disk."""

    pause: float = _LEAST_PAUSE


def watch(
    workspace: Workspace,
    sync: Callable[[], SyncReport | Problem],
    stop: threading.Event,
    notify: Callable[[Watched], None],
) -> None:
    """Sync at once and after every change in the workspace, until `stop` is set."""
    pace = _Pace()
    for degraded in _wakes(workspace, stop, pace):
        began = time.monotonic()
        result = sync()
        notify(Watched(result, degraded))
        if isinstance(result, SyncReport) and not result.changed:  # what an idle look costs
            pace.pause = max(_LEAST_PAUSE, _IDLE_SHARE * (time.monotonic() - began))


def _wakes(workspace: Workspace, stop: threading.Event, pace: _Pace) -> Iterator[str]:
    """Yields whenever it is time to look: "", or the reason why there are no events."""
    if not stop.is_set():
        yield ""
    while not stop.is_set():
        try:
            yield from _events(workspace, stop, pace)
        except (OSError, RuntimeError) as error:
            # Exhausted inotify limits, a root that is gone for a moment, or a watcher that died.
            reason = str(error).splitlines()[0] if str(error) else type(error).__name__
            if not stop.wait(_BLIND_PAUSE):
                yield f"file events are not available: {reason}"


def _events(workspace: Workspace, stop: threading.Event, pace: _Pace) -> Iterator[str]:
    try:
        yield from _heard(workspace, stop, pace, every_folder=True)
    except PermissionError:
        # A folder that cannot be read holds nothing of ours. Told to pass over such folders the
        # watcher passes over exhausted limits as well, so it is told only where it must be.
        yield from _heard(workspace, stop, pace, every_folder=False)


def _heard(
    workspace: Workspace, stop: threading.Event, pace: _Pace, *, every_folder: bool
) -> Iterator[str]:
    import watchfiles

    root = workspace.root
    own = tuple(f"{folder}/" for folder in own_folders(workspace.cache))
    looked = -math.inf  # look at once: what changed before we listened left no event
    for changes in watchfiles.watch(
        root,
        watch_filter=partial(_concerns_us, len(os.path.realpath(root)), own),
        debounce=_DEBOUNCE,
        step=_STEP,
        stop_event=stop,
        rust_timeout=1000,
        yield_on_timeout=True,
        raise_interrupt=False,
        ignore_permission_denied=not every_folder,
    ):
        if changes or time.monotonic() - looked > pace.pause:
            yield ""
            looked = time.monotonic()


def _concerns_us(above: int, own: tuple[str, ...], _: object, path: str) -> bool:
    """Whether an event can change the index; the folders above the root say nothing about it."""
    return not path.startswith(own) and _UNWATCHED.isdisjoint(path[above:].split("/"))
