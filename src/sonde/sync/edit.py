"""An update of a complete index: only what changed, and what depends on it."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

import numpy

from sonde.extract.codec import decode
from sonde.link.manifests import ProjectConfig, is_manifest, project_config
from sonde.model import SourceFile
from sonde.store.columns import patched_columns
from sonde.store.database import indexed_files
from sonde.store.extracted import Extracted
from sonde.store.graph import Graph
from sonde.store.graph_edit import NO_EDGES, Edges, splice, with_mirrors
from sonde.store.links import LinkRow, unpack_edges
from sonde.store.tables import Tables
from sonde.store.writer import StoredFile
from sonde.sync.changes import Changes
from sonde.sync.first import full_graph
from sonde.sync.link_workers import relink_in_workers
from sonde.sync.open_index import OpenIndex
from sonde.sync.relink import ChangedKeys, consulting, contribution, file_entry, link_files
from sonde.sync.report import Progress, ProgressCallback, SyncReport
from sonde.sync.worker import facts_for_path, stored_facts

_MANY = 400  # from so many files on, copying the tables for the workers pays
_PRUNED_EVERY = 500  # generations
_LARGE_SHARE = 0.2  # of all files: beyond it, building the graph afresh beats splicing


@dataclass(slots=True)
class _Edit:
    """What an update has found out so far."""

    keys: ChangedKeys = field(default_factory=ChangedKeys)
    changed: set[int] = field(default_factory=set)  # files whose symbols may have changed
    edges: list[Edges] = field(default_factory=list)  # of files that are gone
    everything: bool = False  # old facts are lost, so what depends on them is not known
    added: list[str] = field(default_factory=list)
    modified: list[str] = field(default_factory=list)
    deleted: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    unlinked: list[str] = field(default_factory=list)
    noted: bool = False  # rows changed that are not part of a generation


def apply_edit(
    index: OpenIndex, changes: Changes, progress: ProgressCallback, began: float
) -> SyncReport:
    """Bring a complete index up to date in one transaction."""
    # Tell whoever waits for this at once how long it may take.
    progress(Progress("extract", 0, len(changes.read)))
    index.begin()
    edit = _Edit()
    before = _manifests(index) if _concerns_manifests(changes) else None
    for path in changes.gone:
        _remove(index, edit, path)
        edit.deleted.append(path)
        index.writer.delete_file(path)
        index.known.forget(path)
    for skip in (*changes.skip, *changes.touch):
        _remove(index, edit, skip.path)
        index.put_skip(skip)
        edit.noted = True
    for done, (file, found) in enumerate(index.extract(changes.read), 1):
        if isinstance(found, Extracted):
            _replace(index, edit, file, found)
        else:
            _remove(index, edit, file.path)
            index.put_failure(file, found)
            edit.failed.append(file.path)
            edit.noted = True
        progress(Progress("extract", done, len(changes.read)))
    if before is not None:
        edit.keys.compare_config(before, _manifests(index))
    relinked = _finish(index, edit, progress)
    return SyncReport(
        index.generation,
        indexed_files(index.database),
        tuple(sorted(edit.added)),
        tuple(sorted(edit.modified)),
        tuple(sorted(edit.deleted)),
        relinked,
        tuple(sorted(edit.failed)),
        tuple(edit.unlinked),
        time.monotonic() - began,
    )


def _replace(index: OpenIndex, edit: _Edit, file: SourceFile, found: Extracted) -> None:
    """Store a file that was read again, unless its content is unchanged."""
    old = index.writer.stored(file.path)
    index.known.put(file, found.size, found.mtime_ns)
    if old is not None and (old.hash, old.language, old.kind) == (
        found.hash,
        file.language,
        file.kind,
    ):
        index.writer.touch(file.path, found.size, found.mtime_ns)
        edit.noted = True
        return
    before = _contribution(index, edit, old)
    new = index.writer.put_file(file, found, index.next_generation)
    if found.encoded is not None:
        facts = facts_for_path(decode(found.encoded), file.path)
        after = contribution(new, facts, index.writer.symbol_ids(new.id))
    else:
        after = _contribution(index, edit, new)
    edit.keys.compare(before, after)
    edit.changed.add(new.id)
    index.files.put(file_entry(new))
    (edit.added if old is None else edit.modified).append(file.path)


def _remove(index: OpenIndex, edit: _Edit, path: str) -> None:
    """Note what goes away with a file; the caller deletes its rows."""
    old = index.writer.stored(path)
    if old is None:
        return
    edit.keys.compare(_contribution(index, edit, old), {})
    edit.changed.add(old.id)
    index.files.remove(path)
    edit.edges.append(_edges_of(index, old.id))


def _contribution(index: OpenIndex, edit: _Edit, file: StoredFile | None) -> dict[str, int]:
    if file is None:
        return {}
    facts = stored_facts(index.facts, file.hash, file.language, file.path)
    ids = index.writer.symbol_ids(file.id)
    if facts is None or len(facts.symbols) != len(ids):
        edit.everything = True
        return {}
    return contribution(file, facts, ids)


def _concerns_manifests(changes: Changes) -> bool:
    paths = [*(file.path for file in changes.read), *(skip.path for skip in changes.skip)]
    return any(map(is_manifest, (*paths, *changes.gone)))


def _manifests(index: OpenIndex) -> ProjectConfig:
    return project_config(index.database.execute("SELECT path, text FROM manifests"))


def _edges_of(index: OpenIndex, file: int) -> Edges:
    row = index.database.execute("SELECT edges FROM links WHERE file = ?", (file,)).fetchone()
    return NO_EDGES if row is None else unpack_edges(row[0])


def _finish(index: OpenIndex, edit: _Edit, progress: ProgressCallback) -> int:
    """Relink, and make the result visible. Returns how many files were linked again."""
    if not edit.changed and not edit.keys.numbers:
        if edit.noted:
            index.writer.finish()
        index.database.execute("COMMIT")
        return 0
    files = _to_relink(index, edit)
    removed = [*edit.edges, *(_edges_of(index, file.id) for file in files)]
    index.restore_facts(files)
    if len(files) > _MANY:
        links = relink_in_workers(index, files, progress)
    else:
        homes = None if index.graph is None else index.graph.columns.file
        tables = Tables(index.database, index.files, homes)
        links = list(link_files(files, tables, index.facts))
    index.writer.put_links(links)
    linked = {id for id, _ in links}
    lost = [file for file in files if file.id not in linked]
    index.writer.drop_links(file.id for file in lost)
    edit.unlinked = sorted(file.path for file in lost)
    index.commit(_graph(index, edit, removed, links), share=1.0)
    if index.generation % _PRUNED_EVERY == 0:
        index.prune_facts()
    return len(files)


def _to_relink(index: OpenIndex, edit: _Edit) -> list[StoredFile]:
    wanted = edit.changed | consulting(index.database, edit.keys.numbers)
    if edit.everything:
        return index.writer.indexed_files()
    return index.writer.stored_by_id(wanted)


def _graph(
    index: OpenIndex, edit: _Edit, removed: list[Edges], links: list[tuple[int, LinkRow]]
) -> Graph:
    total = index.database.execute("SELECT count(*) FROM links").fetchone()[0]
    if index.graph is None or len(links) > _LARGE_SHARE * total:
        return full_graph(index)
    added = [unpack_edges(row.edges) for _, row in links]
    limit = index.writer.symbol_limit
    columns = patched_columns(index.graph.columns, index.database, limit, edit.changed)
    return splice(
        index.graph,
        with_mirrors(numpy.concatenate([NO_EDGES, *removed])),
        with_mirrors(numpy.concatenate([NO_EDGES, *added])),
        columns,
    )
