"""Sources of evidence, one function each: a subject in, ranked symbols with reasons out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

import numpy

from sonde.answers import support
from sonde.answers.changes import ChangeSet, changes_in
from sonde.answers.edges import sources as edge_sources
from sonde.answers.edges import targets
from sonde.answers.files import file_symbols
from sonde.model import (
    CALLABLE_KINDS,
    EdgeKind,
    Evidence,
    FileKind,
    Kind,
    Ranked,
    SymbolRecord,
)
from sonde.retrieve.frames import at_frame
from sonde.retrieve.text import matching_lines
from sonde.retrieve.view import View
from sonde.session.subject import Subject
from sonde.store.rows import FILE_KINDS, KIND_NUMBER

Found = list[Ranked]
_MOST = 20  # of one source
_FRAMES = 12
_LATER = 0.9  # what each hit of an ordered source counts, relative to the one before
_USED = (EdgeKind.CALLS, EdgeKind.REFERENCES, EdgeKind.TYPE_HINT_OF, EdgeKind.EXTENDS)
_TYPES = (EdgeKind.TYPE_HINT_OF, EdgeKind.EXTENDS, EdgeKind.IMPLEMENTS)
_MARKS = ("TODO", "FIXME")
_SIBLINGS = 12  # files of a folder whose tests show how tests are written


def diagnostics(subject: Subject) -> Found:
    """The definitions around each diagnostic."""
    pairs = []
    for each in subject.editor.diagnostics:
        id = subject.view.running(each.file, each.line)
        if id is not None:
            pairs.append((id, f"{each.severity} at line {each.line}"))
    return _ordered(subject.view, pairs)


def trace(subject: Subject) -> Found:
    """The definitions on the frames of a trace, innermost first."""
    pairs = [pair for frame in subject.frames[:_FRAMES] for pair in at_frame(frame, subject.view)]
    return _ordered(subject.view, pairs)


def selection(subject: Subject) -> Found:
    """What is selected, or the current file's definitions."""
    word = "selected" if subject.editor.selection is not None else "in the current file"
    return _ordered(subject.view, [(record.id, word) for record in subject.chosen])


def diff(subject: Subject) -> Found:
    """What changed since the last commit."""
    git = subject.editor.git
    if git is None or not git.diff.strip():
        return []
    changed = changes_in(subject.view, patch=git.diff)
    if not isinstance(changed, ChangeSet):
        return []
    pairs = [
        (each.symbol.id, f"changed in {each.lines} line{'s' * (each.lines > 1)}")
        for each in changed.symbols
    ]
    return _ordered(subject.view, pairs)


def named(subject: Subject) -> Found:
    """What the terms of the task and of its errors find in names, text, docs and history."""
    return list(subject.retrieved.findings.definitions) if subject.retrieved else []


def marks(subject: Subject) -> Found:
    """TODO and FIXME comments, when the task speaks of them."""
    text = subject.retrieved.query.text if subject.retrieved else ""
    pairs = []
    for mark in _MARKS:
        if mark.lower() in text.lower():
            for path, line in matching_lines(subject.view.index.workspace.root, mark) or ():
                id = subject.view.running(path, line)
                if id is not None:
                    pairs.append((id, f"{mark} at line {line}"))
    return _ordered(subject.view, pairs)


def imports(subject: Subject) -> Found:
    """What the current file uses of other files, most used first."""
    path = subject.editor.current_file
    graph = subject.view.index.graph
    uses: Counter[int] = Counter()
    for id in subject.view.index.ids_in_file(path) if path else ():
        uses.update(targets(graph, id, *_USED))
    ids = sorted(subject.view.by_place(uses), key=lambda id: -uses[id])
    found = [record for record in subject.view.records(ids) if record.file != path]
    return _ordered(subject.view, [(r.id, f"used {uses[r.id]} × here") for r in found])


def importers(subject: Subject) -> Found:
    """Files that import the current one; shown as summaries."""
    record = subject.view.index.file_record(subject.editor.current_file)
    if record is None:
        return []
    ids = {
        int(subject.view.index.graph.columns.file[id])
        for id in edge_sources(subject.view.index.graph, record.module, EdgeKind.IMPORTS)
    }
    files = [file for id, file in subject.view.files.items() if id in ids]
    name = record.path.rpartition("/")[2]
    return _ordered(subject.view, [(file.module, f"imports {name}") for file in files])


