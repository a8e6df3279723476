"""The process that parses and links, so that a crash or a hang costs one file.

It answers frames on stdin with frames on stdout, one answer per job, and ends
with its stdin, so that no orphan survives the process that started it.
"""

from __future__ import annotations

import gc
import os
import signal
import struct
import sys
import zlib
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import IO, Any

from sonde.extract import EXTRACTOR_VERSION, extract, module_name
from sonde.extract.codec import decode, encode, symbols_of
from sonde.extract.symbol_codec import encode_symbols
from sonde.link.contracts import contract_rows
from sonde.link.manifests import is_manifest
from sonde.link.similarity import sketches
from sonde.model import FileFacts, Kind
from sonde.store.documents import chunk_documents, symbol_documents
from sonde.store.extracted import Extracted
from sonde.store.facts import FactStore, content_hash
from sonde.store.rows import chunk_rows, described, imports_blob
from sonde.store.tables import Tables
from sonde.sync.frames import pack_frame, read_frame
from sonde.sync.reading import Content, read_file

CPU_LIMIT = 5.0  # seconds of the processor for one file, as a busy machine is not the file's fault
TIME_OVER = signal.SIGPROF
TOO_DEEP = "nested too deeply"


def facts_for_path(facts: FileFacts, path: str) -> FileFacts:
    """Stored facts under another file's name; only the module symbol is named after the file."""
    if facts.symbols and facts.symbols[0].kind is not Kind.MODULE:
        from sonde.extract.component import named_after

        return named_after(facts, path)
    name = module_name(path)
    if not facts.symbols or facts.symbols[0].name == name:
        return facts
    module = facts.symbols[0]._replace(name=name, qualname=name)
    return replace(facts, symbols=(module, *facts.symbols[1:]))


def stored_facts(
    store: FactStore, content: bytes, language: str, path: str, *, shown: bool = True
) -> FileFacts | None:
    """The facts of a content, if it was extracted before and can still be read.

    Linking needs nothing of what is only `shown` of symbols.
    """
    encoded = store.get(content, language)
    if encoded is None:
        return None
    try:
        return facts_for_path(decode(encoded, shown=shown), path)
    except (ValueError, TypeError, EOFError, struct.error, zlib.error):
        return None  # a torn write costs one extraction


class Worker:
    """Extracts and links the files of one workspace."""

    def __init__(self, root: str, facts: str, limit: int, overlay: str = "") -> None:
        self._root = root
        self._overlay = overlay
        self._facts = FactStore(Path(facts), str(EXTRACTOR_VERSION))
        self._limit = limit
        self._tables: Tables | None = None

    def extract(self, path: str, language: str) -> tuple[Any, ...] | None:
        """Facts, rows and documents of one file; None when it cannot be read."""
        content = self._read(path)
        return None if content is None else self.extracted(path, language, content).plain()

    def _read(self, path: str) -> Content | None:
        content = read_file(self._overlay, path, self._limit) if self._overlay else None
        return content or read_file(self._root, path, self._limit)

    def documents(self, path: str, language: str, name: bytes) -> tuple[Any, ...] | None:
        """The documents of a file's symbols and chunks; None when it has another content now."""
        content = self._read(path)
        if content is None or content_hash(content.data) != name:
            return None
        facts = stored_facts(self._facts, name, language, path)
        facts = facts or extract(path, language, content.data)
        return tuple(
            list(map(tuple, documents(path, facts, content.data)))
            for documents in (symbol_documents, chunk_documents)
        )

    def extracted(self, path: str, language: str, content: Content) -> Extracted:
        """Everything that the writer stores of a file with that content."""
        data = content.data
        name = content_hash(data)
        facts = stored_facts(self._facts, name, language, path)
        encoded = None
        if facts is None:
            facts = extract(path, language, data)
            encoded = encode(facts)
        symbols = encode_symbols(facts.symbols) if encoded is None else symbols_of(encoded)
        positions = range(len(facts.symbols))
        sketched = [(bucket, *sketch) for bucket, sketch in sketches(facts, positions)]
        return Extracted(
            name,
            content.size,
            content.mtime_ns,
            encoded,
            facts.package,
            described(facts, symbols, sketched),
            list(map(tuple, symbol_documents(path, facts, data))),
            chunk_rows(facts),
            list(map(tuple, chunk_documents(path, facts, data))),
            imports_blob(facts.imports),
            contract_rows(facts, positions),
            data.decode("utf-8", "replace") if is_manifest(path) else None,
        )

    def link(self, tables: str, file: int, content: bytes) -> tuple[bytes, ...] | None:
        """The links of one file by the tables in a database; None when its facts are gone."""
        from sonde.link.file import link_file
        from sonde.store.links import pack_links

        if self._tables is None:
            self._tables = _load_tables(tables)
        entry = self._tables.file_by_id(file)
        facts = stored_facts(self._facts, content, entry.language, entry.path, shown=False)
        if facts is None:
            return None
        return tuple(pack_links(link_file(entry, facts, self._tables.ids(file), self._tables)))


def _load_tables(database: str) -> Tables:
    from sonde.store.database import open_for_reading

    tables = Tables(open_for_reading(Path(database)))
    # The tables never become garbage. Searching them for it took a fifth of linking, and a third of
    # loading them.
    gc.disable()
    tables.preload()
    gc.freeze()
    gc.enable()
    return tables


def serve(requests: IO[bytes], answers: IO[bytes]) -> None:
    """Answer batches of jobs until the other side closes."""
    start = read_frame(requests)
    if start is None:
        return
    worker = Worker(*start)
    operations: dict[str, Callable[..., Any]] = {
        "extract": worker.extract,
        "documents": worker.documents,
        "link": worker.link,
    }
    while (batch := read_frame(requests)) is not None:
        operation, jobs = batch
        for job in jobs:
            # The signal's default action ends the process wherever it is, even deep in a parser.
            signal.setitimer(signal.ITIMER_PROF, CPU_LIMIT if operation != "link" else 0)
            answers.write(pack_frame(_attempt(operations[operation], job)))
            answers.flush()
        signal.setitimer(signal.ITIMER_PROF, 0)


def _attempt(operation: Callable[..., Any], job: tuple[Any, ...]) -> Any:
    """The answer to a job, or a text that says how it failed."""
    try:
        return operation(*job)
    except RecursionError:
        return TOO_DEEP
    except Exception as error:  # an error in one file must not cost the others
        return f"{type(error).__name__}: {error}".splitlines()[0][:200]


def main() -> None:
    """Serve on stdin and stdout; whatever else prints goes to stderr."""
    answers = os.fdopen(os.dup(1), "wb", buffering=1 << 16)
    os.dup2(2, 1)
    signal.signal(TIME_OVER, signal.SIG_DFL)
    gc.set_threshold(20_000, 20, 20)
    with suppress(BrokenPipeError, KeyboardInterrupt):
        serve(sys.stdin.buffer, answers)
    # Every answer is flushed and the store is read only: taking the tables of django apart one
    # by one at the end costs each worker a sixth of a second.
    os._exit(0)


if __name__ == "__main__":
    main()
