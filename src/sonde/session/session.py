"""A session with an agent: start, plan, failure, more; each pass sends only what is new.

>>> from sonde import Session
>>> session = Session.start(engine, "fix the crash in DatabaseClient.connect")
>>> "def connect(self)" in session.pack.text
True
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeVar

from sonde.answers.changes import relative_path
from sonde.answers.results import Failure, Refusal
from sonde.answers.state import State
from sonde.pack.errors import UnknownFormat, UnknownTokenizer
from sonde.pack.tokens import DEFAULT_TOKENIZER, token_counter
from sonde.rank.switches import unknown_switch
from sonde.session.boosts import FEEDBACK, SESSION_RULES, contributions
from sonde.session.context_pack import ContextPack
from sonde.session.editor import Editor, Message
from sonde.session.evidence import EvidenceChooser
from sonde.session.failure import fail
from sonde.session.memory import SessionRecord
from sonde.session.more import more
from sonde.session.opinions import opinions
from sonde.session.outcome import Outcome, keep, outcome
from sonde.session.plan import plan
from sonde.session.render import DEFAULT_FORMAT, FORMATS
from sonde.session.retrieval import RetrievalCache
from sonde.session.shelf import Shelf
from sonde.session.start import start
from sonde.session.task import COMMANDS, TaskSpec
from sonde.session.turn import Done, Turn
from sonde.session.window import DEFAULT_WINDOW, SMALLEST_WINDOW, Allowance, allowance
from sonde.store.errors import Problem
from sonde.store.location import Workspace

if TYPE_CHECKING:
    from sonde.engine import Engine

T = TypeVar("T")
_CACHE = RetrievalCache()  # shared by the sessions of a process; keys name index and generation
_EDITOR = Editor()
_LONG_TASK = 60  # words; a task that needs more is not simple
_SIMPLE = ("/explain", "/test")
_LARGE = 12_000  # tokens of a pack from which the whole current file is welcome


@dataclass(frozen=True, slots=True)
class SessionOptions:
    """How the packs of a session are made."""

    window: int = DEFAULT_WINDOW  # of the model, in tokens
    budget: int = 0  # most tokens of a pack; 0 leaves it to the window
    format: str = DEFAULT_FORMAT
    tokenizer: str = DEFAULT_TOKENIZER
    without: frozenset[str] = frozenset()  # rules and channels to leave out

    def problem(self) -> Failure | None:
        """Why these options cannot be used."""
        if self.format not in FORMATS:
            return UnknownFormat(self.format, tuple(FORMATS))
        counter = token_counter(self.tokenizer)
        if isinstance(counter, UnknownTokenizer):
            return counter
        if self.budget < 0:
            return _holds_nothing(self.budget)
        if self.window < SMALLEST_WINDOW and not self.budget:
            return Refusal(f"a window of {self.window} tokens holds no pack: give at least 1000")
        wrong = unknown_switch(self.without - SESSION_RULES)
        return Refusal(wrong) if wrong else None


class Session:
    """One task's conversation with the index. Made by `start` or `open`."""

    def __init__(
        self,
        engine: Engine,
        record: SessionRecord,
        shelf: Shelf,
        pack: ContextPack | None,
        clock: Callable[[], float],
    ) -> None:
        self._engine = engine
        self._shelf = shelf
        self._clock = clock
        self.record = record
        self.pack = pack  # of the last pass in this process

    @property
    def id(self) -> str:
        """The key that opens the session again."""
        return self.record.id

    @classmethod
    def start(
        cls,
        engine: Engine,
        goal: str | TaskSpec,
        editor: Editor = _EDITOR,
        options: SessionOptions | None = None,
        *,
        history: Sequence[Message] = (),
        clock: Callable[[], float] = time.time,
        new_id: Callable[[], str] = lambda: secrets.token_hex(8),
    ) -> Session | Failure:
        """Begin a task: the first pack is in `pack`."""
        options = options or SessionOptions()
        task = goal if isinstance(goal, TaskSpec) else TaskSpec(goal)
        problem = options.problem() or _task_problem(task)
        if problem is not None:
            return problem
        now = clock()
        allowed = _allowance(task, editor, options)

        def begin(state: State) -> Done | Failure:
            checked = _checked(state, editor)
            if isinstance(checked, Refusal):
                return checked
            record = SessionRecord(
                new_id(),
                now,
                now,
                task,
                checked,
                allowed.available,
                allowed.reserved,
                allowed.large,
                options.format,
                options.tokenizer,
                options.without,
            )
            return start(_turn(record, state, now), history)

        return cls._made(engine, engine.ask(begin), clock)

    @classmethod
    def open(
        cls, engine: Engine, id: str, *, clock: Callable[[], float] = time.time
    ) -> Session | Failure:
        """Continue a session that was begun before, perhaps by another process."""
        place = engine.place()
        if isinstance(place, Problem):
            return place
        shelf = _shelf(place)
        record = shelf.get(id, clock())
        if record is None:
            return _unknown(id)
        return cls(engine, record, shelf, None, clock)

    def plan(
        self, steps: str | Sequence[str], budget: int = 0, *, format: str = ""
    ) -> ContextPack | Failure:
        """What each step of a plan needs beyond what was sent."""
        return self._pass(lambda turn: plan(turn, _several(steps)), budget, format)

    def failure(
        self, output: str | bytes, budget: int = 0, *, format: str = ""
    ) -> ContextPack | Failure:
        """What raw output of a failed test or build is about."""
        return self._pass(lambda turn: fail(turn, output), budget, format)

    def more(
        self, names: str | Sequence[str] = (), budget: int = 0, *, format: str = ""
    ) -> ContextPack | Failure:
        """The next best that was not sent, or the named symbols in full again."""
        return self._pass(lambda turn: more(turn, _several(names)), budget, format)

    def end(self, patch: str | None = None) -> Outcome | Failure:
        """Forget the session; its figures, judged by the final diff, stay for the metrics."""
        return self._alone(lambda: self._judged(patch))

    def _judged(self, patch: str | None) -> Outcome | Failure:
        record, now = self.record, self._clock()

        def judge(state: State) -> Outcome:
            home = state.view.index.workspace.home
            told = outcome(record, now, state.view, patch or "", opinions(home, record))
            keep(home, told)
            return told

        told = self._engine.ask(judge)
        if isinstance(told, Outcome):
            self._shelf.remove(record.id)
        return told

    def boosts(self) -> list[tuple[str, tuple[tuple[str, float], ...]]]:
        """What this session's rules add to symbols now, largest first."""
        place = self._engine.place()
        record, now = self.record, self._clock()
        heard = {} if isinstance(place, Problem) else opinions(place.home, record)
        found = [
            (key, contributions(key, record.accesses, heard, now, record.without))
            for key in sorted({*record.accesses, *heard})
        ]
        found.sort(key=lambda row: -sum(value for _, value in row[1]))
        return [(key, rules) for key, rules in found if rules]

    def _pass(
        self, kind: Callable[[Turn], Done | Failure], budget: int, format: str
    ) -> ContextPack | Failure:
        """One more pass; 0 tokens and no format mean those that the session began with."""
        if budget < 0:
            return _holds_nothing(budget)
        if format and format not in FORMATS:
            return UnknownFormat(format, tuple(FORMATS))
        return self._alone(lambda: self._passed(kind, budget, format))

    def _alone(self, do: Callable[[], T | Failure]) -> T | Failure:
        """Do something to the session as other processes have left it."""
        try:
            with self._shelf.turn(self.id) as mine:
                if not mine:
                    return Refusal(f"another process is busy with session {self.id}: ask again")
                record = self._shelf.get(self.id, self._clock())
                if record is None:
                    return _unknown(self.id)
                self.record = record
                return do()
        except OSError as error:
            return Refusal(f"the session cannot be kept: {error.strerror}")

    def _passed(
        self, kind: Callable[[Turn], Done | Failure], budget: int, format: str
    ) -> ContextPack | Failure:
        now, own = self._clock(), self.record
        record = replace(own, budget=budget or own.budget, format=format or own.format)
        done = self._engine.ask(lambda state: kind(_turn(record, state, now)))
        if not isinstance(done, tuple):
            return done
        pack = done[0]
        return self._keep((pack, replace(done[1], budget=own.budget, format=own.format))) or pack

    @classmethod
    def _made(
        cls, engine: Engine, done: Done | Failure, clock: Callable[[], float]
    ) -> Session | Failure:
        place = engine.place()
        if isinstance(place, Problem):
            return place
        if not isinstance(done, tuple):
            return done
        session = cls(engine, done[1], _shelf(place), done[0], clock)
        return session._keep(done) or session

    def _keep(self, done: Done) -> Refusal | None:
        self.pack, self.record = done
        problem = self._shelf.put(self.record, self._clock())
        return Refusal(problem) if problem else None


