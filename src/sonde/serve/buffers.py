"""Unsaved buffers of an editor: kept in a private folder, seen by questions, gone when closed."""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from sonde.discover import is_inside
from sonde.serve.arguments import BadArgument
from sonde.store.errors import StoreError
from sonde.store.lock import is_alive, writer_lock

if TYPE_CHECKING:
    from sonde.engine import Engine
    from sonde.store.location import Workspace

_MOST = 500
_KEPT = 86_400.0  # seconds without an event, after which the editor is taken to be gone
_PATIENCE = 2.0  # seconds to wait for a writer before the index is copied
_OWNER = re.compile(r"-buffers-(\d+)$")


class Buffers:
    """The buffers of one workspace, and the engine that sees them."""

    def __init__(
        self, place: Workspace, make: Callable[[Path], Engine], forgot: Callable[[], object]
    ) -> None:
        self._place = place
        self._make = make
        self._forgot = forgot  # called after texts that nobody closed were deleted
        self._folder = place.folder.with_name(f"{place.name}-buffers-{os.getpid()}")
        self._lock = threading.Lock()
        self._paths: set[str] = set()
        self._engine: Engine | None = None
        self._heard = 0.0  # when the last event came
        self._moments: dict[str, float] = {}  # of the newest event of a file, as the editor says
        self._timer: threading.Timer | None = None
        self._forgotten: list[str] = []  # which the editor has not been told of yet
        _remove_orphans(place.folder.parent)

    @property
    def count(self) -> int:
        """How many buffers are open."""
        return len(self._paths)

    def heard(self) -> list[str]:
        """The editor is alive; returns the paths whose texts were deleted in its silence."""
        with self._lock:
            self._heard = time.monotonic()
            told, self._forgotten = self._forgotten, []
            return told

    def is_late(self, path: str, moment: float | None) -> bool:
        """Whether a newer event of that file came before."""
        if moment is None:
            return False
        with self._lock:
            newest = self._moments.pop(path, moment)
            self._moments[path] = max(newest, moment)
            if len(self._moments) > 2 * _MOST:
                self._moments.pop(next(iter(self._moments)))
            return moment < newest

    def put(self, path: str, text: str) -> None:
        """Let a text stand in for a file's."""
        overlay = self._folder / "text"
        target = overlay / path
        with self._lock:
            if path not in self._paths and len(self._paths) >= _MOST:
                raise BadArgument(f"more than {_MOST} buffers are open: close some")
            overlay.mkdir(mode=0o700, parents=True, exist_ok=True)
            try:
                target.parent.mkdir(parents=True, exist_ok=True)
                beside = self._folder / "writing"
                beside.write_text(text, "utf-8", newline="")
                os.replace(beside, target)
            except OSError as error:
                raise BadArgument(f"{path!r} cannot be a file: {error.strerror}") from error
            self._paths.add(path)
            if self._timer is None:
                self._wait(_KEPT)

    def _wait(self, seconds: float) -> None:
        self._timer = threading.Timer(seconds, self._look)
        self._timer.daemon = True
        self._timer.start()

    def _look(self) -> None:
        """Delete the texts of an editor that has been silent for too long."""
        with self._lock:
            left = self._heard + _KEPT - time.monotonic()
            if left > 0 and self._paths:
                self._wait(left)
                return
            self._timer = None
            gone, self._paths = self._paths, set()
            self._forgotten = sorted({*self._forgotten, *gone})
            for path in gone:
                self._delete(path)
        if gone:
            self._forgot()

    def drop(self, path: str) -> None:
        """Let the file on disk count again."""
        with self._lock:
            self._paths.discard(path)
            self._delete(path)

    def _delete(self, path: str) -> None:
        with suppress(OSError):  # a folder, or a path below a file: no text has such a name
            (self._folder / "text" / path).unlink()

    def engine(self) -> Engine | None:
        """The engine over the buffers; None while none is open. For the answering thread only."""
        if not self._paths:
            self._end()
            return None
        if self._engine is None:
            self._seed()
            self._engine = self._make(self._folder / "text")
        return self._engine

    def close(self) -> None:
        """Forget all buffers."""
        with self._lock:
            self._paths.clear()
            if self._timer is not None:
                self._timer.cancel()
        self._end()

    def remove(self) -> None:
        """Delete all texts at once, whatever still reads them."""
        shutil.rmtree(self._folder, ignore_errors=True)

    def _end(self) -> None:
        if self._engine is not None:
            self._engine.close()
            self._engine = None
        if not self._paths and self._folder.exists():
            shutil.rmtree(self._folder, ignore_errors=True)

    def _seed(self) -> None:
        """Start from a copy of the disk's index, which saves seconds on a large repository."""
        try:
            with writer_lock(self._place.lock, _PATIENCE):
                for part in (self._place.fulltext, self._place.arrays):
                    if part.exists():
                        shutil.copytree(part, self._folder / part.name)
                if self._place.database.exists():
                    _copy_database(self._place.database, self._folder / self._place.database.name)
        except (StoreError, OSError, sqlite3.Error):
            # Without a copy the index of the buffers is built from the stored facts.
            for each in self._folder.iterdir():
                if each.name != "text":
                    shutil.rmtree(each) if each.is_dir() else each.unlink()


def _copy_database(source: Path, target: Path) -> None:
    read = sqlite3.connect(f"{source.absolute().as_uri()}?mode=ro", uri=True)
    write = sqlite3.connect(target)
    try:
        read.backup(write)
    finally:
        read.close()
        write.close()


def relative_path(root: Path, path: str) -> str:
    """A path below the root as the index writes it; links are resolved first."""
    if not path.strip() or "\0" in path:
        raise BadArgument("file_path must name a file")
    full = os.path.normpath(os.path.join(root, path))
    resolved = os.path.join(os.path.realpath(os.path.dirname(full)), os.path.basename(full))
    if not is_inside(str(root), resolved) or resolved == str(root):
        raise BadArgument(f"{path[:200]!r} lies outside the workspace {root}")
    return os.path.relpath(resolved, root).replace(os.sep, "/")


def _remove_orphans(folder: Path) -> None:
    """Buffers of servers that were killed."""
    if not folder.is_dir():
        return
    for each in folder.iterdir():
        match = _OWNER.search(each.name)
        if match and int(match[1]) != os.getpid() and not is_alive(int(match[1])):
            shutil.rmtree(each, ignore_errors=True)
