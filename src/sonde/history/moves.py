"""What files and functions of earlier commits are called now."""

from __future__ import annotations

import math
import sqlite3
from typing import NamedTuple

_MOST_NAMES = 20  # of one file, or of one function, over time


class _Move(NamedTuple):
    new: str
    place: int  # of the commit that moved it


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
        files = self._database.execute("SELECT old, new, place FROM renames ORDER BY place, new")
        self._files = {}
        for old, new, place in files:
            self._files.setdefault(old, []).append(_Move(new, place))
        functions = self._database.execute(
            "SELECT path, old, new, place FROM renamed ORDER BY place, path, old, new"
        ).fetchall()
        self._functions = {
            (self.paths_since(path, place)[-1], old): new for path, old, new, place in functions
        }
        self._as_of = as_of

    def paths_since(self, path: str, place: int) -> list[str]:
        """The path of a file after the commit of a place, and those that it got afterwards."""
        found = [path]
        while len(found) < _MOST_NAMES:
            moves = self._files.get(found[-1], ())
            move = next((each for each in moves if each.place > place), None)
            if move is None:
                break
            found.append(move.new)
            place = move.place
        return found

    def name_since(self, path: str, name: str) -> str:
        """What a function of a file, by the path it has now, was called last."""
        passed = {name}
        while (new := self._functions.get((path, name))) is not None and new not in passed:
            passed.add(new)
            name = new
        return name

    def paths_until(self, path: str) -> dict[str, float]:
        """A path and what the file was called before, each with the place since when no more."""
        found = {path: math.inf}
        waiting = [path]
        for each in waiting:
            for old, moves in self._files.items():
                places = [m.place for m in moves if m.new == each and m.place < found[each]]
                if places and old not in found and len(found) < _MOST_NAMES:
                    found[old] = places[-1]
                    waiting.append(old)
        return found
