"""Rewriting the full text when too much of it is deleted.

The engine counts deleted documents in the average lengths that scores depend on, and cannot be told
to merge them away. An index worn by checkouts would rank near ties unlike one from scratch.
"""

from __future__ import annotations

from collections.abc import Callable

from sonde.store.fulltext import FullTextWriter, wear
from sonde.sync.open_index import OpenIndex
from sonde.sync.pool import Job

# Deleted documents for each that is left. Rewriting django takes 7.8 s of processor time; the edits
# that wore it by a tenth took 6.1 s.
_MOST_WORN = 0.1
_MANY = 150  # files; after more than these, workers hold too many names and are ended


def renew(index: OpenIndex, stop: Callable[[], bool]) -> bool:
    """Write the documents of the present generation into a new full text if the old one is worn.

    Returns False if there was no need, `stop` said so, or a file has changed meanwhile.
    """
    place = index.workspace.fulltext
    if index.graph is None or wear(place / str(index.generation)) <= _MOST_WORN:
        return False
    fresh = FullTextWriter(place, 0)
    whole = False
    try:
        whole = _fill(index, fresh, stop)
    finally:
        if not whole:
            fresh.close()
    if whole:
        index.begin()
        index.take_fulltext(fresh)
        index.commit(index.graph, share=1.0)
    return whole


def _fill(index: OpenIndex, fresh: FullTextWriter, stop: Callable[[], bool]) -> bool:
    writer = index.writer
    files = writer.indexed_files()
    jobs = [Job(file, (file.path, file.language, file.hash)) for file in files]
    done = 0
    for file, answer in index.pool.run("documents", jobs):
        if stop() or not isinstance(answer, tuple):
            break
        symbols, chunks = answer
        fresh.add(file.id, file.path, zip(writer.symbol_ids(file.id), symbols, strict=True))
        if chunks:
            numbered = zip(writer.chunk_ids(file.id), chunks, strict=True)
            fresh.add(file.id, file.path, numbered, chunks=True)
        done += 1
    if done < len(jobs) or done > _MANY:
        index.pool.close()  # answers nobody took must not reach the next sync
    return done == len(jobs)
