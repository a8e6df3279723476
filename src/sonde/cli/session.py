"""Lead an agent through a task in several passes; each sends only what is new.

start TASK            what to begin with: task, workspace, rules, evidence
plan ID STEP…         what each step of a plan needs beyond that
failure ID FILE       what the output of a failed test or build is about
more ID [NAME…]       the next best, or named symbols in full once more
show [ID]             the sessions of the workspace, or everything about one
end ID                forget it; its figures stay for 'sonde metrics'

ID may be 'last'. FILE and TASK may be - for standard input.
"""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING, Any

from sonde.cli.console import Console
from sonde.cli.opening import engine_of, settings_of
from sonde.cli.outcome import FOUND, Failure, answered
from sonde.cli.parser import CommandParser, whole_number
from sonde.cli.plain import plain
from sonde.cli.session_list import show_all, show_one
from sonde.cli.task import add_without, bytes_of, task_text, text_of
from sonde.pack.tokens import TOKENIZERS

if TYPE_CHECKING:
    from sonde.answers.results import Failure as AnswerFailure
    from sonde.engine import Engine
    from sonde.session.context_pack import ContextPack
    from sonde.session.editor import Editor
    from sonde.session.session import Session

USAGE = "start TASK | plan ID STEP… | failure ID FILE | more ID | show | end ID [options]"
EXAMPLES = (
    'sonde session start "/fix the crash in DatabaseClient.connect" --file src/db/client.py',
    'sonde session plan last "validate the URL" "add a test"',
    "sonde session failure last pytest.log",
    "sonde session more last DatabaseClient.connect",
)
_FORMATS = ("yaml", "json", "markdown", "xml")
_BEGINNINGS = (
    *("file", "select", "open", "diagnostics", "terminal", "accept", "constraint"),
    *("window", "tokenizer", "without"),
)
_LARGEST = 10_000_000
_MOST_OUTPUT = 128 << 20  # bytes of tool output that are taken at all


