"""The disk as it was when the index was last found equal to it, kept for the next process."""

from __future__ import annotations

import os
import sqlite3
from contextlib import suppress
from pathlib import Path

import sonde.discover
from sonde.discover import DiscoverRules, Walker
from sonde.discover.sighting import Sighting, decode, encode
from sonde.store.database import meta
from sonde.store.location import Workspace
from sonde.sync.layout import FORMAT


class Sighted:
    """One generation of a workspace's index beside the disk that it was equal to."""

    def __init__(
        self, workspace: Workspace, rules: DiscoverRules, database: sqlite3.Connection
    ) -> None:
        self._root = str(workspace.root)
        self._place = workspace.sighting
        self._key = repr(
            (
                FORMAT,
                meta(database, "generation"),
                meta(database, "indexed_at"),
                (rules.ignore, rules.include, rules.max_file_bytes, sorted(rules.leave_out)),
                (rules.respect_gitignore, str(rules.excludes_file), self._root),
                _walking_code(),
            )
        )

    def holding(self) -> Sighting | None:
        """What was seen, if the disk certainly still equals the index."""
        try:
            sighting = decode(self._place.read_bytes(), self._key)
        except OSError:
            return None
        return sighting if sighting is not None and sighting.still_holds(self._root) else None

    def keep(self, walker: Walker) -> None:
        """Remember what a walk that found no change has seen."""
        sighting = walker.sighting()
        if sighting is not None:
            temporary = self._place.with_name(f"{self._place.name}.{os.getpid()}")
            with suppress(OSError):  # then the next process walks as well
                temporary.write_bytes(encode(sighting, self._key))
                os.replace(temporary, self._place)


def _walking_code() -> list[tuple[str, int, int]]:
    """Changes with the code that decides which files are worth indexing."""
    with os.scandir(Path(sonde.discover.__file__).parent) as entries:
        found = [(each.name, each.stat()) for each in entries if each.name.endswith(".py")]
    return sorted((name, status.st_size, status.st_mtime_ns) for name, status in found)
