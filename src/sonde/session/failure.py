"""The third pass: raw output of a failed run → the failing tests, their subject, the trace."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from sonde.answers.edges import targets
from sonde.answers.results import NotFound, Refusal
from sonde.answers.runners import is_inline_test
from sonde.answers.spec_blocks import used_around
from sonde.failures import Failure, FailureReport, parse_output
from sonde.model import EdgeKind, Evidence, FileKind, Frame, Kind, Ranked, SymbolRecord
from sonde.pack.errors import BudgetTooSmall
from sonde.retrieve.frames import at_frame
from sonde.retrieve.view import View
from sonde.session import sources
from sonde.session.commands import Asked, Tier, gather
from sonde.session.context_pack import PassKind, ShownFailure, key_of
from sonde.session.dropped import Dropped
from sonde.session.evidence import FLOOR
from sonde.session.memory import Delivery
from sonde.session.retrieval import Retrieved
from sonde.session.subject import Subject
from sonde.session.turn import Done, Turn, not_in, with_evidence

_SHOWN = 20  # failures in full; the rest are counted
_LOOKED_AT = 40  # failures whose code is looked for
_FRAMES = 12  # of one failure
_SUBJECTS = 6  # of one failing test
_TRACE_SHARE = 0.35  # of the evidence's tokens, for what the output names
_TRACE_LEAST = 2_800  # tokens, as in the usual window: a smaller budget is better spent on it
_FURTHER_SHARE = 0.1  # and for what the task ranks next, as the cause is not always on the trace
_LATER = 0.9
_TEST_NAME = re.compile(r"[\w$]+(?=\W*$)")
_WORD = re.compile(r"[\w$]+")
_PARAMETERS = re.compile(r"\[.*\]$|\(.*\)$", re.S)
_DOING = frozenset({Kind.FUNCTION, Kind.METHOD})
_CHANGED = 3  # commits named for a file


def fail(turn: Turn, output: str | bytes) -> Done | Refusal | BudgetTooSmall:
    """The pack of a failure."""
    if not output.strip():
        return Refusal("the output is empty: pass what the failed command printed, errors too")
    report = parse_output(output)
    if not report.failures and report.cut and report.summary.startswith("refused"):
        return Refusal(f"the output cannot be read: {report.cut[0]}")
    report, warnings = _without_warnings(report)
    view = turn.state.view
    failing = _failing_tests(view, report)
    ranked, statistics = _ranked(turn, report, failing)
    question = _question(turn, report)
    # The task was ranked when it began, which is remembered for a while; messages only speak
    # where the output names no place.
    further = _next_best(turn, turn.record.passes[0].question if ranked else question)
    if not ranked and not report.failures and not further:
        return NotFound("the output names no test, file or symbol of this workspace: pass it whole")
    pack = turn.pack(PassKind.FAILURE, turn.again())
    rules = turn.rules(ranked, question)
    pack = replace(
        pack,
        rules=rules.rules,
        failures=tuple(_shown(view, each) for each in report.failures[:_SHOWN]),
        notes=(*pack.notes, *_notes(report), *warnings, *_recently(view, ranked)),
        statistics=(*statistics, ("next best of the task", float(len(further)))),
    )
    pack = with_evidence(pack, turn.changes())
    rest: tuple[str, ...] = ()
    for found, share, least in ((ranked, _TRACE_SHARE, _TRACE_LEAST), (further, _FURTHER_SHARE, 0)):
        room = min(turn.room(pack), max(round(turn.allowance.evidence * share), least))
        chosen = turn.chooser.choose(not_in(pack, found), room)
        pack = with_evidence(pack, chosen)
        rest = rest or chosen.rest
    delivery = Delivery(question, artefacts=rules.ids)
    return turn.finish(pack, Dropped(symbols=rest), delivery)


def _ranked(
    turn: Turn, report: FailureReport, failing: Mapping[int, str]
) -> tuple[tuple[Ranked, ...], tuple[tuple[str, float], ...]]:
    """Code on the trace, failing tests, what they test, what the output names."""
    view, editor = turn.state.view, turn.record.editor
    tests = view.records(list(failing))
    asked = (
        Asked("trace", Tier.IMMEDIATE, 1.0, sources.trace),
        Asked(
            "failing tests",
            Tier.IMMEDIATE,
            0.9,
            lambda _: _listed(view, dict([*failing.items()][:_SHOWN])),
        ),
        Asked("subject", Tier.SYMBOL, 0.8, lambda _: _subjects(view, tests)),
        Asked("used by failing blocks", Tier.SYMBOL, 0.8, lambda _: _of_blocks(view, report)),
        Asked("named in the output", Tier.SYMBOL, 0.6, lambda _: _named(view, report)),
    )
    frames = tuple(_frames(report))
    gathered = gather(asked, Subject(view, editor, None, frames, tuple(tests)))
    return turn.boosted(gathered.ranked), gathered.statistics


def _next_best(turn: Turn, question: str) -> tuple[Ranked, ...]:
    """What the task ranks high and the receiver lacks, as it had no room before."""
    retrieved = turn.retrieve(question)
    if not isinstance(retrieved, Retrieved):
        return ()
    ranked, record = retrieved.findings.definitions, turn.record
    least = FLOOR * ranked[0].score if ranked else 0.0
    new = [
        one
        for one in ranked
        if one.score >= least
        and key_of(one.symbol) not in record.sent
        and record.has(one.symbol, "") is None
    ]
    return turn.boosted(new)


def _question(turn: Turn, report: FailureReport) -> str:
    """The task with what the failures say."""
    said = [failure.message.split("\n", 1)[0] for failure in report.failures[:3]]
    said += [*report.leads.errors[:2], *report.leads.messages[:2], *report.leads.names[:6]]
    return "\n\n".join(part for part in (turn.record.task.question, "\n".join(said)) if part)


def _shown(view: View, failure: Failure) -> ShownFailure:
    return ShownFailure(
        failure.tool,
        failure.test,
        _here(view, failure.file),
        failure.line,
        failure.message,
        failure.expected,
        failure.actual,
    )


def _here(view: View, file: str) -> str:
    """A file as this workspace names it: outputs have the path of their machine or a package."""
    written = file.replace("\\", "/")
    paths = view.paths_ending(file) if file else []
    outer = [path for path in paths if written.endswith(f"/{path}")]
    inner = [path for path in paths if path.endswith(f"/{written}")]
    if outer:
        return outer[0]
    return inner[0] if len(inner) == 1 and written not in paths else file


def _notes(report: FailureReport) -> tuple[str, ...]:
    notes = [f"output cut: {what}" for what in report.cut[:3]]
    if len(report.failures) > _SHOWN:
        notes.append(f"{len(report.failures) - _SHOWN} more failures: {report.summary}")
    return tuple(notes)


def _without_warnings(report: FailureReport) -> tuple[FailureReport, tuple[str, ...]]:
    """Builds warn of much that did not make them fail: where something failed, only how often."""
    failed = tuple(each for each in report.failures if not each.is_warning)
    count = len(report.failures) - len(failed)
    if not failed or not count:
        return report, ()
    said = f"{count} warning{'s' * (count > 1)} in the output, not shown"
    return replace(report, failures=failed), (said,)


def _failing_tests(view: View, report: FailureReport) -> dict[int, str]:
    """The symbols of the failing tests and of the places that compilers and linters name, by id,
    and what the output says of each."""
    found: dict[int, str] = {}
    for failure in report.failures[:_LOOKED_AT]:
        severity = "warning" if failure.is_warning else "error"
        said = "fails in the output" if failure.test else f"{severity} at line {failure.line}"
        for record in _test_symbols(view, failure):
            found.setdefault(record.id, said)
    return found


def _test_symbols(view: View, failure: Failure) -> list[SymbolRecord]:
    test = _PARAMETERS.sub("", failure.test.strip())
    match = _TEST_NAME.search(test)
    name = match.group() if match else ""
    for path in view.paths_ending(failure.file)[:1] if failure.file else ():
        if name and (found := _called(view.records(view.named_in(path, name)), test)):
            return found
        id = view.running(path, failure.line) if failure.line else None
        if id is not None:
            return view.records([id])
    if not name or failure.file:
        return []
    records = view.records(view.ids_named(name.lower()))
    tests = [r for r in records if r.name == name and r.file_kind is FileKind.TEST]
    return _called(tests, test)


def _called(records: Sequence[SymbolRecord], test: str) -> list[SymbolRecord]:
    """Of the tests of one name that whose owner the runner names too, else the first."""
    words = set(_WORD.findall(test))
    tests = [record for record in records if record.kind is not Kind.MODULE]
    owned = [each for each in tests if words.issuperset(each.qualname.split("."))]
    return (sorted(owned, key=lambda each: -len(each.qualname)) or tests)[:1]


def _frames(report: FailureReport) -> Iterable[Frame]:
    """Frames of all failures: the innermost of each first, so that no failure hides another."""
    traces = [failure.frames[:_FRAMES] for failure in report.failures[:_LOOKED_AT]]
    traces.append(report.leads.frames[:_FRAMES])
    seen: dict[Frame, None] = {}
    for depth in range(_FRAMES):
        for trace in traces:
            if depth < len(trace):
                seen.setdefault(trace[depth])
    return seen


def _subjects(view: View, tests: Sequence[SymbolRecord]) -> list[Ranked]:
    """What the failing tests test, then what they call."""
    graph = view.index.graph
    found: dict[int, str] = {}
    for test in tests[:_LOOKED_AT]:
        if test.file_kind is not FileKind.TEST and not is_inline_test(test):
            continue
        tested = targets(graph, test.id, EdgeKind.TESTS)
        called = targets(graph, test.id, EdgeKind.CALLS)
        reached = view.records([*view.by_place(tested), *view.by_place(called)])
        # Code that acts comes before what it acts on.
        reached.sort(key=lambda record: (record.kind not in _DOING, record.name == "__init__"))
        for record in reached[:_SUBJECTS]:
            if not view.is_test(record.id) and not is_inline_test(record):
                found.setdefault(record.id, f"tested by {test.name}")
    return _listed(view, found)


def _of_blocks(view: View, report: FailureReport) -> list[Ranked]:
    """What failing tests use that are no definitions (Jest, Vitest, Mocha, RSpec)."""
    found: dict[int, str] = {}
    for failure in report.failures[:_LOOKED_AT]:
        for path in view.paths_ending(failure.file)[:1] if failure.file else ():
            for id in used_around(view, path, failure.line)[:_SUBJECTS]:
                found.setdefault(id, f"used around the failing test at line {failure.line}")
    return _listed(view, found)


def _named(view: View, report: FailureReport) -> list[Ranked]:
    """What output of no known tool names: symbols, and definitions at its paths."""
    found: dict[int, str] = {}
    for name in (*report.leads.names, *report.leads.errors):
        for record in view.defined(name.rpartition(".")[2])[:2]:
            found.setdefault(record.id, f"the output names {record.name}")
    for frame in (Frame(path) for path in report.leads.paths):
        for id, _ in at_frame(frame, view):
            found.setdefault(id, f"the output names {frame.file}")
    return _listed(view, found)


def _listed(view: View, reasons: dict[int, str]) -> list[Ranked]:
    return [
        Ranked(record, _LATER**place, evidence=(Evidence("failure", 1, 1.0, reasons[record.id]),))
        for place, record in enumerate(view.records(list(reasons)))
        if record.kind is not Kind.MODULE
    ]


def _recently(view: View, ranked: Sequence[Ranked]) -> tuple[str, ...]:
    """The last commits that changed the files of the trace."""
    if view.history is None:
        return ()
    files = list(dict.fromkeys(one.symbol.file for one in ranked[:_FRAMES]))[:_CHANGED]
    found = []
    for path in files:
        if last := view.history.last_change(path, frozenset()):
            found.append(f"{path} last changed by {last[0].sha[:10]}: {last[0].subject}")
    return tuple(found)
