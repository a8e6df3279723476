"""The first pass: a task and what the editor knows → everything to begin with."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from sonde.answers.results import Refusal
from sonde.model import Frame, Intent, Ranked
from sonde.pack.errors import BudgetTooSmall
from sonde.pack.visible import visible
from sonde.session.commands import COMMANDS, Gathered, gather
from sonde.session.context_pack import PassKind, Shown
from sonde.session.current_file import CurrentFile
from sonde.session.dropped import Dropped
from sonde.session.editor import Diagnosis, Editor, GitState, Message
from sonde.session.memory import Delivery
from sonde.session.retrieval import Retrieved
from sonde.session.subject import Subject, chosen_symbols
from sonde.session.task import TaskSpec, with_command
from sonde.session.trimmed import beginning, ending
from sonde.session.turn import Done, Turn, with_evidence
from sonde.understand.traces import read_traces

_MESSAGES = 5  # of the conversation
_DIAGNOSTICS = 50  # in full; more are counted
_OPEN_FILES = 30
_MODIFIED = 30
_TERMINAL_LOOKED_AT = 8_000  # characters of its end that are searched for
_CURRENT_SHARE = 3  # a large window gives the current file up to a third
# Lines of a diff before those that name the file again; a short diff was cut before its changes.
_REPEATED = re.compile(
    r"^diff --git .*\n(?:index .*\n)?(?=--- |Binary |(?:rename|copy) from )", re.M
)
_DIFF_SHARE, _TERMINAL_SHARE = 0.5, 0.5  # of the workspace's tokens


def start(turn: Turn, history: Sequence[Message]) -> Done | Refusal | BudgetTooSmall:
    """The pack of a task that begins."""
    record = turn.record
    editor = record.editor
    question = question_of(record.task, editor)
    retrieved = turn.retrieve(question)
    if isinstance(retrieved, Refusal):
        if not editor.current_file:
            return retrieved
        found = None
    else:
        found = retrieved
    intent = found.query.intent if found is not None else Intent.DEFINITION_LOOKUP
    task = with_command(record.task, intent)
    turn = replace(turn, record=replace(record, task=task))
    gathered = gather_for(turn, task.command, found)
    ranked = turn.boosted(gathered.ranked)
    pack = turn.pack(PassKind.START, _shortened(turn, task))
    shown, current = shown_workspace(turn, editor, ranked)
    rules = turn.rules(ranked, question)
    pack = replace(
        pack,
        workspace=shown,
        rules=rules.rules,
        history=_recent(turn, history),
        statistics=gathered.statistics,
    )
    beside = [(editor.current_file, first, last) for first, last in shown.spans]
    chosen = turn.chooser.choose(ranked, turn.room(pack), shown=beside)
    pack = with_evidence(pack, chosen)
    texts = {f"file {editor.current_file}": current.text} if current is not None else {}
    dropped = Dropped(len(history) - len(pack.history), chosen.rest, other=rules.left)
    delivery = Delivery(question, texts=texts, artefacts=rules.ids)
    return turn.finish(pack, dropped, delivery, current)


def question_of(task: TaskSpec, editor: Editor) -> str:
    """The task with the error texts that come with it."""
    said = [each.message for each in editor.diagnostics[:_DIAGNOSTICS]]
    parts = (task.question, "\n".join(said), editor.terminal[-_TERMINAL_LOOKED_AT:])
    return "\n\n".join(part for part in parts if part.strip())


def gather_for(turn: Turn, command: str, found: Retrieved | None) -> Gathered:
    """What the sources of a command find."""
    view, editor = turn.state.view, turn.record.editor
    frames = found.query.frames if found is not None else _frames(editor)
    subject = Subject(view, editor, found, frames, chosen_symbols(view, editor))
    return gather(COMMANDS[command], subject)


def _frames(editor: Editor) -> tuple[Frame, ...]:
    return read_traces(editor.terminal[-_TERMINAL_LOOKED_AT:]).frames


def _shortened(turn: Turn, task: TaskSpec) -> TaskSpec:
    """The task within its share: criteria and constraints in full, the beginning of the goal."""
    counter = turn.counter
    lines = map(visible, (*task.acceptance, *task.constraints))
    fixed = sum(counter.count(line) + 2 for line in lines)
    room = max(turn.allowance.task - fixed, turn.allowance.task // 2)
    return replace(task, goal=beginning(task.goal, max(room, 24), counter))


def shown_workspace(
    turn: Turn, editor: Editor, ranked: Sequence[Ranked]
) -> tuple[Shown, CurrentFile | None]:
    """The editor's state within its share; the current file is cited when it was sent."""
    allowed, counter = turn.allowance, turn.counter
    current = None
    listed, more = _diagnosed(editor)
    shown = Shown(
        current_file=editor.current_file,
        selection="lines {}-{}".format(*editor.selection) if editor.selection else "",
        open_files=editor.open_files[:_OPEN_FILES],
        diagnostics=listed,
        more_diagnostics=more,
        terminal=ending(editor.terminal, int(allowed.workspace * _TERMINAL_SHARE), counter),
        git=_git(turn, editor.git),
    )
    if editor.current_file:
        current = CurrentFile(turn.state.view, editor, ranked, counter)
        if turn.record.already(f"file {editor.current_file}", current.text):
            return replace(shown, part="sent before, unchanged"), None
        room = allowed.available // _CURRENT_SHARE if allowed.large else allowed.workspace
        part = current.part(room)
        shown = replace(shown, content=part.text, part=part.note, spans=part.spans)
    return shown, current


def _diagnosed(editor: Editor) -> tuple[tuple[Diagnosis, ...], str]:
    """Diagnostics, those of the current file first; beyond fifty only their number."""

    def order(each: Diagnosis) -> tuple[bool, bool, str, int]:
        return each.file != editor.current_file, each.severity != "error", each.file, each.line

    listed = sorted(dict.fromkeys(editor.diagnostics), key=order)
    more = listed[_DIAGNOSTICS:]
    files = len({each.file for each in more})
    line = f"{len(more)} more in {files} file{'s' * (files > 1)}" if more else ""
    return tuple(listed[:_DIAGNOSTICS]), line


def _git(turn: Turn, git: GitState | None) -> GitState | None:
    if git is None:
        return None
    room = int(turn.allowance.workspace * _DIFF_SHARE)
    diff = beginning(_REPEATED.sub("", git.diff), room, turn.counter)
    return GitState(git.branch, git.modified[:_MODIFIED], diff)


def _recent(turn: Turn, history: Sequence[Message]) -> tuple[Message, ...]:
    """The last messages within their share, newest kept first."""
    room = turn.allowance.history
    kept: list[Message] = []
    for message in reversed(history[-_MESSAGES:]):
        content = beginning(message.content, room, turn.counter)
        if not content:
            break
        room -= turn.counter.count(content) + 6
        kept.append(Message(message.role, content))
    return tuple(reversed(kept))
