"""The first index: everything is read by the workers, then linked by them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import numpy

from sonde.store.columns import all_columns
from sonde.store.database import set_meta, unlinked_files
from sonde.store.extracted import Extracted
from sonde.store.graph import Columns, Graph
from sonde.store.graph_edit import NO_EDGES, Edges, build, with_mirrors
from sonde.store.links import LinkRow, unpack_edges
from sonde.store.tables import Tables
from sonde.sync.changes import Changes
from sonde.sync.link_workers import link_in_workers
from sonde.sync.open_index import OpenIndex
from sonde.sync.relink import link_files
from sonde.sync.report import Progress, ProgressCallback, SyncReport

_MANY = 150  # from so many files on, loading the tables into each worker pays
_FIRST_PARTIAL = 4.0  # seconds until an index being built shows what it has; then ever longer
_AWAITED_PARTIAL = 1.0  # the same when a question waits for it and some of the files are read
_SOME = 20  # one in so many must be read: with fewer there is seldom anything to answer
_LINKS_BATCH = 200


def build_first(
    index: OpenIndex,
    changes: Changes,
    progress: ProgressCallback,
    began: float,
    awaited: Callable[[], bool],
) -> SyncReport:
    """Index all files. Generations made on the way are marked with the share they hold.

    `awaited` says whether somebody waits for the first of them.
    """
    index.begin()
    index.writer.symbols.hold()
    for path in changes.gone:
        index.writer.delete_file(path)
        index.known.forget(path)
    for skip in (*changes.skip, *changes.touch):
        index.put_skip(skip)
    failed = _extract_all(index, changes, progress, awaited)
    index.writer.symbols.release()
    columns = _columns(index)
    files = index.writer.indexed_files()
    index.restore_facts(files)
    if len(files) > _MANY:
        # The workers read the tables, so these must be committed; no edges are visible yet.
        index.commit(build(NO_EDGES, columns), share=0.99)
        index.begin()
        links = link_in_workers(index, files, index.workspace.database, progress)
    else:
        tables = Tables(index.database)
        tables.preload()
        links = link_files(files, tables, index.facts)
    _put_all(index, links)
    set_meta(index.database, "complete", 1)
    index.commit(full_graph(index, columns), share=1.0)
    index.prune_facts()
    return SyncReport(
        index.generation,
        len(files),
        added=tuple(file.path for file in changes.read),
        deleted=changes.gone,
        relinked=len(files),
        failed=tuple(sorted(failed)),
        unlinked=tuple(unlinked_files(index.database)),
        seconds=time.monotonic() - began,
    )


def _extract_all(
    index: OpenIndex, changes: Changes, progress: ProgressCallback, awaited: Callable[[], bool]
) -> list[str]:
    failed = []
    total = len(changes.read)
    pause = _FIRST_PARTIAL
    shown = time.monotonic()
    for done, (file, found) in enumerate(index.extract(changes.read), 1):
        if isinstance(found, Extracted):
            index.writer.put_file(file, found, index.next_generation)
            index.known.put(file, found.size, found.mtime_ns)
        else:
            index.put_failure(file, found)
            failed.append(file.path)
        progress(Progress("extract", done, total))
        waited = time.monotonic() - shown
        some = waited > _AWAITED_PARTIAL and done * _SOME >= total
        # Showing a part costs a twentieth of django's index, and is for those who would wait
        # long without: after half of the files the rest follows in less time than has passed.
        early = waited > pause and done * 2 < total
        if (early or (some and not index.generation and awaited())) and done < total:
            index.writer.symbols.release()
            unlinked = build(NO_EDGES, _columns(index))
            index.commit(unlinked, share=1 - (total - done) / changes.found)
            index.begin()
            index.writer.symbols.hold()
            shown = time.monotonic()
            pause *= 3
    return failed


def _put_all(index: OpenIndex, links: Iterator[tuple[int, LinkRow]]) -> None:
    batch: list[tuple[int, LinkRow]] = []
    for each in links:
        batch.append(each)
        if len(batch) >= _LINKS_BATCH:
            index.writer.put_links(batch)
            batch.clear()
    index.writer.put_links(batch)


def _columns(index: OpenIndex) -> Columns:
    return all_columns(index.database, index.writer.symbol_limit)


def full_graph(index: OpenIndex, columns: Columns | None = None) -> Graph:
    """The graph of all links in the tables; `columns` when they are known already."""
    parts: list[Edges] = [NO_EDGES]
    for (edges,) in index.database.execute("SELECT edges FROM links"):
        parts.append(unpack_edges(edges))
    return build(with_mirrors(numpy.concatenate(parts)), columns or _columns(index))
