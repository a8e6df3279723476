"""Which tests to run for some files or a diff, and what cannot be known."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from sonde.answers.changes import changes_in, known_files
from sonde.answers.edges import is_module, is_test, sources
from sonde.answers.impact import Reached, reach
from sonde.answers.outdated import outdated
from sonde.answers.removed import FormerUse
from sonde.answers.results import Refusal, TestCase, TestsAnswer
from sonde.answers.runners import (
    commands,
    inline_tests,
    is_inline_test,
    is_set_up,
    node_id,
    runs,
    stands_for_file,
    without_command,
)
from sonde.answers.spec_files import spec_files
from sonde.answers.state import State
from sonde.answers.whole_suite import whole_suite
from sonde.model import (
    CALLABLE_KINDS,
    CONFIDENCE,
    EdgeKind,
    FileKind,
    Kind,
    Provenance,
    RefKind,
    SymbolRecord,
)
from sonde.pack.visible import one_line
from sonde.retrieve.view import View

_DEPTH = 4  # calls between a test and what it covers; further is integration
_BY_NAME = CONFIDENCE[Provenance.NAMING]  # of a spec named after the file of what changed
_THROUGH = "reaches the change through"  # of a test that does not itself use it
_IMPORTED = 0.4  # confidence of a test file that only imports a changed one
_BY_DOUBLE = 0.7  # confidence that a test which creates a double has its members called
_LEAST = 0.2
_MOST = 400
_NAMED = 5
_LONGEST = 200  # characters of a command
_NONE_KNOWN = "no test is known to reach the change: run the whole suite"
_ALWAYS_UNKNOWN = (
    "tests that reach the code by names built at run time, fixtures, reflection or other"
    " processes are not seen"
)


def answer_tests(
    state: State, *, files: Sequence[str] = (), diff: str | None = None
) -> TestsAnswer | Refusal:
    """Tests for files, a patch, or a range of commits (a `diff` of one line), surest first."""
    view = state.view
    if bool(files) == (diff is not None):
        return Refusal("give either files or a diff: tests are chosen for one of them")
    notes: tuple[str, ...] = ()
    former: tuple[FormerUse, ...] = ()
    if diff is not None:
        is_range = bool(diff.strip()) and "\n" not in diff.strip()
        found = changes_in(view, commits=diff) if is_range else changes_in(view, patch=diff)
        if isinstance(found, Refusal):
            return found
        changed = [one.symbol for one in found.symbols]
        paths, notes, former = list(found.files), found.notes, found.former_users
    else:
        known = known_files(view, files)
        if isinstance(known, Refusal):
            return known
        paths = known
        ids = [id for path in paths for id in view.index.ids_in_file(path)]
        changed = view.records(ids)
    subjects = _subjects(view, changed)
    reached = _reached(view, subjects)
    found_cases = _cases(view, changed, paths, subjects, reached, former)
    cases = found_cases[:_MOST]
    if len(found_cases) > _MOST:
        notes = (*notes, _more(len(found_cases) - _MOST))
    unknown = _unknown(view, changed, cases, paths, reached)
    return TestsAnswer(
        tuple(cases),
        tuple(sorted({case.file for case in cases})),
        tuple(commands(view, cases)),
        (*notes, *unknown, *without_command(view, cases), _ALWAYS_UNKNOWN),
        *outdated(state, [*paths, *(case.file for case in cases)]),
    )


def _more(count: int) -> str:
    return f"{count} more tests reach the change, less surely than the {_MOST} that are listed"


def _cases(
    view: View,
    changed: Sequence[SymbolRecord],
    paths: Sequence[str],
    subjects: Sequence[int],
    reached: Mapping[int, Reached],
    former: Sequence[FormerUse],
) -> list[TestCase]:
    """First tests found by resolved calls and naming, then files that import what changed."""
    cases = {(case.file, case.node): case for case in _changed_tests(view, changed)}
    for record, reason, confidence in _tests_reached(view, reached):
        _put(cases, record, reason, confidence)
    for use in former:
        if runs(view, use.symbol):
            _put(cases, use.symbol, use.reason, _BY_NAME)
    for record in [each for each in changed[:_MOST] if each.kind in CALLABLE_KINDS]:
        specs, subject = spec_files(view, record)
        for module in view.records(specs):
            if runs(view, module):
                _put(cases, module, f"tests {subject}", _BY_NAME)
    direct = {case.file for case in cases.values()}
    modules = [_module(view, path) for path in paths]
    for record in view.records(_importers(view, [*modules, *subjects])):
        if record.file not in direct and runs(view, record):
            _put(cases, record, "imports what changed", _IMPORTED)
    single = {case.file for case in cases.values() if case.node != case.file}
    chosen = [
        case
        for case in cases.values()
        if case.node != case.file or case.file not in single or case.confidence == 1.0
    ]
    return sorted(chosen, key=_surest_and_nearest_first)


def _surest_and_nearest_first(case: TestCase) -> tuple[float, bool, str, int, str]:
    indirect = case.reason.startswith(_THROUGH)
    return -case.confidence, indirect, case.file, case.line, case.node


def _subjects(view: View, changed: Sequence[SymbolRecord]) -> list[int]:
    """Changed symbols that tests may reach: code, and helpers of the tests."""
    return [
        record.id
        for record in changed
        if record.kind is not Kind.MODULE
        and not is_inline_test(record)
        and (record.file_kind is not FileKind.TEST or not runs(view, record))
    ]


def reaching_tests(view: View, starts: Sequence[int]) -> list[tuple[SymbolRecord, str, float]]:
    """Tests that reach these symbols by resolved calls and naming, with reason and confidence."""
    return _tests_reached(view, _reached(view, starts))


def _reached(view: View, starts: Sequence[int]) -> dict[int, Reached]:
    return reach(view, starts, _DEPTH, (EdgeKind.TESTS,)) if starts else {}


def _tests_reached(
    view: View, found: Mapping[int, Reached]
) -> list[tuple[SymbolRecord, str, float]]:
    reached = _in_tests(view, found)
    names = {r.id: r.qualname for r in view.records([found[id].via for id in reached])}
    rows: dict[int, tuple[SymbolRecord, str, float]] = {}
    for record in view.records(reached):
        how = found[record.id]
        reason, sure = _reason(how, names.get(how.via, "")), how.confidence
        tests = [record]
        if not runs(view, record) and stands_for_file(record):
            module = _file_of(view, record)
            tests = [module] if module is not None else []
        elif not runs(view, record):
            tests, sure = _with_double(view, record), sure * _BY_DOUBLE
            reason = f"{_THROUGH} {record.qualname}"
        for test in tests:
            if test.id not in rows or sure > rows[test.id][2]:
                rows[test.id] = test, reason, round(sure, 3)
    return list(rows.values())


def _with_double(view: View, member: SymbolRecord) -> list[SymbolRecord]:
    """The tests that create the type in a test file whose member this is: others call it."""
    if member.kind not in CALLABLE_KINDS or not member.parent:
        return []
    users = sources(view.index.graph, member.parent, EdgeKind.CALLS)
    return [each for each in view.records(view.by_place(set(users))) if runs(view, each)]


def _file_of(view: View, record: SymbolRecord) -> SymbolRecord | None:
    (module,) = view.records([_module(view, record.file)]) or (None,)
    return module if module is not None and runs(view, module) else None


def _in_tests(view: View, found: Mapping[int, Reached]) -> list[int]:
    near = [id for id, how in found.items() if how.depth and how.confidence >= _LEAST]
    return view.by_place(_tests_among(view, near))


def _tests_among(view: View, ids: Iterable[int]) -> set[int]:
    """The symbols that are in test files, or are tests beside the code."""
    graph = view.index.graph
    ids = list(ids)
    return {
        *(id for id in ids if is_test(graph, id)),
        *(record.id for record in inline_tests(view, ids)),
    }


def _changed_tests(view: View, changed: Sequence[SymbolRecord]) -> list[TestCase]:
    """Tests that were changed themselves; a changed helper selects its whole file."""
    own = [
        record for record in changed if record.file_kind is FileKind.TEST or is_inline_test(record)
    ]
    cases: dict[tuple[str, str], TestCase] = {}
    for record in own:
        if record.kind is not Kind.MODULE and runs(view, record):
            _put(cases, record, "changed itself", 1.0)
    inside = {case.file for case in cases.values()}
    for file in dict.fromkeys(record.file for record in own if record.file not in inside):
        (module,) = view.records([_module(view, file)])
        if runs(view, module):
            _put(cases, module, "changed itself", 1.0)
    return list(cases.values())


def _module(view: View, path: str) -> int:
    record = view.file_at(path)
    return record.module if record is not None else 0


def _put(
    cases: dict[tuple[str, str], TestCase], record: SymbolRecord, reason: str, confidence: float
) -> None:
    node = node_id(record)
    key = record.file, node  # names alone may be those of tests in several files
    known = cases.get(key)
    if known is None or confidence > known.confidence:
        cases[key] = TestCase(
            record.file, node, record.start_line, record.language, reason, confidence
        )


def _reason(how: Reached, via: str) -> str:
    verb = {EdgeKind.TESTS: "tests", EdgeKind.CALLS: "calls"}.get(how.kind, "uses")
    if how.depth == 1:
        return f"{verb} {via}"
    return f"{_THROUGH} {via}"


def _importers(view: View, ids: Iterable[int]) -> list[int]:
    graph = view.index.graph
    found = {
        source
        for id in ids
        for source in sources(graph, id, EdgeKind.IMPORTS, EdgeKind.TESTS)
        if is_test(graph, source) and is_module(graph, source)
    }
    return view.by_place(found)


def _unknown(
    view: View,
    changed: Sequence[SymbolRecord],
    cases: Sequence[TestCase],
    paths: Sequence[str],
    reached: Mapping[int, Reached],
) -> list[str]:
    found = []
    if not cases:
        command = one_line(whole_suite(view, paths), _LONGEST)
        found.append(f"{_NONE_KNOWN} by `{command}`" if command else _NONE_KNOWN)
    found += _set_ups(view, changed, reached)
    untested = _untested(view, changed)
    if untested:
        found.append(f"no test is known for {_listed(untested)}")
    names = {
        use.name
        for record in changed[:_MOST]
        if record.kind in CALLABLE_KINDS
        for use in view.index.unresolved_from(record.id)
        if use.kind is RefKind.CALL and use.candidates
    }
    if names:
        found.append(f"calls that could not be resolved: {_listed(sorted(names))}")
    return found


def _set_ups(
    view: View, changed: Sequence[SymbolRecord], reached: Mapping[int, Reached]
) -> list[str]:
    """Test set-up files that are part of the change, or reach it."""
    records = [*changed, *view.records(_in_tests(view, reached))]
    files = sorted({record.file for record in records if is_set_up(record.file)})
    return [f"which tests rest on what {file} sets up" for file in files[:_NAMED]]


def _untested(view: View, changed: Sequence[SymbolRecord]) -> list[str]:
    """Changed functions that no test reaches by resolved calls, each name once."""
    subjects = [
        record
        for record in changed[:_MOST]
        if record.kind in CALLABLE_KINDS
        and (record.params or record.kind is not Kind.MACRO)  # a switch runs nothing
        and record.file_kind is not FileKind.TEST
        and not is_inline_test(record)
    ]
    tests = _tests_among(view, _reached(view, [record.id for record in subjects]))
    found = [r.qualname for r in subjects if tests.isdisjoint(_reached(view, [r.id]))]
    return list(dict.fromkeys(found))


def _listed(names: Sequence[str]) -> str:
    rest = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return ", ".join(names[:_NAMED]) + rest
