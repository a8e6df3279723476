"""The order of commits as numbers, older ones lower: that of the log, not that of their dates.

A clock that runs ahead, or a date that somebody set, makes a commit the newest for years; the log
tells each commit before those it stands on, whatever their dates.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from typing import NamedTuple

# The first stretch is the newest, and all others but new commits are below it.
_BEGINNING = 1_000_000_000
_TABLES = ("commits", "renames", "renamed")
_EACH = " UNION ".join(
    f"SELECT place, time FROM {table} WHERE place IS NOT NULL" for table in _TABLES
)


class _Told(NamedTuple):
    place: int
    time: int


def newest_place(database: sqlite3.Connection, some: int, *, newer: bool) -> int:
    """The place of the newest of some commits, all newer or all older than the known ones."""
    first, last = database.execute(f"SELECT min(place), max(place) FROM ({_EACH})").fetchone()
    if first is None:
        return _BEGINNING
    return int(last) + some if newer else int(first) - 1


def sort_in(database: sqlite3.Connection, since: int, late: int) -> None:
    """Sort commits of a line that was merged late among the others, as the log would tell them.

    Of all that are placed above `since`, those below `late` stand beside what was known.
    """
    told = [_Told(*row) for row in database.execute(f"{_EACH} ORDER BY place DESC")]
    above = [each for each in told if each.place >= late]
    beside = [each for each in told if since < each.place < late]
    known = [each for each in told if each.place <= since]
    lowest = told[-1].place if told else 0
    order = [*above, *_by_date(beside, known)]
    moved = [
        (lowest + step, each.place)
        for step, each in enumerate(reversed(order))
        if each.place != lowest + step
    ]
    database.execute("CREATE TEMP TABLE moved (old INTEGER PRIMARY KEY, new INTEGER)")
    database.executemany("INSERT INTO moved (new, old) VALUES (?,?)", moved)
    for table in _TABLES:
        database.execute(
            f"UPDATE {table} SET place = (SELECT new FROM moved WHERE old = place)"
            " WHERE place IN (SELECT old FROM moved)"
        )
    database.execute("DROP TABLE moved")


def _by_date(one: Sequence[_Told], other: Sequence[_Told]) -> Iterator[_Told]:
    """Two lines as one, each in its own order: always the later of the next two, as git does."""
    lines = [list(reversed(one)), list(reversed(other))]
    while all(lines):
        yield max(lines, key=lambda line: line[-1].time).pop()
    for line in lines:
        yield from reversed(line)