def configure(parser: CommandParser) -> None:
    """What to do, then what the editor knows, then how the pack looks."""
    parser.add_argument("action", metavar="ACTION", choices=tuple(_ACTIONS), help="see above")
    parser.add_argument("words", metavar="WORDS", nargs="*", help="task, session and steps")
    parser.add_argument("--file", metavar="FILE", default="", help="the file in the editor")
    parser.add_argument("--select", metavar="A-B", help="first and last selected lines")
    parser.add_argument("--open", metavar="FILE", nargs="+", default=[], help="further open files")
    parser.add_argument(
        "--diagnostics",
        metavar="FILE",
        help="JSON list of {file, line, message, severity}; - reads stdin",
    )
    parser.add_argument("--terminal", metavar="FILE", help="terminal output; - reads stdin")
    parser.add_argument(
        "--accept", metavar="TEXT", action="append", default=[], help="an acceptance criterion"
    )
    parser.add_argument(
        "--constraint", metavar="TEXT", action="append", default=[], help="what must not change"
    )
    parser.add_argument("--no-git", action="store_true", help="leave out branch and changes")
    parser.add_argument(
        "--window",
        metavar="TOKENS",
        type=whole_number(1000, _LARGEST),
        help="context window of the model (default: 32000)",
    )
    parser.add_argument(
        "--budget",
        metavar="TOKENS",
        type=whole_number(1, _LARGEST),
        help="largest number of tokens of a pack (default: by the window)",
    )
    parser.add_argument(
        "--format",
        metavar="FORMAT",
        choices=_FORMATS,
        help=f"{', '.join(_FORMATS)} (default: that of the session, or yaml)",
    )
    parser.add_argument(
        "--tokenizer", metavar="NAME", choices=TOKENIZERS, help=f"{', '.join(TOKENIZERS)}"
    )
    add_without(parser)


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Do what the first word says."""
    if arguments.action != "start":
        _refuse_beginnings(arguments)
    with engine_of(arguments, console) as engine:
        return _ACTIONS[arguments.action](engine, arguments, console)


def _refuse_beginnings(arguments: argparse.Namespace) -> None:
    """What only the first pass takes would be ignored by the others."""
    for name in _BEGINNINGS:
        if getattr(arguments, name):
            raise Failure(
                f"--{name} is for 'sonde session start': the other passes go on with what the"
                " session began with"
            )


def _format(arguments: argparse.Namespace) -> str:
    return "json" if arguments.json else arguments.format or ""


def _start(engine: Engine, arguments: argparse.Namespace, console: Console) -> int:
    from sonde.session.session import Session, SessionOptions
    from sonde.session.task import TaskSpec

    (goal,) = _words(arguments, "start TASK", 1)
    _, settings = settings_of(arguments)
    task = TaskSpec(task_text(goal), "", tuple(arguments.accept), tuple(arguments.constraint))
    options = SessionOptions(
        arguments.window or settings.window,
        arguments.budget or 0,
        _format(arguments) or _FORMATS[0],
        arguments.tokenizer or settings.tokenizer,
        frozenset(arguments.without),
    )
    session = answered(Session.start(engine, task, _editor(engine, arguments), options))
    return _print(session.pack, console)


def _editor(engine: Engine, arguments: argparse.Namespace) -> Editor:
    from sonde.session.editor import Editor
    from sonde.session.git_state import git_state

    return Editor(
        arguments.file,
        _selection(arguments.select),
        tuple(arguments.open),
        _diagnostics(arguments.diagnostics),
        text_of(arguments.terminal) if arguments.terminal else "",
        None if arguments.no_git else git_state(engine.root),
    )


def _selection(written: str | None) -> tuple[int, int] | None:
    if written is None:
        return None
    first, _, last = written.partition("-")
    if not first.isdecimal() or (last and not last.isdecimal()):
        raise Failure(f"--select: {written[:40]!r} is not a range of lines such as 10-20")
    return int(first), int(last or first)


def _diagnostics(source: str | None) -> tuple[Any, ...]:
    from sonde.session.editor import Diagnosis

    if source is None:
        return ()
    try:
        rows = json.loads(text_of(source))
        return tuple(
            Diagnosis(
                str(row["file"]),
                int(row.get("line", 0)),
                str(row["message"]),
                str(row.get("severity", "error")),
            )
            for row in rows
        )
    except (ValueError, TypeError, KeyError, AttributeError):
        raise Failure(
            "--diagnostics must be a JSON list of {file, line, message, severity}"
        ) from None


def _plan(engine: Engine, arguments: argparse.Namespace, console: Console) -> int:
    id, *steps = _words(arguments, "plan ID STEP…", 2, 21)
    session, budget = _opened(engine, id), arguments.budget or 0
    return _print(session.plan(steps, budget, format=_format(arguments)), console)


def _failure(engine: Engine, arguments: argparse.Namespace, console: Console) -> int:
    id, source = _words(arguments, "failure ID FILE", 2)
    session, budget = _opened(engine, id), arguments.budget or 0
    output = bytes_of(source, _MOST_OUTPUT)
    return _print(session.failure(output, budget, format=_format(arguments)), console)


def _more(engine: Engine, arguments: argparse.Namespace, console: Console) -> int:
    id, *names = _words(arguments, "more ID [NAME…]", 1, 51)
    session, budget = _opened(engine, id), arguments.budget or 0
    return _print(session.more(names, budget, format=_format(arguments)), console)


def _end(engine: Engine, arguments: argparse.Namespace, console: Console) -> int:
    (id,) = _words(arguments, "end ID", 1)
    session = _opened(engine, id)
    told = answered(session.end(None if arguments.no_git else git_diff(engine)))
    if arguments.json:
        console.json(plain(told))
    else:
        console.line(f"{session.id}: ended, {told.tokens:,} tokens sent in all")
    return FOUND


def git_diff(engine: Engine) -> str:
    """What was changed since the last commit, which shows what evidence was used."""
    from sonde.session.git_state import git_state

    state = git_state(engine.root)
    return state.diff if state is not None else ""


def _show(engine: Engine, arguments: argparse.Namespace, console: Console) -> int:
    words = _words(arguments, "show [ID]", 0, 1)
    if words:
        return show_one(_opened(engine, words[0]), arguments.json, console)
    return show_all(engine, arguments.json, console)


def _opened(engine: Engine, id: str) -> Session:
    from sonde.session.session import Session, sessions

    if id == "last":
        found = answered(sessions(engine))
        if not found:
            raise Failure("there is no session in this workspace: use 'sonde session start'")
        id = found[0].id
    return answered(Session.open(engine, id))


def _print(pack: ContextPack | AnswerFailure | None, console: Console) -> int:
    found = answered(pack)
    assert found is not None
    console.document(found.text)
    return FOUND


def _words(arguments: argparse.Namespace, usage: str, least: int, most: int | None = None) -> Any:
    words = arguments.words
    if not least <= len(words) <= (least if most is None else most):
        raise Failure(f"use: sonde session {usage} (see 'sonde session --help')")
    return words


_ACTIONS = {
    "start": _start,
    "plan": _plan,
    "failure": _failure,
    "more": _more,
    "show": _show,
    "end": _end,
}
