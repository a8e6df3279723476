"""Sessions for clients: arguments in, one pass of a session, its pack out.

Whoever knows a session's id may continue it; ids cannot be guessed and are never listed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from sonde.serve.arguments import Arguments, BadArgument

if TYPE_CHECKING:
    from sonde.answers.results import Failure
    from sonde.engine import Engine
    from sonde.session.context_pack import ContextPack
    from sonde.session.editor import Diagnosis, Editor, Message
    from sonde.session.session import Session

Turn = Callable[["Engine"], "ContextPack | Failure"]
NEW = "new"
NEXT = "next"
ARGUMENTS = ("session", "plan", "failure", "editor", "acceptance", "constraints", "history")
FORMATS = ("yaml", "json", "markdown", "xml")
_AT_START = ("task", "editor", "acceptance", "constraints", "history")
_EDITOR = ("current_file", "selection", "open_files", "diagnostics", "terminal", "git")
_LAST_LINE = 10_000_000


def turn_of(given: Arguments, budget: int, frame: int = 0) -> Turn:
    """The pass that some arguments ask for; `frame` tokens of the budget are kept free."""
    id = given.text("session")
    _refuse(given, ("plan", "failure", "more") if id == NEW else _AT_START)
    _refuse(given, ("files", "diff", "why"))
    if id == NEW:
        return _start(given, budget - frame if budget else 0)
    kinds = [name for name in ("plan", "failure", "more") if given.has(name)]
    if len(kinds) != 1:
        raise BadArgument("with a session give one of plan, failure or more; to begin: task")
    room = budget - frame if budget else 0
    if kinds == ["plan"]:
        steps = given.texts("plan")
        return lambda engine: _passed(engine, id, lambda session: session.plan(steps, room))
    if kinds == ["failure"]:
        output = given.text("failure")
        return lambda engine: _passed(engine, id, lambda session: session.failure(output, room))
    names = _names(given.text("more"))
    return lambda engine: _passed(engine, id, lambda session: session.more(names, room))


def _refuse(given: Arguments, names: Sequence[str]) -> None:
    """Refuse arguments that this pass would ignore: the caller misunderstood something."""
    for name in names:
        if given.has(name):
            when = "a new session" if name in _AT_START else "the id of a session"
            where = "without session" if name in ("files", "diff", "why") else f"with {when}"
            raise BadArgument(f"{name} goes {where}")


def _names(written: str) -> list[str]:
    if written.strip() == NEXT:
        return []
    return [name.strip() for name in written.split(",") if name.strip()]


def _start(given: Arguments, budget: int) -> Turn:
    if not given.has("task"):
        raise BadArgument("a new session begins with a task")
    goal, form = given.text("task"), given.choice("format", FORMATS)
    acceptance, constraints = given.texts("acceptance"), given.texts("constraints")
    editor, wants_git = _editor(given)
    history = _history(given)

    def ask(engine: Engine) -> ContextPack | Failure:
        from dataclasses import replace

        from sonde.config import Settings, load_settings
        from sonde.session.git_state import git_state
        from sonde.session.session import Session, SessionOptions
        from sonde.session.task import TaskSpec

        settings = load_settings(engine.root)
        window = settings.window if isinstance(settings, Settings) else 0
        options = SessionOptions(window or 32_000, budget, form)
        task = TaskSpec(goal, "", acceptance, constraints)
        state = replace(editor, git=git_state(engine.root)) if wants_git else editor
        found = Session.start(engine, task, state, options, history=history)
        if not isinstance(found, Session):
            return found
        assert found.pack is not None
        return found.pack

    return ask


def _passed(
    engine: Engine, id: str, kind: Callable[[Session], ContextPack | Failure]
) -> ContextPack | Failure:
    from sonde.session.session import Session

    session = Session.open(engine, id)
    return kind(session) if isinstance(session, Session) else session


def end(engine: Engine, id: str) -> Any:
    """Forget a session; what changed in the work tree shows how good it was."""
    from sonde.session.git_state import git_state
    from sonde.session.session import Session

    session = Session.open(engine, id)
    if not isinstance(session, Session):
        return session
    state = git_state(engine.root)
    return session.end(state.diff if state is not None else None)


def _editor(given: Arguments) -> tuple[Editor, bool]:
    """The editor's state, and whether git is to be asked."""
    from sonde.session.editor import Editor

    if not given.has("editor"):
        return Editor(), False
    inner = given.inner("editor")
    inner.only(*_EDITOR)
    selection = None
    if inner.has("selection"):
        lines = inner.list("selection")
        if len(lines) != 2 or not all(isinstance(line, int) for line in lines):
            raise BadArgument("selection must be [first line, last line]")
        selection = (int(lines[0]), int(lines[1]))
    editor = Editor(
        inner.text("current_file") if inner.has("current_file") else "",
        selection,
        inner.texts("open_files"),
        _diagnostics(inner),
        inner.raw_text("terminal") or "",
    )
    return editor, inner.flag("git") if inner.has("git") else True


def _diagnostics(inner: Arguments) -> tuple[Diagnosis, ...]:
    from sonde.session.editor import Diagnosis

    found = []
    for row in inner.list("diagnostics") if inner.has("diagnostics") else ():
        each = Arguments(row)
        each.only("file", "line", "message", "severity")
        found.append(
            Diagnosis(
                each.text("file"),
                each.number("line", 0, 0, _LAST_LINE),
                each.text("message"),
                each.text("severity", "error"),
            )
        )
    return tuple(found)


def _history(given: Arguments) -> tuple[Message, ...]:
    from sonde.session.editor import Message

    found = []
    for row in given.list("history") if given.has("history") else ():
        each = Arguments(row)
        each.only("role", "content")
        found.append(Message(each.text("role"), each.text("content")))
    return tuple(found)
