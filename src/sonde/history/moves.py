"""What files and functions of earlier commits are called now."""

from __future__ import annotations

import math
import sqlite3
from typing import NamedTuple

_MOST_NAMES = 20  # of one file, or of one function, over time


class _Move(NamedTuple):
    new: str
    time: int


class Moves:
    """The renames of a history, kept until more of it is known."""

    def __init__(self, database: sqlite3.Connection) -> None:
        self._database = database
        self._files: dict[str, list[_Move]] = {}  # oldest first: a path may be used again
        self._functions: dict[tuple[str, str], str] = {}
        self._as_of = ""

    def read(self, as_of: str) -> None:
        """Read them again if `as_of`, which changes with the history, is another."""
        if as_of == self._as_of:
            return
        files = self._database.execute("SELECT old, new, time FROM renames ORDER BY time, old, new")
        self._files = {}
        for old, new, time in files:
            self._files.setdefault(old, []).append(_Move(new, time))
        functions = self._database.execute(
            "SELECT path, old, new, time FROM renamed ORDER BY time, path, old, new"
        ).fetchall()
        self._functions = {
            (self.paths_since(path, time)[-1], old): new for path, old, new, time in functions
        }
        self._as_of = as_of

    def paths_since(self, path: str, time: int) -> list[str]:
        """The path of a file at some time, and those that it got afterwards."""
        found = [path]
        while len(found) < _MOST_NAMES:
            moves = self._files.get(found[-1], ())
            move = next((each for each in moves if each.time >= time), None)
            if move is None or (move.time == time and move.new in found):
                break  # moves there and back within a second have no order
            found.append(move.new)
            time = move.time
        return found

    def name_since(self, path: str, name: str) -> str:
        """What a function of a file, by the path it has now, was called last."""
        passed = {name}
        while (new := self._functions.get((path, name))) is not None and new not in passed:
            passed.add(new)
            name = new
        return name

    def paths_until(self, path: str) -> dict[str, float]:
        """A path and what the file was called before, each with the time until when."""
        found = {path: math.inf}
        waiting = [path]
        for each in waiting:
            for old, moves in self._files.items():
                times = [move.time for move in moves if move.new == each]
                if times and old not in found and len(found) < _MOST_NAMES:
                    found[old] = times[-1]
                    waiting.append(old)
        return found
