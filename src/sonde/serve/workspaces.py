"""The workspaces of a server, and which one a question is about."""

from __future__ import annotations

import hashlib
import os
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from sonde.serve.memory import settle
from sonde.serve.served import Served
from sonde.store.location import workspace_root

if TYPE_CHECKING:
    from sonde.serve.local import LocalServer
    from sonde.store.errors import Problem

_MOST = 32


class Unknown(Exception):
    """A workspace or path that is not served; the message is one line for the asker."""


class Workspaces:
    """Registered roots. Nothing outside of them is ever read."""

    def __init__(self, cache: Path, roots: Sequence[Path] = ()) -> None:
        settle()
        self._lock = threading.Lock()
        self._served: dict[str, Served] = {}
        self._local: dict[str, LocalServer] = {}
        self._cache = cache
        for root in roots:
            self.register(root)

    def register(self, folder: Path) -> Served:
        """Serve the workspace around a folder; known ones are not served twice."""
        if not folder.is_absolute():
            raise Unknown(f"{str(folder)[:200]!r} is relative: give an absolute path")
        if not os.path.isdir(folder):
            raise Unknown(f"there is no folder {str(folder)[:200]!r}")
        root = Path(os.path.realpath(workspace_root(folder)))
        if _is_everything(root):
            raise Unknown(f"{root} is no project but all there is: name a folder in it")
        with self._lock:
            known = self._served.get(str(root))
            if known is not None:
                return known
            if len(self._served) >= _MOST:
                raise Unknown(f"{_MOST} workspaces are served already: forget one first")
            served = self._served[str(root)] = Served(root)
        served.start()
        self._open_socket(served)
        return served

    def _open_socket(self, served: Served) -> None:
        """Let commands of the same user in."""
        from sonde.serve.local import LocalServer

        local = self._local[str(served.root)] = LocalServer(served, self._cache)
        local.start()

    def all(self) -> list[Served]:
        """All, in order of registration."""
        with self._lock:
            return list(self._served.values())

    def find(self, name: str | None, among: Sequence[Served] = ()) -> Served:
        """By root, id, folder name or a path inside; without a name the only or first one."""
        every = among or self.all()
        if not every:
            raise Unknown("no workspace is served: register one with POST /v1/workspaces")
        if not name:
            return every[0]
        for served in every:
            if name in (str(served.root), identity(served), served.root.name):
                return served
        place = _resolved(name)
        for served in every:
            if place is not None and (served.root == place or served.root in place.parents):
                return served
        known = ", ".join(str(served.root) for served in every)
        raise Unknown(f"no workspace {name[:200]!r} is served (served: {known})")

    def forget(self, served: Served) -> Problem | None:
        """Stop serving it and delete its index."""
        with self._lock:
            self._served.pop(str(served.root), None)
            local = self._local.pop(str(served.root), None)
        if local is not None:
            local.stop()
        return served.forget()

    def close(self) -> None:
        """End all threads."""
        self.leave()
        for served in self.all():
            served.close()

    def leave(self) -> None:
        """Remove what must not outlive a server: its sockets and unsaved buffers."""
        for local in self._local.values():
            local.stop()
        for served in self.all():
            served.leave()


def _resolved(name: str) -> Path | None:
    """The place that an absolute path leads to; None for what is none."""
    try:
        return Path(os.path.realpath(name)) if os.path.isabs(name) else None
    except ValueError:  # a character that no path can have
        return None


def _is_everything(root: Path) -> bool:
    """Whether it is the whole disk or home, where desktop programs start their children."""
    everything = (root.anchor, os.path.realpath(os.path.expanduser("~")))
    return str(root) in everything and not (root / ".git").exists()


def identity(served: Served) -> str:
    """A short name for addresses: folder name and a hash of the path."""
    digest = hashlib.blake2b(os.fsencode(served.root), digest_size=4).hexdigest()
    readable = "".join(c if c.isalnum() or c in "._-" else "-" for c in served.root.name)
    return f"{readable[:40]}-{digest}"
