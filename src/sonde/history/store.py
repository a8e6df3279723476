"""Commits in a database of their own, beside the index: searched by message, voted by change."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from sonde.history.log import Commit

_SCHEMA = """
CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT);
CREATE TABLE IF NOT EXISTS commits (
    id INTEGER PRIMARY KEY, sha TEXT UNIQUE, time INTEGER, author TEXT, subject TEXT
);
CREATE TABLE IF NOT EXISTS touched (commit_id INTEGER, path TEXT, names TEXT);
CREATE INDEX IF NOT EXISTS touched_commit ON touched (commit_id);
CREATE INDEX IF NOT EXISTS touched_path ON touched (path);
CREATE VIRTUAL TABLE IF NOT EXISTS messages USING fts5(
    subject, body, content='', tokenize='porter unicode61'
);
"""


class Match(NamedTuple):
    """A commit whose message answers a query, and what it changed."""

    sha: str
    time: int
    subject: str
    score: float
    touched: tuple[tuple[str, tuple[str, ...]], ...]


class History:
    """The commits of one workspace, all of them ancestors of the commit it remembers as head."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._database = sqlite3.connect(path, timeout=5.0, check_same_thread=False)
        self._database.execute("PRAGMA journal_mode=WAL")
        self._database.execute("PRAGMA synchronous=OFF")
        self._database.executescript(_SCHEMA)

    @property
    def head(self) -> str:
        """The newest commit whose ancestors are here."""
        return self._meta("head")

    @property
    def walked(self) -> int:
        """How many commits were read, those that say too little included."""
        return int(self._meta("walked") or 0)

    @property
    def whole(self) -> bool:
        """Whether the first commit, or the limit, was reached."""
        return self._meta("whole") == "1"

    def _meta(self, key: str) -> str:
        row = self._database.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        return str(row[0]) if row else ""

    @property
    def count(self) -> int:
        """The number of commits."""
        return int(self._database.execute("SELECT count(*) FROM commits").fetchone()[0])

    def clear(self) -> None:
        """Forget every commit: another branch was checked out."""
        with self._database:
            for table in ("meta", "commits", "touched"):
                self._database.execute(f"DELETE FROM {table}")
            self._database.execute("INSERT INTO messages(messages) VALUES('delete-all')")

    def add(self, commits: Iterable[Commit], head: str, walked: int, whole: bool) -> None:
        """Add commits and remember how far they reach, all or nothing."""
        with self._database:
            for commit in commits:
                row = (commit.sha, commit.time, commit.author, commit.subject)
                cursor = self._database.execute(
                    "INSERT OR IGNORE INTO commits (sha, time, author, subject) VALUES (?,?,?,?)",
                    row,
                )
                if not cursor.rowcount:
                    continue
                id = cursor.lastrowid
                self._database.execute(
                    "INSERT INTO messages (rowid, subject, body) VALUES (?,?,?)",
                    (id, commit.subject, commit.body),
                )
                self._database.executemany(
                    "INSERT INTO touched VALUES (?,?,?)",
                    [(id, path, " ".join(names)) for path, names in commit.touched],
                )
            reach = (("head", head), ("walked", str(walked)), ("whole", str(int(whole))))
            self._database.executemany("INSERT OR REPLACE INTO meta VALUES (?,?)", reach)

    def search(self, words: Sequence[str], limit: int) -> list[Match]:
        """Commits whose messages share the words, best first."""
        quoted = " OR ".join('"' + word.replace('"', "") + '"' for word in words)
        if not quoted:
            return []
        scores = self._best(quoted, limit)
        marks = ",".join("?" * len(scores))
        rows = self._database.execute(
            f"SELECT id, sha, time, subject FROM commits WHERE id IN ({marks})", list(scores)
        ).fetchall()
        rows.sort(key=lambda row: (-scores[row[0]], -row[2], row[1]))
        touched = self._touched([row[0] for row in rows[:limit]])
        return [
            Match(sha, time, subject, scores[id], tuple(touched.get(id, ())))
            for id, sha, time, subject in rows[:limit]
        ]

    def newest(self, path: str, limit: int) -> list[tuple[str, str]]:
        """(sha, subject) of the last commits that changed a file, newest first."""
        rows = self._database.execute(
            "SELECT c.sha, c.subject FROM touched t JOIN commits c ON c.id = t.commit_id"
            " WHERE t.path = ? ORDER BY c.time DESC, c.sha LIMIT ?",
            (path, limit),
        )
        return [(sha, subject) for sha, subject in rows]

    def _best(self, expression: str, limit: int) -> dict[int, float]:
        """Scores of the best commits, and of all that are as good as the last of them.

        The commits themselves are looked up for these alone: many messages share some word.
        """
        rows = self._database.execute(
            "SELECT rowid, -bm25(messages, 2.0, 1.0) AS score FROM messages"
            " WHERE messages MATCH ? ORDER BY score DESC",
            (expression,),
        )
        scores: dict[int, float] = {}
        last = 0.0
        for id, score in rows:
            if len(scores) >= limit and score < last:
                break
            scores[id] = last = score
        return scores

    def _touched(self, ids: Sequence[int]) -> dict[int, list[tuple[str, tuple[str, ...]]]]:
        """What each commit changed, by path."""
        marks = ",".join("?" * len(ids))
        rows = self._database.execute(
            f"SELECT commit_id, path, names FROM touched WHERE commit_id IN ({marks})"
            " ORDER BY path",
            ids,
        )
        found: dict[int, list[tuple[str, tuple[str, ...]]]] = {}
        for id, path, names in rows:
            found.setdefault(id, []).append((path, tuple(names.split())))
        return found

    def close(self) -> None:
        """Release the file."""
        self._database.close()


def open_history(path: Path) -> History | None:
    """The history kept at a path; a damaged one starts over, an unwritable place has none."""
    try:
        return History(path)
    except sqlite3.DatabaseError as error:
        if isinstance(error, sqlite3.OperationalError):
            return None
    except OSError:
        return None
    path.unlink(missing_ok=True)
    try:
        return History(path)
    except (sqlite3.Error, OSError):
        return None
