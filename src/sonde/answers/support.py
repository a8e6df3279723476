"""The surroundings of the symbols a question is about: tests, callers, members, imports."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy

from sonde.answers.edges import marked, only, sources, targets
from sonde.answers.runners import has_inline_tests, inline_tests, runs
from sonde.answers.spec_files import spec_files
from sonde.model import (
    CALLABLE_KINDS,
    CONFIDENCE,
    EdgeKind,
    Evidence,
    FileKind,
    Provenance,
    Ranked,
    SymbolRecord,
)
from sonde.retrieve.view import View, name_words
from sonde.retrieve.walk import edges_of

_SCANNED = 400  # callers or tests of one symbol that are considered at all
_MOST = 20
_MOST_TESTS = 60  # whose names are looked at
_SAME_FILE = 0.5
_SAME_FOLDER = 0.25
_LATER_TARGET = 0.8  # each further target's callers count less than those of the one before
# Relations worth a line of their own; the others repeat these or are guesses.
_SHOWN_RELATIONS = numpy.zeros(256, dtype=bool)
_SHOWN_RELATIONS[
    [
        EdgeKind.CALLS,
        EdgeKind.EXTENDS,
        EdgeKind.IMPLEMENTS,
        EdgeKind.OVERRIDES,
        EdgeKind.TYPE_HINT_OF,
        EdgeKind.DECORATES,
        EdgeKind.THROWS,
        EdgeKind.ACCESSES_FIELD,
        EdgeKind.TESTS,
        EdgeKind.REFERENCES,
    ]
] = True
_RELATION_NAMES = tuple(kind.name.lower() for kind in EdgeKind)
_MENTION = _RELATION_NAMES[EdgeKind.REFERENCES]
_SURE = numpy.zeros(256, dtype=bool)
_SURE[[each for each, sure in CONFIDENCE.items() if sure >= CONFIDENCE[Provenance.NAMING]]] = True


def callers(
    view: View, around: Sequence[SymbolRecord], weights: Mapping[int, float]
) -> list[Ranked]:
    """Callers of these symbols, nearest to the task first, without tests."""
    return _users(view, around, weights, tests=False)


def tests(view: View, around: Sequence[SymbolRecord], weights: Mapping[int, float]) -> list[Ranked]:
    """Tests of these symbols, nearest to the task first; mere test helpers come last."""
    found = _users(view, around, weights, tests=True)
    told = {one.evidence[0].reason for one in found}
    subjects = {reason: set(name_words(reason.removeprefix("tests "))) for reason in told}
    weighed = [
        Ranked(
            one.symbol,
            one.score * _meant(view, one.symbol, subjects[one.evidence[0].reason]),
            evidence=one.evidence,
        )
        for one in found
    ]
    return sorted(weighed, key=lambda one: -one.score)[:_MOST]


def _meant(view: View, test: SymbolRecord, subject: set[str]) -> float:
    """How clearly a test targets its subject: by name and file, and whether a runner runs it."""
    named = {*name_words(test.qualname), *name_words(test.file.rpartition("/")[2])}
    likeness = 1.0 + len(subject & named) / max(1, len(subject))
    return likeness if test.kind not in CALLABLE_KINDS or runs(view, test) else likeness / 2


def _users(
    view: View,
    around: Sequence[SymbolRecord],
    weights: Mapping[int, float],
    *,
    tests: bool,
) -> list[Ranked]:
    """What tests the symbols, or else calls them; `weights` gives the walk's score for each."""
    graph = view.index.graph
    kind, verb = (EdgeKind.TESTS, "tests") if tests else (EdgeKind.CALLS, "calls")
    better: set[int] = set()  # a target that uses a better target still counts as its user
    best: dict[int, tuple[float, str]] = {}
    for place, symbol in enumerate(around):
        found = only(graph, sources(graph, symbol.id, kind), tests=tests)
        better.add(symbol.id)
        specs, subject = spec_files(view, symbol) if tests else ([], "")
        found = _weighed(view, (id for id in found if id not in better), weights)
        if tests:
            if has_inline_tests(view):
                calling = _weighed(view, sources(graph, symbol.id, EdgeKind.CALLS), weights)
                found += [record.id for record in inline_tests(view, calling)]
            found += specs
        else:
            beside = {record.id for record in inline_tests(view, found)}
            found = [id for id in found if id not in beside]
        files = graph.columns.file[found].tolist() if found else []
        near = {file: _nearness(view, file, symbol) for file in set(files)}
        for id, file in zip(found, files, strict=True):
            score = _LATER_TARGET**place * (1.0 + weights.get(id, 0.0) + near[file])
            if score > best.get(id, (0.0, ""))[0]:
                name = subject if id in specs else symbol.name
                best[id] = (score, f"{verb} {name}")
    order = sorted(best, key=lambda id: -best[id][0])[: _MOST_TESTS if tests else _MOST]
    return [
        Ranked(record, score, evidence=(Evidence(verb, place, score, reason),))
        for place, record in enumerate(view.records(order), 1)
        for score, reason in (best[record.id],)
    ]


