"""A writer's open index: what stays warm between one sync and the next."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from zlib import crc32

from sonde import __version__
from sonde.extract import EXTRACTOR_VERSION
from sonde.model import SkippedFile, SkipReason, SourceFile
from sonde.store.database import meta, open_for_writing, set_meta
from sonde.store.facts import FactStore
from sonde.store.fulltext import FullTextWriter
from sonde.store.generation import publish, remove_index
from sonde.store.graph import Graph, load
from sonde.store.location import Workspace
from sonde.store.migrations import MIGRATIONS
from sonde.store.rows import FILE_KINDS, KINDS
from sonde.store.writer import Extracted, Writer
from sonde.sync.changes import Known
from sonde.sync.pool import Job, Pool

# An index of another format is not migrated but built again from the stored facts.
FORMAT = crc32(
    repr((__version__, EXTRACTOR_VERSION, len(MIGRATIONS), KINDS, FILE_KINDS)).encode("ascii")
)
_FACTS_BATCH = 64  # files whose facts are stored in one transaction


class Session:
    """The open tables, full text, graph and workers of one workspace; needs the writer's lock."""

    def __init__(self, workspace: Workspace, pool: Pool) -> None:
        self.workspace = workspace
        self.pool = pool
        self.database = open_for_writing(workspace.database)
        if meta(self.database, "format", FORMAT) != FORMAT:
            self.database.close()
            remove_index(workspace)
            self.database = open_for_writing(workspace.database)
        self.generation = meta(self.database, "generation")
        self.facts = FactStore(workspace.facts, str(EXTRACTOR_VERSION))
        self.fulltext = FullTextWriter(workspace.fulltext, self.generation)
        self.writer = Writer(self.database, self.fulltext)
        self.known = Known(self.database)
        self.graph: Graph | None = None
        if self.generation:
            self.graph = load(workspace.arrays / str(self.generation))

    @property
    def complete(self) -> bool:
        """Whether all files were indexed and linked once."""
        return bool(meta(self.database, "complete"))

    def is_current(self) -> bool:
        """Whether no other process has written since."""
        return (
            Path(self.workspace.database).exists()
            and meta(self.database, "generation") == self.generation
        )

    def begin(self) -> None:
        """Open the transaction that `commit` ends."""
        self.database.execute("BEGIN IMMEDIATE")

    def commit(self, graph: Graph, *, share: float) -> None:
        """Make what was written visible as the next generation."""
        self.writer.save_counters()
        set_meta(self.database, "format", FORMAT)
        set_meta(self.database, "share_ppm", int(share * 1_000_000))
        publish(self.workspace, self.database, self.fulltext, graph, self.generation + 1)
        self.generation += 1
        self.graph = graph

    def extract(
        self, files: Sequence[SourceFile]
    ) -> Iterator[tuple[SourceFile, Extracted | SkipReason]]:
        """What the workers make of files, as it comes; new facts are stored on the way."""
        jobs = [Job(file, (file.path, file.language)) for file in files]
        fresh: list[tuple[bytes, str, bytes]] = []
        for file, answer in self.pool.run("extract", jobs):
            if file is None:
                continue
            if answer is None:
                yield file, SkipReason.UNREADABLE
            elif isinstance(answer, SkipReason):
                yield file, answer
            else:
                found = Extracted(*answer)
                if found.encoded is not None:
                    fresh.append((found.hash, file.language, found.encoded))
                yield file, found
            if len(fresh) >= _FACTS_BATCH:
                self.facts.add(fresh)
                fresh.clear()
        self.facts.add(fresh)

    def put_skip(self, skip: SkippedFile, file: SourceFile | None = None) -> None:
        """Note a file that is not indexed."""
        self.writer.put_skip(skip, self.generation + 1, file)
        self.known.put_skip(skip, file)

    def put_failure(self, file: SourceFile, reason: SkipReason) -> None:
        """Note a file that could not be read, or broke its parser."""
        skip = SkippedFile(file.path, reason, "", file.size, file.mtime_ns)
        self.put_skip(skip, None if reason is SkipReason.UNREADABLE else file)

    def close(self) -> None:
        """Release all files; an open transaction is rolled back."""
        self.fulltext.close()
        self.facts.close()
        self.database.close()