def callers(subject: Subject) -> Found:
    """Who calls what the task is about."""
    if not subject.chosen and subject.retrieved is not None:
        return list(subject.retrieved.findings.callers)
    return support.callers(subject.view, subject.about, _walked(subject))


def callees(subject: Subject) -> Found:
    """What the subject calls, in order of appearance."""
    return _reached(subject, (EdgeKind.CALLS,), "called by")


def types(subject: Subject) -> Found:
    """Types that the subject names or extends."""
    return _reached(subject, _TYPES, "type in")


def related_tests(subject: Subject) -> Found:
    """Tests of what the task is about."""
    if not subject.chosen and subject.retrieved is not None:
        return list(subject.retrieved.findings.tests)
    return support.tests(subject.view, subject.about, _walked(subject))


def test_utilities(subject: Subject) -> Found:
    """Fixtures and helpers that tests near the subject use most."""
    view = subject.view
    near = [one.symbol for one in related_tests(subject)]
    used: Counter[int] = Counter()
    for test in near:
        used.update(targets(view.index.graph, test.id, EdgeKind.CALLS, EdgeKind.REFERENCES))
    ids = sorted(view.by_place(used), key=lambda id: -used[id])
    helpers = [record for record in view.records(ids) if _is_test_utility(record)]
    pairs = [(record.id, f"used by {used[record.id]} tests of it") for record in helpers]
    return _ordered(view, pairs or _popular_utilities(view))


def similar_tests(subject: Subject) -> Found:
    """Tests of the files beside the subject's, which show how tests are written here."""
    view = subject.view
    folders = {record.file.rpartition("/")[0] for record in subject.about}
    own = {record.file for record in subject.about}
    beside = [
        file.path
        for file in view.files.values()
        if file.path.rpartition("/")[0] in folders
        and file.path not in own
        and file.kind is not FileKind.TEST
    ]
    around = [one.symbol for one in file_symbols(view, beside[:_SIBLINGS])[:_MOST]]
    return support.tests(view, around, _walked(subject))


def similar(subject: Subject) -> Found:
    """Code that resembles the subject."""
    return _reached(subject, (EdgeKind.SIMILAR_TO,), "similar to")


def _is_test_utility(record: SymbolRecord) -> bool:
    return (
        record.file_kind is FileKind.TEST
        and record.kind in CALLABLE_KINDS
        and not record.name.lower().startswith(("test", "it_", "should"))
    )


def _popular_utilities(view: View) -> Iterable[tuple[int, str]]:
    """Without tests of the subject: the helpers that most tests call."""
    columns = view.index.graph.columns
    arriving = view.arriving((EdgeKind.CALLS,))
    callable_ = [KIND_NUMBER[kind] for kind in CALLABLE_KINDS]
    wanted = (columns.file_kind == FILE_KINDS.index(FileKind.TEST)) & (arriving > 1)
    ids = numpy.flatnonzero(wanted & numpy.isin(columns.kind, callable_))
    order = view.index.in_order(ids, -arriving[ids])[: 4 * _MOST]
    records = [record for record in view.records(order) if _is_test_utility(record)]
    return [(r.id, f"called by {int(arriving[r.id])} tests") for r in records]


def _reached(subject: Subject, kinds: Sequence[EdgeKind], verb: str) -> Found:
    graph = subject.view.index.graph
    own = {record.id for record in subject.about}
    pairs = []
    for record in subject.about:
        ids = subject.view.by_place(targets(graph, record.id, *kinds))
        pairs += [(id, f"{verb} {record.name}") for id in ids if id not in own]
    return _ordered(subject.view, pairs)


def _walked(subject: Subject) -> dict[int, float]:
    weights = subject.retrieved.findings.weights if subject.retrieved else None
    return dict(weights or {})


def _ordered(view: View, pairs: Iterable[tuple[int, str]]) -> Found:
    """Symbols in the order given, each once, counting less from one to the next."""
    reasons: dict[int, str] = {}
    for id, reason in pairs:
        reasons.setdefault(id, reason)
    ids = list(reasons)[:_MOST]
    return [
        Ranked(record, _LATER**place, evidence=(Evidence("source", 1, 1.0, reasons[record.id]),))
        for place, record in enumerate(view.records(ids))
        if record.kind is not Kind.MODULE or reasons[record.id].startswith("imports")
    ]


Source = Callable[[Subject], Found]