def sessions(
    engine: Engine, clock: Callable[[], float] = time.time
) -> list[SessionRecord] | Problem:
    """The living sessions of a workspace, the one used last first."""
    place = engine.place()
    return place if isinstance(place, Problem) else _shelf(place).all(clock())


def _several(texts: str | Sequence[str]) -> Sequence[str]:
    """A single text is a list of one, not of its letters."""
    return (texts,) if isinstance(texts, str) else texts


def _holds_nothing(budget: int) -> Refusal:
    return Refusal(f"a budget of {budget} tokens holds nothing: give a positive number")


def _unknown(id: str) -> Refusal:
    return Refusal(f"there is no session {id[:40]!r}, or it has expired: start a new one")


def _shelf(place: Workspace) -> Shelf:
    return Shelf(place.sessions)


def _turn(record: SessionRecord, state: State, now: float) -> Turn:
    counter = token_counter(record.tokenizer)
    assert not isinstance(counter, UnknownTokenizer)  # checked when the session began
    chooser = EvidenceChooser(state.view, counter, record)
    home = state.view.index.workspace.home
    heard = opinions(home, record) if record.passes and FEEDBACK not in record.without else {}
    return Turn(record, state, now, _CACHE, counter, chooser, heard)


def _task_problem(task: TaskSpec) -> Refusal | None:
    if task.command and task.command not in COMMANDS:
        known = ", ".join(COMMANDS)
        return Refusal(f"there is no command {task.command[:40]!r}: choose from {known}")
    return None


