"""Linking one file: a pure function of its facts and of recorded lookups."""

from __future__ import annotations

from collections.abc import Sequence

from sonde.link.edges import Edges
from sonde.link.hierarchy import hierarchy_links
from sonde.link.links import FileLinks, Leaf
from sonde.link.manifests import is_manifest
from sonde.link.names import Names
from sonde.link.receivers import Receivers
from sonde.link.recorder import Recorder
from sonde.link.references import ReferenceLinks
from sonde.link.similarity import nearest, sketches
from sonde.link.space import OUTSIDE, Space
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
    Unresolved,
)

_EFFECTS = {RefKind.ENV: EdgeKind.READS_ENV, RefKind.PROCESS: EdgeKind.EXECUTES_PROCESS}
_MOST_DOCUMENTED = 300  # symbols named by one text


def link_file(file: FileEntry, facts: FileFacts, ids: Sequence[int], source: Source) -> FileLinks:
    """The edges that start in a file. `ids[i]` is the id of `facts.symbols[i]`."""
    tables = Recorder(source)
    receivers = Receivers(file, facts, ids, Names(tables))
    edges = Edges()
    unresolved: list[Unresolved] = []
    if file.kind is FileKind.TEXT:
        _document_links(facts, receivers, edges)
    else:
        _containment(facts, receivers, edges)
        _import_links(file, facts, receivers, edges)
        unresolved += ReferenceLinks(facts, receivers, edges).run()
        unresolved += hierarchy_links(facts, receivers, edges)
        test_links(file, facts, receivers, edges)
        if file.kind is not FileKind.TEST:  # tests resemble each other by nature
            _similar_links(facts, ids, tables, edges)
    leaves = _leaves(file, facts, receivers)
    return FileLinks(edges.all(), tuple(unresolved), leaves, frozenset(tables.consulted))


def _containment(facts: FileFacts, receivers: Receivers, edges: Edges) -> None:
    for index, symbol in enumerate(facts.symbols[1:], 1):
        entry = receivers.entries[index]
        parent = entry.parent or receivers.entries[0].id
        if symbol.owner:
            owner = receivers.owner(index)
            parent = owner.id if owner is not None else parent
        edges.add(parent, entry.id, EdgeKind.CONTAINS, symbol.start_line, Provenance.SYNTAX)


def _import_links(file: FileEntry, facts: FileFacts, receivers: Receivers, edges: Edges) -> None:
    module = receivers.entries[0].id
    names = receivers.names
    for item in facts.imports:
        found = receivers.family.imported(names, file, item)
        if isinstance(found, Space) and found is not OUTSIDE:
            found = receivers.family.principal(names, found)
        if isinstance(found, Entry):
            edges.add(module, found.id, EdgeKind.IMPORTS, item.line, Provenance.IMPORT)


def _similar_links(facts: FileFacts, ids: Sequence[int], tables: Recorder, edges: Edges) -> None:
    lines = dict(zip(ids, (symbol.start_line for symbol in facts.symbols), strict=True))
    for bucket, sketch in sketches(facts, ids):
        for other in nearest(sketch, tables.similar(bucket)):
            line = lines[sketch.symbol]
            edges.add(sketch.symbol, other, EdgeKind.SIMILAR_TO, line, Provenance.SIMILARITY)


def _document_links(facts: FileFacts, receivers: Receivers, edges: Edges) -> None:
    """A text names a symbol when only one in the workspace can be meant."""
    tables = receivers.names.tables
    for reference in facts.references[:_MOST_DOCUMENTED]:
        if reference.kind is not RefKind.NAME:
            continue
        tail = reference.name
        if reference.receiver:
            tail = f"{reference.receiver.rpartition('.')[2]}.{tail}"
        meant = [
            entry
            for entry in tables.named(reference.name)[:2000]
            if entry.kind is not Kind.MODULE
            and (entry.qualname == tail or entry.qualname.endswith("." + tail))
        ]
        if len(meant) == 1:
            source = receivers.entries[0].id
            line = reference.line
            edges.add(source, meant[0].id, EdgeKind.DOCUMENTS, line, Provenance.NAMING)


def _leaves(file: FileEntry, facts: FileFacts, receivers: Receivers) -> tuple[Leaf, ...]:
    found: list[Leaf] = []
    for reference in facts.references:
        effect = _EFFECTS.get(reference.kind)
        if effect is not None:
            source = receivers.entries[reference.scope].id
            found.append(Leaf(source, effect, reference.name, reference.line))
    for route in facts.routes:
        source = receivers.entries[route.scope].id
        if route.handler:
            head, _, name = route.handler.replace("::", ".").replace("#", ".").rpartition(".")
            wanted = Reference(RefKind.NAME, name, head, route.line, route.scope)
            handler = receivers.resolve(wanted)
            if handler is not None and isinstance(handler.target, Entry):
                source = handler.target.id
        label = f"{route.method} {route.path}".strip()
        found.append(Leaf(source, EdgeKind.HANDLES_ROUTE, label, route.line))
    tables = receivers.names.tables
    module = receivers.entries[0].id
    if is_manifest(file.path):
        for name, line in tables.dependencies(file.path):
            found.append(Leaf(module, EdgeKind.DEPENDS_ON, name, line))
    for owner in tables.owners(file.path):
        found.append(Leaf(module, EdgeKind.OWNED_BY, owner, 1))
    return tuple(sorted(set(found)))
