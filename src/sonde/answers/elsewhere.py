"""Answer a task in a process other than the one that keeps the index fresh.

The asking process has looked at the disk and passes the generation that equals it. The reader
opens that generation, or a newer one; it never syncs, so the index keeps a single writer.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from sonde.answers.pack_cache import PackCache
from sonde.answers.packing import Options
from sonde.answers.results import Answer, Failure
from sonde.answers.state import State
from sonde.answers.task import answer_task
from sonde.history.store import History, Unread, open_history
from sonde.retrieve.view import View
from sonde.store.errors import Problem
from sonde.store.index import Index
from sonde.store.location import Workspace


class Asked(NamedTuple):
    """A task, the key under which its answer is cached, and the state it must see."""

    task: str
    options: Options
    key: str
    generation: int
    history: bool  # whether commits are used as evidence


_ANY_TASK = "fix the error in the main function"  # for warming up; its answer is discarded

# None: the reader cannot answer; the asking process looks at the disk again and answers itself.
Elsewhere = Callable[[Asked], Answer | None]


class Reader:
    """Answers from the newest generation; cached answers are shared only through the disk."""

    def __init__(self, place: Workspace) -> None:
        self._place = place
        self._packs = PackCache(place.folder / "answers", most=0)
        self._view: View | None = None
        self._history: History | None = None

    def warm(self) -> None:
        """Load everything that the first answer would wait for."""
        view = self._at(0)
        if view is not None:
            answer_task(_ANY_TASK, State(view), Options())

    def answer(self, asked: Asked) -> Answer | Failure | None:
        """The answer; None if that generation no longer exists."""
        view = self._at(asked.generation)
        if view is None:
            return None
        if asked.history and self._history is None:
            opened = open_history(self._place.history)
            if isinstance(opened, Unread):
                return None
            self._history = opened
        view.history = self._history if asked.history else None
        return self._packs.kept(
            asked.key, State(view), lambda state: answer_task(asked.task, state, asked.options)
        )

    def _at(self, generation: int) -> View | None:
        if self._view is not None and self._view.index.generation >= generation:
            return self._view
        self.close()
        index = Index.open(self._place)
        if isinstance(index, Problem):
            return None
        if index.generation < generation:
            index.close()
            return None
        self._view = View(index)
        return self._view

    def close(self) -> None:
        """Release the generation."""
        if self._view is not None:
            self._view.index.close()
            self._view = None