def _allowance(task: TaskSpec, editor: Editor, options: SessionOptions) -> Allowance:
    """Tokens by the budget asked for, else by the model's window and how hard the task is."""
    if options.budget:
        return Allowance(options.budget, large=options.budget > _LARGE)
    words = len(task.goal.split())
    simple = task.command in _SIMPLE and words < _LONG_TASK and not editor.terminal.strip()
    short = words < _LONG_TASK // 3 and not editor.terminal.strip()
    return allowance(options.window, complex_task=not (simple or short))


def _checked(state: State, editor: Editor) -> Editor | Refusal:
    """The editor's state with paths as the index has them; one outside the root is refused."""
    root = state.view.index.workspace.root

    def path(written: str) -> str | Refusal:
        return relative_path(root, written)

    current = path(editor.current_file) if editor.current_file else ""
    if isinstance(current, Refusal):
        return current
    opened = [found for found in map(path, editor.open_files) if isinstance(found, str)]
    diagnosed = []
    for each in editor.diagnostics:
        found = path(each.file)
        if isinstance(found, str):
            diagnosed.append(replace(each, file=found))
    selection = editor.selection
    if selection is not None and not 0 < selection[0] <= selection[1]:
        return Refusal("a selection is its first and last line, counted from 1")
    return replace(
        editor, current_file=current, open_files=tuple(opened), diagnostics=tuple(diagnosed)
    )
