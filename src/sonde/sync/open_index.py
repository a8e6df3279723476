"""A writer's open index: what stays warm between one sync and the next."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence
from functools import cached_property

from sonde.extract import EXTRACTOR_VERSION
from sonde.model import SkippedFile, SkipReason, SourceFile
from sonde.store.database import meta, open_for_writing, rest, set_meta
from sonde.store.errors import ProblemKind, StoreError
from sonde.store.extracted import Extracted
from sonde.store.facts import FactStore
from sonde.store.file_table import FileTable
from sonde.store.fulltext import FullTextWriter
from sonde.store.generation import publish, remove_index, remove_relinking
from sonde.store.graph import Graph, check, load
from sonde.store.location import Workspace
from sonde.store.writer import StoredFile, Writer
from sonde.sync.changes import FAILURES, Known
from sonde.sync.layout import FORMAT
from sonde.sync.pool import Job, Pool
from sonde.sync.worker import TOO_DEEP

_FACTS_BATCH = 64  # files whose facts are stored in one transaction
_MANY_COMMITS = 50  # of a full-text writer, which keeps 1.5 KB of each until it is closed


def _failure(file: SourceFile, answer: SkipReason | str | None) -> SkippedFile:
    if isinstance(answer, SkipReason):  # before str, which it is too
        reason, detail = answer, ""
    elif answer is None:
        reason, detail = SkipReason.UNREADABLE, ""
    elif answer == TOO_DEEP:
        reason, detail = SkipReason.TOO_DEEP, ""
    else:
        reason, detail = SkipReason.PARSER_CRASH, answer
    return SkippedFile(file.path, reason, detail, file.size, file.mtime_ns)


class OpenIndex:
    """The open tables, full text, graph and workers of one workspace; needs the writer's lock."""

    def __init__(self, workspace: Workspace, pool: Pool) -> None:
        self.workspace = workspace
        self.pool = pool
        remove_relinking(workspace)
        self.database = open_for_writing(workspace.database)
        if meta(self.database, "format", FORMAT) != FORMAT:
            self.database.close()
            remove_index(workspace)
            self.database = open_for_writing(workspace.database)
        self._place = os.stat(workspace.database).st_ino
        self.generation = meta(self.database, "generation")
        self.facts = FactStore(workspace.facts, str(EXTRACTOR_VERSION))
        self.graph: Graph | None = None
        try:
            fulltext = FullTextWriter(workspace.fulltext, self.generation)
            if self.generation:
                check(workspace.arrays / str(self.generation))
                self.graph = load(workspace.arrays / str(self.generation))
        except (FileNotFoundError, ValueError) as error:
            raise StoreError(
                ProblemKind.CORRUPT, f"{workspace.folder} is damaged: parts are missing"
            ) from error
        self.writer = Writer(self.database, fulltext)
        self._commits = 0  # of that full text
        self._was_complete = self.complete
        self.known = Known(self.database)

    @property
    def next_generation(self) -> int:
        """The number of the generation being written.

        A new index starts at the present second, so that one built again after damage never
        repeats a number that a reader may still hold.
        """
        return self.generation + 1 if self.generation else int(time.time())

    @property
    def complete(self) -> bool:
        """Whether all files have been indexed and linked at least once."""
        return bool(meta(self.database, "complete"))

    @cached_property
    def files(self) -> FileTable:
        """All indexed files as linking looks them up; edits keep it up to date."""
        return FileTable(self.database)

    def is_current(self) -> bool:
        """Whether no other process has written since then."""
        try:
            in_place = os.stat(self.workspace.database).st_ino == self._place
        except OSError:
            return False
        return in_place and meta(self.database, "generation") == self.generation

    def begin(self) -> None:
        """Open the transaction that `commit` ends."""
        self.database.execute("BEGIN IMMEDIATE")

    def commit(self, graph: Graph, *, share: float) -> None:
        """Make what was written visible as the next generation."""
        self.writer.finish()
        set_meta(self.database, "format", FORMAT)
        set_meta(self.database, "share_ppm", int(share * 1_000_000))
        generation = self.next_generation
        publish(
            self.workspace,
            self.database,
            self.writer.fulltext,
            graph,
            generation,
            complete=self._was_complete,
        )
        self._was_complete = self.complete
        self._commits += 1
        self._forget_outlines()
        self.generation = generation
        self.graph = graph

    def take_fulltext(self, fulltext: FullTextWriter) -> None:
        """Continue with another full text, which the next commit makes visible."""
        self.writer.fulltext.close()
        self.writer.fulltext = fulltext
        self._commits = 0

    @property
    def fulltext_has_grown(self) -> bool:
        """Whether its writer holds more than a new one would."""
        return self._commits >= _MANY_COMMITS

    def reopen_fulltext(self) -> None:
        """Continue with a new writer of the same full text; needs the writer's lock."""
        self.take_fulltext(FullTextWriter(self.workspace.fulltext, self.generation))

    def extract(
        self, files: Sequence[SourceFile]
    ) -> Iterator[tuple[SourceFile, Extracted | SkippedFile]]:
        """What the workers make of files, as it arrives; new facts are stored on the way."""
        jobs = [Job(file, (file.path, file.language)) for file in files]
        fresh: list[tuple[bytes, str, bytes]] = []
        for file, answer in self.pool.run("extract", jobs):
            if isinstance(answer, tuple):
                found = Extracted.of(answer)
                if found.encoded is not None:
                    fresh.append((found.hash, file.language, found.encoded))
                yield file, found
            elif file is not None:
                yield file, _failure(file, answer)
            if len(fresh) >= _FACTS_BATCH:
                self.facts.add(fresh)
                fresh.clear()
        self.facts.add(fresh)

    def restore_facts(self, files: Sequence[StoredFile]) -> None:
        """Extract again what the shared facts no longer hold, since linking needs it."""
        lost = [
            SourceFile(file.path, file.language, file.kind, 0, 0)
            for file in files
            if not self.facts.has(file.hash, file.language)
        ]
        for _ in self.extract(lost):
            pass

    def prune_facts(self) -> None:
        """Forget facts that nobody is likely to ask for again."""
        rows = self.database.execute("SELECT hash, language FROM files WHERE module != 0")
        self.facts.prune(set(rows))

    def put_skip(self, skip: SkippedFile, file: SourceFile | None = None) -> None:
        """Note a file that is not indexed."""
        self.writer.put_skip(skip, self.next_generation, file)
        self.known.put_skip(skip, file)

    def put_failure(self, file: SourceFile, failure: SkippedFile) -> None:
        """Note a file that could not be read, or broke its parser."""
        self.put_skip(failure, file if failure.reason in FAILURES else None)

    def rest(self) -> None:
        """Give back what made edits in a row a little quicker: 40 MB on django after a thousand.

        The next edit reads its pages again, in some 10 ms.
        """
        self._forget_outlines()
        rest(self.database)
        self.facts.rest()

    def _forget_outlines(self) -> None:
        if "files" in self.__dict__:  # which a first index does not have to load
            self.files.forget_outlines()

    def close(self) -> None:
        """Release all files; an open transaction is rolled back."""
        self.writer.fulltext.close()
        self.facts.close()
        self.database.close()
