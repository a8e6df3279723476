"""The commits and merges that answer a query, each with what it changed."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from operator import itemgetter
from typing import NamedTuple

Touched = tuple[tuple[str, tuple[str, ...]], ...]  # paths, each with the functions changed there


class Match(NamedTuple):
    """A commit whose message answers a query, and what it changed.

    A merge changed what the commits did that it brought.
    """

    sha: str
    place: int  # among all commits, in the order of the log; higher is newer
    author: str
    subject: str
    body: str
    score: float
    touched: Touched


def best_matches(
    database: sqlite3.Connection, scores: Mapping[int, float], limit: int
) -> list[Match]:
    """The commits and merges with the best scores, equal ones newest first and merges last."""
    rows = database.execute(
        "SELECT id, sha, place, author, subject, body FROM commits"
        f" WHERE id IN ({_marks(scores)}) ORDER BY place DESC, sha",
        list(scores),
    ).fetchall()
    rows.sort(key=lambda row: -scores[row[0]])
    rows = rows[:limit]
    touched = _touched(database, [id for id, _, place, *_ in rows if place is not None])
    brought = _brought(database, [id for id, _, place, *_ in rows if place is None])
    matches = []
    for id, sha, place, author, subject, body in rows:
        since, changed = brought.get(id, (0, ())) if place is None else (place, touched.get(id, ()))
        if changed:
            matches.append(Match(sha, since, author, subject, body or "", scores[id], changed))
    return matches


def _touched(database: sqlite3.Connection, ids: Sequence[int]) -> dict[int, Touched]:
    """What each commit changed, by path."""
    rows = database.execute(
        f"SELECT commit_id, path, names FROM touched WHERE commit_id IN ({_marks(ids)})", ids
    )
    found: dict[int, list[tuple[str, tuple[str, ...]]]] = {}
    for id, path, names in sorted(rows, key=itemgetter(1)):
        found.setdefault(id, []).append((path, tuple(names.split())))
    return {id: tuple(changed) for id, changed in found.items()}


def _brought(database: sqlite3.Connection, ids: Sequence[int]) -> dict[int, tuple[int, Touched]]:
    """The place of the oldest commit that each merge brought, and what all of them changed."""
    rows = database.execute(
        "SELECT merge_id, place, path, names FROM brought JOIN commits USING (sha)"
        f" JOIN touched ON commit_id = id WHERE merge_id IN ({_marks(ids)})"
        " ORDER BY path, place DESC",
        ids,
    )
    places: dict[int, int] = {}
    changed: dict[int, dict[str, dict[str, None]]] = {}
    for id, place, path, names in rows:
        places[id] = min(place, places.get(id, place))
        changed.setdefault(id, {}).setdefault(path, {}).update(dict.fromkeys(names.split()))
    return {
        id: (places[id], tuple((path, tuple(names)) for path, names in paths.items()))
        for id, paths in changed.items()
    }


def _marks(values: Mapping[int, float] | Sequence[int]) -> str:
    return ",".join("?" * len(values))
