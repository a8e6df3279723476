"""A context pack as named sections of plain values, the same for every format."""

from __future__ import annotations

from collections.abc import Iterator

from sonde.pack.cards import qualified, visible_path
from sonde.pack.freshness import freshness
from sonde.pack.visible import one_line, visible
from sonde.session.context_pack import ContextPack, Detail, Piece, ShownFailure
from sonde.session.editor import Diagnosis, GitState

Node = str | int | list["Node"] | dict[str, "Node"]
Mapping = dict[str, Node]
_LINE = 300  # characters of a message or rule
_VALUE = 400  # characters of an expected or actual value


def sections(pack: ContextPack) -> list[tuple[str, Mapping]]:
    """Sections in reading order, each with what it holds; empty values are left out."""
    found: list[tuple[str, Mapping]] = [
        ("session", _session(pack)),
        ("task", _task(pack)),
        ("workspace", _workspace(pack)),
        ("artefacts", _artefacts(pack)),
        ("failures", {"failures": [_failure(each) for each in pack.failures]}),
        ("evidence", _evidence(pack)),
        ("history", {"history": _history(pack)}),
        (
            "notes",
            {"notes": _lines((*freshness(pack), *pack.notes)), "left_out": _lines(pack.left_out)},
        ),
    ]
    kept = [(name, _without_empty(values)) for name, values in found]
    return [(name, values) for name, values in kept if values]


def _without_empty(values: Mapping) -> Mapping:
    return {key: value for key, value in values.items() if value not in ("", [], {}, 0)}


def _session(pack: ContextPack) -> Mapping:
    return {
        "session": pack.session,
        "pass": f"{pack.number} {pack.kind}",
        "pack": pack.root,
    }


def _task(pack: ContextPack) -> Mapping:
    task = pack.task
    return {
        "goal": visible(task.goal).strip(),
        "slash_command": task.command,
        "acceptance_criteria": _lines(task.acceptance),
        "constraints": _lines(task.constraints),
        "steps": _lines(pack.steps),
    }


def _workspace(pack: ContextPack) -> Mapping:
    shown = pack.workspace
    return {
        "current_file": visible_path(shown.current_file),
        "selection": shown.selection,
        "shown": shown.part,
        "content": visible(shown.content).strip("\n"),
        "open_files": [visible_path(path) for path in shown.open_files],
        "diagnostics": [
            *(_diagnosis(each) for each in shown.diagnostics),
            *_lines((shown.more_diagnostics,)),
        ],
        "terminal_output": visible(shown.terminal).strip("\n"),
        **(_git(shown.git) if shown.git is not None else {}),
    }


def _diagnosis(each: Diagnosis) -> Mapping:
    severity = "" if each.severity == "error" else one_line(each.severity, 20)
    row: Mapping = {
        "file": visible_path(each.file),
        "line": each.line,
        "severity": severity,
        "message": one_line(each.message, _LINE),
    }
    return _without_empty(row)


def _git(git: GitState) -> Mapping:
    status: Mapping = {
        "branch": one_line(git.branch, 100),
        "modified_files": [visible_path(path) for path in git.modified],
    }
    return {"git_status": _without_empty(status), "git_diff": visible(git.diff).strip("\n")}


def _artefacts(pack: ContextPack) -> Mapping:
    rules = pack.rules
    return {
        "constitution": _lines(rules.constitution),
        "gotchas": _lines(rules.gotchas),
        "runbook": {one_line(name, 40): one_line(line, _LINE) for name, line in rules.runbook},
        "artefacts": rules.sent,
    }


def _failure(each: ShownFailure) -> Mapping:
    row: Mapping = {
        "test": one_line(each.test, _LINE),
        "file": visible_path(each.file),
        "line": each.line,
        "tool": each.tool,
        "message": one_line(each.message, _LINE),
        "expected": one_line(each.expected, _VALUE),
        "actual": one_line(each.actual, _VALUE),
    }
    return _without_empty(row)


def _evidence(pack: ContextPack) -> Mapping:
    return {
        "evidence": [piece_fields(piece) for piece in pack.evidence],
        "files": _lines(pack.summaries),
        "already_sent": _lines(pack.cited),
    }


def piece_fields(piece: Piece) -> Mapping:
    """One piece of evidence with its citation."""
    symbol = piece.symbol
    row: Mapping = {
        "file": visible_path(symbol.file),
        "lines": f"{symbol.start_line}-{symbol.end_line}",
        "symbol": qualified(symbol),
        "step": piece.step,
        "reason": piece.reason,
        "detail": "" if piece.detail is Detail.FULL else str(piece.detail),
        "content": piece.text,
    }
    return _without_empty(row)


def _history(pack: ContextPack) -> list[Node]:
    return [
        {"role": one_line(message.role, 20), "content": visible(message.content).strip("\n")}
        for message in pack.history
    ]


def _lines(values: tuple[str, ...]) -> list[Node]:
    return [line for line in _each(values) if line]


def _each(values: tuple[str, ...]) -> Iterator[str]:
    return (" ".join(visible(value).split()) for value in values)
