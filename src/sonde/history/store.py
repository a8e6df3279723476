"""Commits in a database of their own, beside the index: searched by message, voted by change."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence, Set
from itertools import count
from pathlib import Path
from typing import NamedTuple

from sonde.frozen import frozen
from sonde.history.log import Commit, Log
from sonde.history.matches import Match, best_matches
from sonde.history.merges import Merges
from sonde.history.messages import Messages
from sonde.history.moves import Moves
from sonde.history.places import newest_place, sort_in
from sonde.store.database import rest
from sonde.store.errors import is_damage

_VERSION = 15  # of what is read and of the tables; what another version has read is read again
_SCHEMA = """
CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT);
CREATE TABLE IF NOT EXISTS commits (
    id INTEGER PRIMARY KEY, sha TEXT UNIQUE,
    place INTEGER, time INTEGER, -- NULL for a merge, which changes nothing itself
    author TEXT, subject TEXT,
    body TEXT -- NULL where the message is not searched; searched text is removed by its words
);
CREATE TABLE IF NOT EXISTS brought (merge_id INTEGER, sha TEXT);
CREATE INDEX IF NOT EXISTS brought_merge ON brought (merge_id);
CREATE TABLE IF NOT EXISTS touched (commit_id INTEGER, path TEXT, names TEXT);
CREATE INDEX IF NOT EXISTS touched_commit ON touched (commit_id);
CREATE INDEX IF NOT EXISTS touched_path ON touched (path);
CREATE TABLE IF NOT EXISTS renames (
    sha TEXT, place INTEGER, time INTEGER, old TEXT, new TEXT, UNIQUE (sha, old, new)
);
CREATE TABLE IF NOT EXISTS renamed (
    sha TEXT, place INTEGER, time INTEGER, path TEXT, old TEXT, new TEXT,
    UNIQUE (sha, path, old, new)
);
CREATE VIRTUAL TABLE IF NOT EXISTS messages USING fts5(
    subject, body, content='', tokenize='porter unicode61'
);
"""
_PATIENCE = 5.0  # seconds to wait for who reads or forgets commits
_PUT = "INSERT OR IGNORE INTO"
_TABLES = ("meta", "commits", "brought", "touched", "renames", "renamed")


@frozen
class Unread:
    """Why commits that led to the checkout cannot be told."""

    message: str
    damaged: bool = False  # to remove what is kept of them mends it
    reading: bool = False  # nothing is wrong: they are not known yet


class Change(NamedTuple):
    """A commit as it is shown."""

    sha: str
    time: int
    author: str
    subject: str


class History:
    """The commits of one workspace, all of them ancestors of the commit it remembers as head."""

    def __init__(self, path: Path) -> None:
        self.path = path
        path.parent.mkdir(parents=True, exist_ok=True)
        self._database = sqlite3.connect(path, timeout=_PATIENCE, check_same_thread=False)
        self._database.execute("PRAGMA journal_mode=WAL")
        self._database.execute("PRAGMA synchronous=OFF")
        self._make()
        self._messages = Messages(self._database)
        self._moves = Moves(self._database)

    def _make(self) -> None:
        (version,) = self._database.execute("PRAGMA user_version").fetchone()
        if version != _VERSION:
            for table in (*_TABLES, "messages"):
                self._database.execute(f"DROP TABLE IF EXISTS {table}")
            self._database.execute(f"PRAGMA user_version = {_VERSION}")
        self._database.executescript(_SCHEMA)

    @property
    def head(self) -> str:
        """The newest commit whose ancestors are here."""
        return self._meta("head")

    @property
    def walked(self) -> int:
        """How many commits are read before the older ones, even if they say too little to keep."""
        return int(self._meta("walked") or 0)

    @property
    def whole(self) -> bool:
        """Whether the first commit, or the limit, was reached."""
        return self._meta("whole") == "1"

    @property
    def merged(self) -> str:
        """The commit whose merges are here; "" if none were read."""
        return self._meta("merged")

    @property
    def cut(self) -> str:
        """Where the clone was cut off when it was read; "" for one that has all commits."""
        return self._meta("cut")

    @property
    def reach(self) -> str:
        """Which commits speak; changes with the head and with every stretch that is read."""
        # asked for four times in a question, and one query takes half the time of two
        known = dict(self._database.execute("SELECT key, value FROM meta"))
        return f"{known.get('head', '')} {known.get('walked', 0)} {known.get('merged', '')}"

    def _meta(self, key: str) -> str:
        row = self._database.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        return str(row[0]) if row else ""

    def rest(self) -> None:
        """Hold less until the next question."""
        self._messages.rest()
        rest(self._database)

    @property
    def count(self) -> int:
        """The number of commits."""
        (known,) = self._database.execute(
            "SELECT count(*) FROM commits WHERE place IS NOT NULL"
        ).fetchone()
        return int(known)

    def clear(self) -> None:
        """Forget every commit: another branch was checked out."""
        with self._database:
            for table in _TABLES:
                self._database.execute(f"DELETE FROM {table}")
            self._database.execute("INSERT INTO messages(messages) VALUES('delete-all')")

    def add(
        self,
        log: Log,
        head: str,
        walked: int,
        whole: bool,
        *,
        known: str | None = None,
        after: Set[str] | None = None,
    ) -> None:
        """Add what a log tells and remember how far it reaches, all or nothing.

        Nothing if the head is no longer the `known` one: another process has read another line.
        Of new commits those `after` the known ones are newer, all unless they are given; others
        come from a line that was merged late, and their dates tell.
        """
        with self._database:
            self._database.execute("BEGIN IMMEDIATE")
            if known is not None and self.head != known:
                return
            newer = head != self.head
            newest = newest_place(self._database, log.walked, newer=newer)
            places = dict(zip(log.told, count(newest, -1), strict=False))
            for commit in log.commits:
                self._put(commit, places[commit.sha])
            moved = [(each.sha, places[each.sha], *each[:-1]) for each in log.renames]
            self._database.executemany(f"{_PUT} renames VALUES (?,?,?,?,?)", moved)
            renamed = [(each.sha, places[each.sha], *each[:-1]) for each in log.renamed]
            self._database.executemany(f"{_PUT} renamed VALUES (?,?,?,?,?,?)", renamed)
            if newer and after is not None:
                late = min((places[sha] for sha in log.told if sha in after), default=newest + 1)
                sort_in(self._database, newest - log.walked, late)
            self._put_meta(("head", head), ("walked", str(walked)), ("whole", str(int(whole))))

    def add_merges(self, merges: Merges, head: str, *, known: str) -> None:
        """Add what the merges say that led to the head, or replace what was known of all.

        Nothing if the head, or the `known` one up to which they are here, is no longer the same.
        """
        with self._database:
            self._database.execute("BEGIN IMMEDIATE")
            if (self.head, self.merged) != (head, known):
                return
            if merges.all:
                self._remove("place IS NULL", [()])
            here = {sha for (sha,) in self._database.execute("SELECT sha FROM commits")}
            for sha, subject, body, brought in merges.found:
                if sha not in here and not here.isdisjoint(brought):
                    id = self._put_message((sha, None, None, "", subject, body))
                    rows = [(id, each) for each in brought]
                    self._database.executemany("INSERT INTO brought VALUES (?,?)", rows)
            self._put_meta(("merged", head))

    def _put(self, commit: Commit, place: int) -> None:
        body = None if commit.is_sweep else commit.body  # a sweep speaks for none of its files
        id = self._put_message(
            (commit.sha, place, commit.time, commit.author, commit.subject, body)
        )
        if id is not None:
            self._database.executemany(
                "INSERT INTO touched VALUES (?,?,?)",
                [(id, path, " ".join(names)) for path, names in commit.touched],
            )

    def _put_message(
        self, row: tuple[str, int | None, int | None, str, str, str | None]
    ) -> int | None:
        """The id of a new commit; None if it is here."""
        cursor = self._database.execute(
            f"{_PUT} commits (sha, place, time, author, subject, body) VALUES (?,?,?,?,?,?)", row
        )
        if not cursor.rowcount:
            return None
        *_, subject, body = row
        if body is not None:
            self._database.execute(
                "INSERT INTO messages (rowid, subject, body) VALUES (?,?,?)",
                (cursor.lastrowid, subject, body),
            )
        return cursor.lastrowid

    def forget(self, gone: Sequence[str], head: str, *, known: str, straight: bool) -> None:
        """Take out the commits that only the `known` head has, not the older one that is `head`.

        Nothing if the head is no longer the known one. Merges are to be read anew unless first
        parents lead `straight` from the one to the other.
        """
        each = [(sha,) for sha in gone]
        with self._database:
            self._database.execute("BEGIN IMMEDIATE")
            if self.head != known:
                return
            self._remove("sha = ?", each)
            for table in ("renames", "renamed"):
                self._database.executemany(f"DELETE FROM {table} WHERE sha = ?", each)
            # Some said too little to be counted: so many less are read twice, none is left out.
            walked = max(0, self.walked - len(gone))
            merged = head if straight and self.merged == known else ""
            self._put_meta(("head", head), ("walked", str(walked)), ("merged", merged))

    def _remove(self, which: str, each: Sequence[tuple[str, ...]]) -> None:
        """Take commits or merges out, with all that hangs on them."""
        self._database.executemany(
            "INSERT INTO messages (messages, rowid, subject, body)"
            f" SELECT 'delete', id, subject, body FROM commits WHERE {which} AND body IS NOT NULL",
            each,
        )
        for table, id in (("touched", "commit_id"), ("brought", "merge_id")):
            self._database.executemany(
                f"DELETE FROM {table} WHERE {id} IN (SELECT id FROM commits WHERE {which})", each
            )
        self._database.executemany(f"DELETE FROM commits WHERE {which}", each)

    def _put_meta(self, *rows: tuple[str, str]) -> None:
        self._database.executemany("INSERT OR REPLACE INTO meta VALUES (?,?)", rows)

    def reopen(self, cut: str) -> None:
        """The clone is cut off elsewhere now: there may be more to read below what is known."""
        with self._database:
            self._put_meta(("whole", "0"), ("cut", cut), ("merged", ""))

    def paths_since(self, path: str, place: int) -> list[str]:
        """The path of a file after a commit, and those that it got later; as of the last search."""
        return self._moves.paths_since(path, place)

    def name_since(self, path: str, name: str) -> str:
        """What a function of a file of today was called last; as of the last search."""
        return self._moves.name_since(path, name)

    def search(self, words: Sequence[str], limit: int) -> list[Match]:
        """Commits whose messages share the words, best first."""
        said = [word.replace('"', "") for word in words]
        if not said:
            return []
        reach = self.reach
        self._moves.read(reach)
        scores = self._messages.best(said, limit, reach)
        return best_matches(self._database, scores, limit)

    def with_hash(self, start: str) -> list[Match]:
        """The commit or merge whose hash begins so, if only one does."""
        self._moves.read(self.reach)
        rows = self._database.execute(
            "SELECT id FROM commits WHERE sha >= ? AND sha < ? LIMIT 2", (start, f"{start}g")
        ).fetchall()
        scores = {id: 0.0 for (id,) in rows}
        return best_matches(self._database, scores, 1) if len(scores) == 1 else []

    def last_change(self, path: str, names: frozenset[str]) -> tuple[Change, bool] | None:
        """The newest commit that changed one of these functions of a file, and True.

        Where none is known, the newest that changed the file, and False. What the file was called
        before counts as well.
        """
        newest = None
        self._moves.read(self.reach)
        until = self._moves.paths_until(path)
        rows = self._database.execute(
            "SELECT sha, place, time, author, subject, path, names FROM touched"
            f" JOIN commits ON id = commit_id WHERE path IN ({','.join('?' * len(until))})"
            " ORDER BY place DESC",
            list(until),
        )
        for sha, place, time, author, subject, called, changed in rows:
            if place >= until[called]:
                continue  # another file got the path afterwards
            change = Change(sha, time, author, subject)
            if not names.isdisjoint(changed.split()):
                return change, True
            newest = newest or change
        return None if newest is None else (newest, False)

    def close(self) -> None:
        """Release the file."""
        self._database.close()


def open_history(path: Path) -> History | Unread:
    """The history kept at a path, or why there is none; a damaged one starts over."""
    try:
        return _opened(path)
    except (sqlite3.Error, OSError) as error:
        return Unread(f"{path} cannot be opened: {error}")


def _opened(path: Path) -> History:
    try:
        return History(path)
    except sqlite3.DatabaseError as error:
        if not is_damage(error):
            raise
    path.unlink(missing_ok=True)
    return History(path)
