"""Where sessions are kept: beside the index, for their owner only, until they expire."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from sonde.session.memory import SessionRecord
from sonde.session.record_codec import decode, encode
from sonde.store.lock import lock_within
from sonde.store.whole_file import replace_file

LIFETIME = 24 * 3600.0  # seconds after the last pass
_MOST = 200  # sessions of one workspace; the oldest go
_SLACK = 40  # so many more wait to be removed together
_PATIENCE = 20.0  # seconds to wait for another pass of the same session
_ID = re.compile(r"[0-9a-f]{16}")


class Shelf:
    """The sessions of one workspace. An id that nobody was told opens nothing."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def get(self, id: str, now: float) -> SessionRecord | None:
        """The session of that id; None when there is none or it has expired."""
        if not _ID.fullmatch(id):
            return None
        try:
            record = decode((self._folder / f"{id}.json").read_text("utf-8"))
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return None  # absent or torn; the asker starts a new one
        return record if self._lives(record, now) else None

    def put(self, record: SessionRecord, now: float) -> str:
        """Keep a session; returns "", or why that was not possible."""
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            replace_file(self._folder / f"{record.id}.json", encode(record))
            if len(record.passes) == 1 and self._needs_pruning(record.id):
                self._prune(now)
        except OSError as error:
            return f"the session cannot be kept: {error.strerror}"
        return ""

    @contextmanager
    def turn(self, id: str) -> Iterator[bool]:
        """One pass of a session at a time, across processes; False after waiting in vain.

        A few locks serve all sessions, so that a session that ends leaves none behind.
        """
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        path = self._folder / f"{id[:1]}.lock"
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            yield lock_within(descriptor, _PATIENCE)
        finally:
            os.close(descriptor)  # releases the lock, as the end of the process does

    def all(self, now: float) -> list[SessionRecord]:
        """Living sessions, the one used last first."""
        names = sorted(os.listdir(self._folder)) if self._folder.is_dir() else []
        found = [self.get(name.removesuffix(".json"), now) for name in names]
        living = [record for record in found if record is not None]
        return sorted(living, key=lambda record: (-record.used, record.id))

    def remove(self, id: str) -> None:
        """Forget a session."""
        if _ID.fullmatch(id):
            (self._folder / f"{id}.json").unlink(missing_ok=True)

    def _needs_pruning(self, id: str) -> bool:
        """With too many, and for every sixteenth: ages of 200 files took a tenth of a start."""
        return id.startswith("0") or len(os.listdir(self._folder)) > _MOST + _SLACK

    def _prune(self, now: float) -> None:
        """Remove what has expired and, of too many, the oldest."""
        aged = []
        with os.scandir(self._folder) as entries:
            for each in entries:
                with suppress(FileNotFoundError):  # another process prunes as well
                    if each.name.endswith(".json"):
                        aged.append((each.stat().st_mtime, each.name))
        aged.sort()
        for place, (at, name) in enumerate(aged):
            id = name.removesuffix(".json")
            # The times of files are the machine's, those of records the caller's; both must agree.
            expired = now - at > LIFETIME and self.get(id, now) is None
            if place < len(aged) - _MOST or expired:
                self.remove(id)

    @staticmethod
    def _lives(record: SessionRecord, now: float) -> bool:
        return now - record.used <= LIFETIME
