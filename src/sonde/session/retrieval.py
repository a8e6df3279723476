"""What retrieval found for a question, kept for five minutes while the index is the same."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from threading import Lock
from typing import NamedTuple
from weakref import ReferenceType, ref

from sonde.answers.packing import Findings, Options
from sonde.answers.results import Refusal
from sonde.answers.state import State
from sonde.answers.task import task_findings, understood
from sonde.model import Query
from sonde.pack.request import DEFAULT_BUDGET
from sonde.rank.pipeline import rank_query
from sonde.retrieve.view import View

_ENTRIES = 1_000
_SECONDS = 300.0
Key = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Retrieved:
    """A question as it was understood, and what ranking found for it."""

    query: Query
    findings: Findings


class _Entry(NamedTuple):
    at: float
    view: ReferenceType[View]  # the state of the index it rests on, as long as that is open
    found: Retrieved | Refusal


class RetrievalCache:
    """The most recently used answers; one that is five minutes old is asked for again."""

    def __init__(self) -> None:
        self._entries: OrderedDict[Key, _Entry] = OrderedDict()
        self._lock = Lock()
        self.hits = 0

    def __len__(self) -> int:
        return len(self._entries)

    def get(self, key: Key, view: View, now: float) -> Retrieved | Refusal | None:
        """The kept answer, if it is young enough and the index is the same."""
        with self._lock:
            entry = self._entries.get(key)
            if entry is None or not 0.0 <= now - entry.at < _SECONDS or entry.view() is not view:
                self._entries.pop(key, None)
                return None
            self._entries.move_to_end(key)
            self.hits += 1
            return entry.found

    def put(self, key: Key, view: View, found: Retrieved | Refusal, now: float) -> None:
        """Keep an answer."""
        with self._lock:
            self._entries[key] = _Entry(now, ref(view), found)
            self._entries.move_to_end(key)
            while len(self._entries) > _ENTRIES:
                self._entries.popitem(last=False)


def retrieve(
    question: str,
    state: State,
    budget: int,
    without: frozenset[str],
    cache: RetrievalCache,
    now: float,
) -> Retrieved | Refusal:
    """Definitions, tests and callers for a question, from the cache where nothing changed."""
    history = state.view.history
    commits = "" if history is None else history.reach
    root = str(state.view.index.workspace.root)
    # Only more room than usual finds more: a pass asked again with the budget it was told to
    # have, or one with a small budget of its own, is answered from what the session knows.
    budget = max(budget, DEFAULT_BUDGET)
    key = (question, root, str(budget), commits, *sorted(without))
    found = cache.get(key, state.view, now)
    if found is None:
        found = _retrieved(question, state, budget, without)
        if not state.stale:
            cache.put(key, state.view, found, now)
    return found


def _retrieved(
    question: str, state: State, budget: int, without: frozenset[str]
) -> Retrieved | Refusal:
    query = understood(question, state.view)
    if isinstance(query, Refusal):
        return query
    ranking = rank_query(query, state.view, without)
    options = Options(budget, without=without)
    return Retrieved(query, task_findings(question, query, ranking, state, options))
