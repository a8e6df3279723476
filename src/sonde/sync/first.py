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
from sonde.sync.relink import link_files
from sonde.sync.report import Progress, ProgressCallback, SyncReport
from sonde.sync.session import Session

_MANY = 150  # from so many files on, loading the tables into each worker pays
_FIRST_PARTIAL = 4.0  # seconds until an index being built shows what it has; then ever longer
_AWAITED_PARTIAL = 1.0  # the same when a question waits for it and some of the files are read
_SOME = 20  # one in so many must be read: with fewer there is seldom anything to answer
_LINKS_BATCH = 200


def build_first(
    session: Session,
    changes: Changes,
    progress: ProgressCallback,
    began: float,
    awaited: Callable[[], bool],
) -> SyncReport:
    """Index all files. Generations made on the way are marked with the share they hold.

    `awaited` says whether somebody waits for the first of them.
    """
    session.begin()
    session.writer.symbols.hold()
    for path in changes.gone:
        session.writer.delete_file(path)
        session.known.forget(path)
    for skip in (*changes.skip, *changes.touch):
        session.put_skip(skip)
    failed = _extract_all(session, changes, progress, awaited)
    session.writer.symbols.release()
    columns = _columns(session)
    files = session.writer.indexed_files()
    session.restore_facts(files)
    if len(files) > _MANY:
        # The workers read the tables, so these must be committed; no edges are visible yet.
        session.commit(build(NO_EDGES, columns), share=0.99)
        session.begin()
        links = link_in_workers(session, files, session.workspace.database, progress)
    else:
        tables = Tables(session.database)
        tables.preload()
        links = link_files(files, tables, session.facts)
    _put_all(session, links)
    set_meta(session.database, "complete", 1)
    session.commit(full_graph(session, columns), share=1.0)
    session.prune_facts()
    return SyncReport(
        session.generation,
        len(files),
        added=tuple(file.path for file in changes.read),
        deleted=changes.gone,
        relinked=len(files),
        failed=tuple(sorted(failed)),
        unlinked=tuple(unlinked_files(session.database)),
        seconds=time.monotonic() - began,
    )


def _extract_all(
    session: Session, changes: Changes, progress: ProgressCallback, awaited: Callable[[], bool]
) -> list[str]:
    failed = []
    total = len(changes.read)
    pause = _FIRST_PARTIAL
    shown = time.monotonic()
    for done, (file, found) in enumerate(session.extract(changes.read), 1):
        if isinstance(found, Extracted):
            session.writer.put_file(file, found, session.next_generation)
            session.known.put(file, found.size, found.mtime_ns)
        else:
            session.put_failure(file, found)
            failed.append(file.path)
        progress(Progress("extract", done, total))
        waited = time.monotonic() - shown
        some = waited > _AWAITED_PARTIAL and done * _SOME >= total
        # Showing a part costs a twentieth of django's index, and is for those who would wait
        # long without: after half of the files the rest follows in less time than has passed.
        early = waited > pause and done * 2 < total
        if (early or (some and not session.generation and awaited())) and done < total:
            session.writer.symbols.release()
            unlinked = build(NO_EDGES, _columns(session))
            session.commit(unlinked, share=1 - (total - done) / changes.found)
            session.begin()
            session.writer.symbols.hold()
            shown = time.monotonic()
            pause *= 3
    return failed


def _put_all(session: Session, links: Iterator[tuple[int, LinkRow]]) -> None:
    batch: list[tuple[int, LinkRow]] = []
    for each in links:
        batch.append(each)
        if len(batch) >= _LINKS_BATCH:
            session.writer.put_links(batch)
            batch.clear()
    session.writer.put_links(batch)


def _columns(session: Session) -> Columns:
    return all_columns(session.database, session.writer.symbol_limit)


def full_graph(session: Session, columns: Columns | None = None) -> Graph:
    """The graph of all links in the tables; `columns` when they are known already."""
    parts: list[Edges] = [NO_EDGES]
    for (edges,) in session.database.execute("SELECT edges FROM links"):
        parts.append(unpack_edges(edges))
    return build(with_mirrors(numpy.concatenate(parts)), columns or _columns(session))
