"""Linking one file: a pure function of its facts and of recorded lookups."""

from __future__ import annotations

from collections.abc import Sequence

from sonde.link.edges import Edges
from sonde.link.hierarchy import hierarchy_links
from sonde.link.links import FileLinks, Leaf
from sonde.link.manifests import is_manifest
from sonde.link.names import Names
from sonde.link.prototypes import prototype_links
from sonde.link.receivers import Receivers
from sonde.link.recorder import Recorder
from sonde.link.references import ReferenceLinks
from sonde.link.shapes import shape_links
from sonde.link.similarity import nearest
from sonde.link.space import OUTSIDE, Space
from sonde.link.structural import structural_links
from sonde.link.tables import Entry, FileEntry, Source
from sonde.link.tests import test_links
from sonde.model import (
    EdgeKind,
    FileFacts,
    FileKind,
    Kind,
    Provenance,
    Reference,
    RefKind,
    Route,
    Unresolved,
)

# Bound once: in Python 3.11 reading a member off its enum costs 15 times as much.
_EDGE_CONTAINS = EdgeKind.CONTAINS
_EDGE_DEPENDS_ON = EdgeKind.DEPENDS_ON
_EDGE_DOCUMENTS = EdgeKind.DOCUMENTS
_EDGE_HANDLES_ROUTE = EdgeKind.HANDLES_ROUTE
_EDGE_IMPORTS = EdgeKind.IMPORTS
_EDGE_OWNED_BY = EdgeKind.OWNED_BY
_EDGE_SIMILAR_TO = EdgeKind.SIMILAR_TO
_FILE_KIND_TEST = FileKind.TEST
_FILE_KIND_TEXT = FileKind.TEXT
_KIND_MODULE = Kind.MODULE
_HOW_IMPORT = Provenance.IMPORT
_HOW_NAMING = Provenance.NAMING
_HOW_SIMILARITY = Provenance.SIMILARITY
_HOW_SYNTAX = Provenance.SYNTAX
_REF_NAME = RefKind.NAME

_EFFECTS = {RefKind.ENV: EdgeKind.READS_ENV, RefKind.PROCESS: EdgeKind.EXECUTES_PROCESS}
_MOST_DOCUMENTED = 300  # symbols named by one text


def link_file(file: FileEntry, facts: FileFacts, ids: Sequence[int], source: Source) -> FileLinks:
    """The edges that start in a file. `ids[i]` is the id of `facts.symbols[i]`."""
    if not facts.symbols:
        return FileLinks((), (), (), frozenset())
    tables = Recorder(source)
    receivers = Receivers(file, facts, ids, Names(tables))
    edges = Edges()
    unresolved: list[Unresolved] = []
    if file.kind is _FILE_KIND_TEXT:
        _document_links(facts, receivers, edges)
    else:
        _containment(facts, receivers, edges)
        _import_links(file, facts, receivers, edges)
        unresolved += ReferenceLinks(facts, receivers, edges).run()
        unresolved += hierarchy_links(facts, receivers, edges)
        structural_links(facts, receivers, edges)
        prototype_links(facts, receivers, edges)
        shape_links(facts, receivers, edges)
        test_links(file, facts, receivers, edges)
        if file.kind is not _FILE_KIND_TEST:  # tests always resemble each other
            _similar_links(file, receivers, edges)
    leaves = _leaves(file, facts, receivers, edges)
    # Break the cycle with its parts: left to the collector, Go files took a fifth longer to link.
    vars(receivers).clear()
    return FileLinks(edges.all(), tuple(unresolved), leaves, frozenset(tables.consulted))


def _containment(facts: FileFacts, receivers: Receivers, edges: Edges) -> None:
    for index, symbol in enumerate(facts.symbols[1:], 1):
        entry = receivers.entries[index]
        parent = entry.parent or receivers.entries[0].id
        if symbol.owner:
            owner = receivers.owner(index)
            parent = owner.id if owner is not None else parent
        edges.add(parent, entry.id, _EDGE_CONTAINS, symbol.start_line, _HOW_SYNTAX)


def _import_links(file: FileEntry, facts: FileFacts, receivers: Receivers, edges: Edges) -> None:
    module = receivers.entries[0].id
    names = receivers.names
    for item in facts.imports:
        found = receivers.family.imported(names, file, item)
        if isinstance(found, Space) and found is not OUTSIDE:
            found = receivers.family.principal(names, found)
        if isinstance(found, Entry):
            edges.add(module, found.id, _EDGE_IMPORTS, item.line, _HOW_IMPORT)


def _similar_links(file: FileEntry, receivers: Receivers, edges: Edges) -> None:
    tables = receivers.names.tables
    for bucket, sketch in tables.sketched(file):
        for other in nearest(sketch, tables.similar(bucket)):
            line = tables.known(sketch.symbol).start_line
            edges.add(sketch.symbol, other, _EDGE_SIMILAR_TO, line, _HOW_SIMILARITY)


def _document_links(facts: FileFacts, receivers: Receivers, edges: Edges) -> None:
    """A text documents a symbol if it names it and only one in the workspace can be meant."""
    tables = receivers.names.tables
    for reference in facts.references[:_MOST_DOCUMENTED]:
        if reference.kind is not _REF_NAME:
            continue
        tail = reference.name
        if reference.receiver:
            tail = f"{reference.receiver.rpartition('.')[2]}.{tail}"
        ending = "." + tail
        meant = []
        for entry in tables.named(reference.name)[:2000]:
            if entry.kind is not _KIND_MODULE and (
                entry.qualname == tail or entry.qualname.endswith(ending)
            ):
                meant.append(entry)
                if len(meant) > 1:
                    break
        if len(meant) == 1:
            source = receivers.entries[0].id
            line = reference.line
            edges.add(source, meant[0].id, _EDGE_DOCUMENTS, line, _HOW_NAMING)


def _handler(route: Route, receivers: Receivers) -> tuple[Entry, Provenance] | None:
    """The definition that a route's handler text refers to."""
    if not route.handler:
        return None
    head, _, name = route.handler.replace("::", ".").replace("#", ".").rpartition(".")
    wanted = Reference(_REF_NAME, name, head, route.line, route.scope)
    found = receivers.resolve(wanted)
    return (found.target, found.how) if found and isinstance(found.target, Entry) else None


def _leaves(
    file: FileEntry, facts: FileFacts, receivers: Receivers, edges: Edges
) -> tuple[Leaf, ...]:
    found: list[Leaf] = []
    for reference in [each for each in facts.references if each.kind in _EFFECTS]:
        source = receivers.entries[reference.scope].id
        found.append(Leaf(source, _EFFECTS[reference.kind], reference.name, reference.line))
    # routes that tests serve or request are not the project's
    for route in facts.routes if file.kind is not _FILE_KIND_TEST else ():
        source = receivers.entries[route.scope].id
        handler = _handler(route, receivers)
        if handler is not None:
            # through the edge, questions about the handler find the leaf in this file's row
            edges.add(source, handler[0].id, _EDGE_HANDLES_ROUTE, route.line, handler[1])
            source = handler[0].id
        label = f"{route.method} {route.path}".strip()
        found.append(Leaf(source, _EDGE_HANDLES_ROUTE, label, route.line))
    tables = receivers.names.tables
    module = receivers.entries[0].id
    if is_manifest(file.path):
        for name, line in tables.dependencies(file.path):
            found.append(Leaf(module, _EDGE_DEPENDS_ON, name, line))
    for owner in tables.owners(file.path):
        found.append(Leaf(module, _EDGE_OWNED_BY, owner, 1))
    return tuple(sorted(set(found)))
