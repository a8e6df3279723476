"""History: past commits whose messages match the task vote for the symbols they changed."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, NamedTuple

from sonde.model.statistics import HISTORY
from sonde.retrieve.channel import Channel, Hit, ranked
from sonde.retrieve.fulltext import query_words
from sonde.understand.mentioned import issues_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sonde.history.matches import Match
    from sonde.history.store import History
    from sonde.model import Query
    from sonde.retrieve.view import View

_COMMITS = 40
_WORDS = 24
_LIMIT = 60
_ISSUES = 12  # of those words
_SUBJECT = 50  # characters of a subject in a reason
_HOMONYMS = 4
# Automated and routine commits: they touch a lot and mean nothing.
_MECHANICAL = re.compile(
    r"^(?:merge\b|bump\b|release\b|version\b|update (?:changelog|dependenc|copyright)|"
    r"(?:chore|style|ci|build)(?:\(|:)|revert\b|reformat|run (?:black|gofmt|prettier|rustfmt))",
    re.IGNORECASE,
)
_BOT = re.compile(
    r"\[bot\]$|\bbot$|^(?:dependabot|renovate|greenkeeper|pre-commit|github-actions)", re.IGNORECASE
)
_MECHANICAL_SHARE = 0.2
_BESIDE = 0.25  # what other commits count where the task names some
_HASHES = 12  # of a task
_GLUED = ("issue", "bug")  # messages may write "issue601", which is a word of its own


class Votes(NamedTuple):
    """What the best-matching commits changed, each vote divided by the size of the commit."""

    files: dict[str, float]  # path → votes, largest 1
    names: dict[tuple[str, str], float]  # (path, function) → votes
    reasons: dict[tuple[str, str], str]
    outright: frozenset[tuple[str, str]]  # functions that a commit changed which the task names


_NOTHING = Votes({}, {}, {}, frozenset())


def votes(query: Query, view: View) -> Votes:
    """The votes of the commits that match a query; those of the last query are cached."""
    recent = view.recent_votes
    if recent is not None and recent[0] is query:
        return recent[2]  # asked for again by the same question
    # A checkout can change which commits count even when no file, and so no view, has changed.
    reach = "" if view.history is None else view.history.reach
    if recent is None or recent[:2] != (query, reach):
        recent = view.recent_votes = (query, reach, _count(query, view))
    return recent[2]


def _count(query: Query, view: View) -> Votes:
    if view.history is None:
        return _NOTHING
    files: dict[str, float] = {}
    names: dict[tuple[str, str], float] = {}
    reasons: dict[tuple[str, str], str] = {}
    outright: set[tuple[str, str]] = set()
    for match, weight, is_named in _weighed(query, view.history):
        reason = f"changed by {match.sha[:7]} {_shortened(match.subject)!r}"
        for path, changed in match.touched:
            for today in view.today(path, match.place):
                files[today] = files.get(today, 0.0) + weight
                for name in {view.name_today(today, name): None for name in changed}:
                    key = (today, name)
                    names[key] = names.get(key, 0.0) + weight
                    reasons.setdefault(key, reason)
                    if is_named:
                        outright.add(key)
    most = max(files.values(), default=1.0)
    shares = {path: vote / most for path, vote in files.items()}
    return Votes(shares, names, reasons, frozenset(outright))


def _weighed(query: Query, history: History) -> list[tuple[Match, float, bool]]:
    """The commits that a task names, then those whose messages share its words, with their say.

    Each with whether it is named.
    """
    glued = [before + each for each in query.issues if each.isdecimal() for before in _GLUED]
    issues = (*query.issues, *glued)[:_ISSUES]
    words = [*issues, *query_words(query, expand=False)][:_WORDS]
    named = _named(query, issues, history)
    found = history.search(words, _COMMITS)
    best = max((match.score for match in found), default=0.0) or 1.0
    whole = _BESIDE if named else 1.0
    surely = {match.sha for match in named}
    return [(match, 1.0 / _size(match), True) for match in named] + [
        (match, whole * (match.score / best) ** 2 * _share(match) / _size(match), False)
        for match in found
        if match.sha not in surely
    ]


def _named(query: Query, issues: Sequence[str], history: History) -> list[Match]:
    """The commits that a task names: by their hash, or by the number of an issue they name too."""
    found = [match for each in query.commits[:_HASHES] for match in history.with_hash(each)]
    if issues:
        found += [
            match
            for match in history.search(issues, _COMMITS)
            if not issues_of(f"{match.subject}\n{match.body}").isdisjoint(issues)
        ]
    return list({match.sha: match for match in found}.values())


def _share(match: Match) -> float:
    """How much of its say a commit has for what it is."""
    mechanical = _MECHANICAL.search(match.subject) or _BOT.search(match.author)
    return _MECHANICAL_SHARE if mechanical else 1.0


def _shortened(subject: str) -> str:
    return subject if len(subject) <= _SUBJECT else subject[: _SUBJECT - 1].rstrip() + "…"


def _size(match: Match) -> float:
    """The larger a commit, the less its message says about each of its changes."""
    changes = sum(max(1, len(names)) for _, names in match.touched)
    return math.sqrt(max(1, changes))


def find(query: Query, view: View) -> list[Hit]:
    """Symbols that commits about the task changed."""
    if view.unread is not None:
        view.do_without(HISTORY, loading=view.unread.reading)
    found = votes(query, view)
    hits: list[Hit] = []
    best = _most_voted(found.names, 2 * _LIMIT)
    surely: set[int] = set()  # found by a name that is unique in its file
    for path, name in best:
        if len(surely) >= _LIMIT:
            break  # the rest have no more votes than these
        ids = view.named_in(path, name)
        if len(ids) == 1:
            surely.add(ids[0])
        if ids:
            vote, reason = found.names[path, name] / len(ids), found.reasons[path, name]
            hits += [Hit(id, vote, reason) for id in ids[:_HOMONYMS]]
    return ranked(hits, _LIMIT)


def _most_voted(votes: Mapping[tuple[str, str], float], most: int) -> list[tuple[str, str]]:
    """The functions with the most votes, equal ones by path and name."""
    if len(votes) > most:
        least = sorted(votes.values(), reverse=True)[most - 1]
        votes = {name: vote for name, vote in votes.items() if vote >= least}
    return sorted(votes, key=lambda name: (-votes[name], name))[:most]


CHANNEL = Channel(HISTORY, 1.0, find)