def _weighed(view: View, ids: Iterable[int], weights: Mapping[int, float]) -> list[int]:
    """By place; if there are very many, those that the walk visited most."""
    found = view.by_place(ids)
    if len(found) > _SCANNED:
        found = sorted(found, key=lambda id: -weights.get(id, 0.0))[:_SCANNED]
    return found


def _nearness(view: View, number: int, symbol: SymbolRecord) -> float:
    file = view.files.get(number)
    if file is None:
        return 0.0
    if file.path == symbol.file:
        return _SAME_FILE
    return _SAME_FOLDER if _folder(file.path) == _folder(symbol.file) else 0.0


def _folder(path: str) -> str:
    return path.rpartition("/")[0]


def members(view: View, owner: SymbolRecord, weights: Mapping[int, float]) -> list[SymbolRecord]:
    """What a symbol contains: first what the walk visited, then public callables.

    What extends it from outside comes last. Tests that a macro turns into members of their
    namesake count only as tests.
    """
    ids = targets(view.index.graph, owner.id, EdgeKind.CONTAINS) or view.index.members(owner.id)

    def importance(record: SymbolRecord) -> tuple[bool, float, bool, bool, str, int]:
        return (
            not record.qualname.startswith(f"{owner.qualname}."),
            -weights.get(record.id, 0.0),
            record.visibility != "public",
            record.kind not in CALLABLE_KINDS,
            record.file,
            record.start_line,
        )

    found = view.records(view.by_place(ids))
    test = FileKind.TEST
    if owner.file_kind is not test:
        found = [record for record in found if record.file_kind is not test]
    return sorted(found, key=importance)


def relations(view: View, ids: Sequence[int], others: Sequence[int]) -> list[tuple[int, str, int]]:
    """Resolved edges from symbols to others, or among the same, by name of the kind."""
    rows = view.index.graph.outgoing
    ids, others = ([id for id in each if id > 0] for each in (ids, others))  # blocks have no edges
    nodes = numpy.asarray(ids, numpy.int64)
    edges, counts = edges_of(rows, nodes)
    keep = _SHOWN_RELATIONS[rows.kind[edges]] & _SURE[rows.provenance[edges]]
    sources, edges = nodes.repeat(counts)[keep], edges[keep]
    targets = rows.other[edges]
    near = marked(view.index.graph, others)[targets]
    columns = (sources[near], rows.kind[edges[near]], targets[near])
    found = {
        (source, _RELATION_NAMES[kind], target)
        for source, kind, target in zip(*(each.tolist() for each in columns), strict=True)
    }
    # A symbol that calls or extends another also mentions it, which adds nothing.
    told = {(source, target) for source, kind, target in found if kind != _MENTION}
    found = {edge for edge in found if edge[1] != _MENTION or (edge[0], edge[2]) not in told}
    first = {id: at for at, id in enumerate(ids)}
    then = {id: at for at, id in enumerate(others)}
    return sorted(found, key=lambda edge: (first[edge[0]], then[edge[2]], edge[1]))


def imports_among(view: View, paths: Sequence[str]) -> list[tuple[str, str]]:
    """Which of these files import which others of them."""
    graph = view.index.graph
    by_path = {path: file for path in paths if (file := view.file_at(path)) is not None}
    records = {file.id: file for file in by_path.values()}
    numbers = numpy.asarray(sorted(records))
    found = []
    for path, file in by_path.items():
        imported = targets(graph, file.module, EdgeKind.IMPORTS)
        files = graph.columns.file[list(imported)] if imported else numbers[:0]
        others = {records[int(each)].path for each in files if int(each) in records}
        found += [(path, other) for other in sorted(others - {path})]
    return found
