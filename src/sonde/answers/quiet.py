"""Whether anything below a folder has changed since the last call, without visiting every file.

The kernel queues a notice before the call that changes a file returns, so an empty queue proves
that nothing happened; a watcher thread would learn of it some time later. Where notices cannot be
trusted (systems other than Linux, network and user-space file systems, too many folders) the
answer is always "perhaps".
"""

from __future__ import annotations

import ctypes
import os
import struct
import sys
import time
from collections.abc import Iterator
from pathlib import Path

_MODIFY, _ATTRIB, _CLOSE_WRITE, _MOVED = 0x2, 0x4, 0x8, 0xC0
_CREATE, _DELETE, _DELETE_SELF, _MOVE_SELF = 0x100, 0x200, 0x400, 0x800
_ONLY_DIRECTORY, _DONT_FOLLOW = 0x01000000, 0x02000000
_MASK = (
    _MODIFY | _ATTRIB | _CLOSE_WRITE | _MOVED | _CREATE | _DELETE | _DELETE_SELF | _MOVE_SELF
) | (_ONLY_DIRECTORY | _DONT_FOLLOW)
_IS_DIRECTORY, _OVERFLOW, _IGNORED = 0x40000000, 0x4000, 0x8000
_EVENT = struct.Struct("iIII")
_BUFFER = 1 << 16
_MOST_FOLDERS = 30_000
# Changes made at the remote end of these file systems are not reported here.
_REMOTE = ("nfs", "cifs", "smb", "fuse", "9p", "virtiofs", "afs", "ceph", "gluster", "vboxsf")
_TRUSTED_FOR = 300.0  # seconds; writes through memory maps are never reported


class Quiet:
    """Listens for changes below folders. Arm it, look at the disk, then ask."""

    def __init__(self, root: Path, *others: Path) -> None:
        self._roots = (root, *others)
        self._queue = -1
        self._watched: dict[int, str] = {}  # folders by watch descriptor
        self._made: list[str] = []  # folders created since all were last watched
        self._looked = 0.0
        self._possible = sys.platform == "linux" and not any(map(_is_remote, self._roots))

    def arm(self) -> None:
        """Listen from now on; call before looking at the disk, so that nothing is missed."""
        if not self._possible:
            return
        self._looked = time.monotonic()
        if self._queue < 0:
            self._open()
        if self._queue >= 0:
            self._read()
            self._listen()

    def is_quiet(self) -> bool:
        """Whether nothing has changed since `arm`, for certain."""
        if self._queue < 0 or time.monotonic() - self._looked > _TRUSTED_FOR:
            return False
        return not self._read()

    def close(self) -> None:
        """Stop listening."""
        if self._queue >= 0:
            os.close(self._queue)
        self._queue = -1
        self._watched.clear()
        self._made.clear()

    def _open(self) -> None:
        try:
            self._libc = ctypes.CDLL(None, use_errno=True)
            self._queue = self._libc.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
        except (OSError, AttributeError):
            self._queue = -1
        self._possible = self._queue >= 0

    def _read(self) -> bool:
        """Drain the queue; returns whether there was anything in it."""
        found = False
        while True:
            try:
                data = os.read(self._queue, _BUFFER)
            except BlockingIOError:
                return found
            found = True
            at = 0
            while at < len(data):
                number, mask, _, length = _EVENT.unpack_from(data, at)
                at += _EVENT.size
                self._note(number, mask, data[at : at + length])
                at += length

    def _note(self, number: int, mask: int, name: bytes) -> None:
        """Remember which folders need a new watch.

        A checkout creates and removes folders while questions are asked: visiting all of django's
        for each of them took 60 ms.
        """
        is_folder = bool(mask & _IS_DIRECTORY)
        entry = os.fsdecode(name.rstrip(b"\0"))
        if mask & _IGNORED:
            self._watched.pop(number, None)
        elif mask & (_OVERFLOW | _MOVE_SELF) or (is_folder and (mask & _MOVED or entry == ".git")):
            self._watched.clear()  # paths have changed: visit all of them again
        elif is_folder and mask & (_CREATE | _ATTRIB) and number in self._watched:
            self._made.append(os.path.join(self._watched[number], entry))

    def _listen(self) -> None:
        new = map(Path, self._made) if self._watched else self._roots
        self._made = []
        for folder in (folder for root in new for folder in _folders(root)):
            number = self._libc.inotify_add_watch(self._queue, os.fsencode(folder), _MASK)
            gone = number < 0 and ctypes.get_errno() in (2, 20)
            if number >= 0:
                self._watched[number] = folder
            if (number < 0 and not gone) or len(self._watched) > _MOST_FOLDERS:
                self._possible = False  # out of watches: scan the disk from now on
                self.close()
                return


def _folders(root: Path) -> Iterator[str]:
    """Every folder that may hold source, and the one that holds git's own ignore rules."""
    waiting = [str(root)]
    info = root / ".git" / "info"
    if info.is_dir():
        yield str(info)
    while waiting:
        folder = waiting.pop()
        yield folder
        try:
            with os.scandir(folder) as entries:
                waiting += [
                    entry.path
                    for entry in entries
                    if entry.is_dir(follow_symlinks=False) and entry.name != ".git"
                ]
        except OSError:
            continue  # the walk cannot read it either


def _is_remote(root: Path) -> bool:
    """Whether the folder is on a file system that can change without notice."""
    try:
        lines = Path("/proc/mounts").read_text("utf-8", "replace").splitlines()
        place = os.path.realpath(root)
    except OSError:
        return True
    best, kind = "", ""
    for line in lines:
        fields = line.split(" ")
        if len(fields) > 2:
            point = fields[1].replace("\\040", " ")
            inside = place == point or place.startswith(point.rstrip("/") + "/")
            if inside and len(point) >= len(best):
                best, kind = point, fields[2]
    return not kind or kind.startswith(_REMOTE)
