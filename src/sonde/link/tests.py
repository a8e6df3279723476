"""Tests and their subjects: by what tests call and import, and by how they are named."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import combinations

from sonde.link.edges import Edges
from sonde.link.receivers import Receivers
from sonde.link.recorder import Recorder
from sonde.link.tables import Entry, FileEntry, family, folder_of
from sonde.model import (
    CALLABLE_KINDS,
    TYPE_KINDS,
    Edge,
    EdgeKind,
    FileFacts,
    FileKind,
    Kind,
    Provenance,
    Symbol,
)

# Bound once: in Python 3.11 reading a member off its enum costs 15 times as much.
_EDGE_CO_TESTED_WITH = EdgeKind.CO_TESTED_WITH
_EDGE_TESTS = EdgeKind.TESTS
_FILE_KIND_SOURCE = FileKind.SOURCE
_FILE_KIND_TEST = FileKind.TEST
_KIND_MODULE = Kind.MODULE
_HOW_INFERRED = Provenance.INFERRED
_HOW_NAMING = Provenance.NAMING

_new = tuple.__new__  # half the cost of calling the class, and there are tens of thousands
_MOST_SUBJECTS = 20  # of one test
_MOST_PAIRED = 10  # subjects of one file
_MOST_SCANNED = 50  # symbols of one name
_FILE_NAME = re.compile(r"^(?:test_?s?_)?(.+?)(?:[_.-]?(?:tests?|spec|Tests?|Spec|IT))?$")
_SYMBOL_NAME = re.compile(
    r"^(?:tests?_+|Tests?(?=[A-Z_])_?)?(.+?)(?:_tests?|_spec|Tests?|Spec|IT)?$"
)
_GO_TESTS = ("Test", "Benchmark", "Fuzz", "Example")
_EVIDENCE = (EdgeKind.CALLS, EdgeKind.IMPORTS)
_WEARING = (EdgeKind.DECORATES, EdgeKind.IMPORTS)


def test_links(file: FileEntry, facts: FileFacts, receivers: Receivers, edges: Edges) -> None:
    """Add the edges from the tests of a file to what they test."""
    if file.kind is not _FILE_KIND_TEST:
        return
    tables = receivers.names.tables
    subjects = _Subjects(tables)
    worn = _only_worn(tables, edges)
    subjects.try_edges(each for each in edges.of_kind(*_EVIDENCE) if each.target not in worn)
    for edge in subjects.edges():
        edges.add(*edge)
    _naming_links(file, facts, receivers, edges, subjects)
    for left, right in combinations(subjects.most_tested(), 2):
        edges.add(left, right, _EDGE_CO_TESTED_WITH, 1, _HOW_INFERRED)


def _only_worn(tables: Recorder, edges: Edges) -> set[int]:
    """The annotations that a file puts on its tests and does nothing else with."""
    worn = {
        edge.target
        for edge in edges.of_kind(EdgeKind.DECORATES)
        if tables.known(edge.target).kind in TYPE_KINDS
    }
    if not worn:
        return worn
    used = (edge.target for edge in edges.all() if edge.kind not in _WEARING)
    return worn.difference(used)


class _Subjects:
    """What the tests of one file use outside tests, counted."""

    def __init__(self, tables: Recorder) -> None:
        self._tables = tables
        self._edges: dict[int, list[Edge]] = {}
        self._uses: dict[int, int] = {}
        self.files: dict[int, FileEntry] = {}
        self._known: dict[int, bool] = {}

    def try_edges(self, edges: Iterable[Edge]) -> None:
        """Count the calls and imports whose targets are not themselves tests."""
        known, file_by_id = self._tables.known, self._tables.file_by_id
        uses, files = self._uses, self.files
        for source, subject, _, line, how in edges:
            target = known(subject)
            there = file_by_id(target.file)
            if there.kind is _FILE_KIND_TEST:
                continue
            files[there.id] = there
            found = self._edges.get(source)
            if found is None:
                found = self._edges[source] = []
            if len(found) < _MOST_SUBJECTS:
                found.append(_new(Edge, (source, subject, _EDGE_TESTS, line, how)))
                if target.kind is not _KIND_MODULE:
                    uses[subject] = uses.get(subject, 0) + 1

    def may_be_in(self, there: int, file: FileEntry) -> bool:
        """Whether a test file's namesake can be in another file: one used here, or beside it."""
        known = self._known.get(there)
        if known is None:
            other = self._tables.file_by_id(there)
            known = self._known[there] = other.kind is not _FILE_KIND_TEST and (
                there in self.files
                or (
                    folder_of(other.path) == folder_of(file.path)
                    and family(other.language) == family(file.language)
                )
            )
        return known

    def edges(self) -> list[Edge]:
        """The test edges found so far."""
        return [edge for found in self._edges.values() for edge in found]

    def most_tested(self) -> list[int]:
        """The symbols that most tests of the file use; the first used wins a tie."""
        ranked = sorted(self._uses, key=lambda symbol: -self._uses[symbol])
        return ranked[:_MOST_PAIRED]


def _naming_links(
    file: FileEntry, facts: FileFacts, receivers: Receivers, edges: Edges, subjects: _Subjects
) -> None:
    """Tests named after something within reach: imported here, or in the same folder."""
    tables = receivers.names.tables
    stem = file.path.rpartition("/")[2].split(".")[0]
    meant = _FILE_NAME.match(stem)
    if meant and meant[1] != stem:
        for subject in _files_named(meant[1], file, tables, subjects):
            edges.add(receivers.entries[0].id, subject.module, _EDGE_TESTS, 1, _HOW_NAMING)
    for index, symbol in enumerate(facts.symbols):
        name = _SYMBOL_NAME.match(symbol.name) if index and _may_test(file, symbol) else None
        if name is None or name[1] == symbol.name:
            continue
        found = _symbol_named(name[1], file, tables, subjects)
        if found is not None:
            source = receivers.entries[index].id
            edges.add(source, found.id, _EDGE_TESTS, symbol.start_line, _HOW_NAMING)


def _may_test(file: FileEntry, symbol: Symbol) -> bool:
    """Whether the name of a symbol can say what it tests; Go says which are names of tests."""
    if file.language != "go":
        return True
    return symbol.kind in CALLABLE_KINDS and symbol.name.startswith(_GO_TESTS)


def _files_named(
    stem: str, file: FileEntry, tables: Recorder, subjects: _Subjects
) -> list[FileEntry]:
    beside = [
        each for each in tables.folder(folder_of(file.path)) if each.kind is _FILE_KIND_SOURCE
    ]
    known = {each.id: each for each in [*beside, *subjects.files.values()]}
    named = [
        each
        for each in known.values()
        if each.path.rpartition("/")[2].split(".")[0] == stem
        and family(each.language) == family(file.language)
    ]
    return named if len(named) == 1 else []


def _symbol_named(
    name: str, file: FileEntry, tables: Recorder, subjects: _Subjects
) -> Entry | None:
    """The one symbol of this name, in either casing, within reach of the test file."""
    for spelling in dict.fromkeys((name, name[:1].lower() + name[1:])):
        found = [
            entry
            for entry in tables.named(spelling)[:_MOST_SCANNED]
            if entry.kind is not _KIND_MODULE and subjects.may_be_in(entry.file, file)
        ]
        if len(found) == 1:
            return found[0]
    return None
