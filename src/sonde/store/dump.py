"""An index as sorted lines without ids: two indexes are equal when these are."""

from __future__ import annotations

from array import array
from collections.abc import Iterator

from sonde.model import EdgeKind, Provenance
from sonde.store.index import Index


def dump(index: Index) -> list[str]:
    """Files, symbols, vectors, chunks, edges, unresolved uses and leaves, by names and places."""
    return sorted([*_files(index), *_symbols(index), *_vectors(index), *_links(index)])


def _files(index: Index) -> Iterator[str]:
    for file in index.files():
        yield (
            f"file {file.path} {file.language} {file.kind} {file.size} {file.hash.hex()}"
            f" {file.package}"
        )
    for path, reason, detail in index.skipped():
        yield f"skipped {path} {reason} {detail}"
    yield f"documents {index.fulltext.documents}"


def _symbols(index: Index) -> Iterator[str]:
    names = _names(index)
    for id, name in names.items():
        record = index.record(id)
        assert record is not None
        parent = names.get(record.parent, "-")
        yield (
            f"symbol {name} in {parent} at {record.start_line}-{record.end_line}"
            f" {record.start_byte}-{record.end_byte} {record.visibility} {record.signature!r}"
            f" {record.doc!r} {record.decorators} {record.returns!r} {record.params}"
        )
    columns = index.graph.columns
    for id in range(index.graph.size):
        if columns.file[id]:
            yield f"column {names[id]} {columns.kind[id]} {columns.file_kind[id]}"


def _vectors(index: Index) -> Iterator[str]:
    names = _names(index)
    for symbols, rows in index.vectors():
        ids = array("i", symbols)
        width = len(rows) // len(ids)
        for at, id in enumerate(ids):
            yield f"vector {names[id]} {rows[at * width : (at + 1) * width].hex()}"


def _links(index: Index) -> Iterator[str]:
    names = _names(index)
    for id, name in names.items():
        for target, kind, line, provenance in index.graph.out_edges(id):
            label = f"{EdgeKind(kind).name} {names[target]} {line} {Provenance(provenance).name}"
            yield f"edge {name} {label}"
        for source, kind, _, _ in index.graph.in_edges(id):
            yield f"incoming {name} {EdgeKind(kind).name} {names[source]}"
        for use in index.unresolved_from(id):
            candidates = [names[each] for each in use.candidates]
            yield f"unresolved {name} {use.kind} {use.name} {use.receiver} {use.line} {candidates}"
        for leaf in index.leaves(id):
            yield f"leaf {name} {leaf.kind} {leaf.label} {leaf.line}"


def _names(index: Index) -> dict[int, str]:
    """Each symbol as path, qualified name, kind and which of these it is."""
    names = {}
    for file in index.files():
        seen: dict[tuple[str, str], int] = {}
        for record in index.records(index.ids_in_file(file.path)):
            key = (record.qualname, record.kind.value)
            seen[key] = seen.get(key, 0) + 1
            names[record.id] = f"{file.path}:{record.qualname}:{record.kind}:{seen[key]}"
    return names
