"""The least that an index of these facts costs with our dependencies:
`python -m bench.index_floor REPO`.

Each figure is the CPU time, threads included, of one step alone on inputs prepared beforehand, as a
multiple of a bare tree-sitter parse of the same files: the parse, the queries whose captures become
Python objects, the engine's documents, the rows of the tables, compression, messages between
processes, vectors. Whatever an index costs beyond their sum is our own Python code.
"""

from __future__ import annotations

import argparse
import gc
import marshal
import shutil
import sqlite3
import subprocess
import sys
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import tree_sitter

from bench import archive
from bench.corpus import CorpusError
from bench.index_cost import find_repo, print_figures
from bench.index_driver import code_files, index
from sonde.discover import DiscoverRules, discover
from sonde.extract.spec import load_query
from sonde.meaning.encode import encode_documents
from sonde.model import CALLABLE_KINDS, TYPE_KINDS, FileKind, SourceFile
from sonde.store.database import open_for_reading, open_for_writing
from sonde.store.facts import FactStore
from sonde.store.fulltext import FullTextWriter
from sonde.store.location import Workspace, workspace
from sonde.store.rows import KINDS
from sonde.sync.reading import Content
from sonde.sync.worker import Worker

_REPEATS = 3
_COMPRESSION = 4  # the same level as the index
_PROCESSES = 3  # the writer and two workers
_MEANT = CALLABLE_KINDS | TYPE_KINDS  # what gets a vector
_Texts = list[tuple[SourceFile, tuple[Any, ...]]]


def floor_figures(repo: Path, scratch: Path) -> dict[str, float]:
    """Multiples of the bare parse, and the parse time in seconds."""
    code, _ = code_files(repo)
    data = {file.path: (repo / file.path).read_bytes() for file in code}
    place = workspace(repo, scratch / "cache")
    index(repo, scratch / "cache")
    texts = list(_texts(repo, place))
    rows = _rows(place)
    plain = list(_compressed(rows))
    gc.freeze()
    seconds = {
        "parse": _least(lambda: _parse(code, data)),
        "parse and query": _least(lambda: _query(code, data)),
        "full text": _least(lambda: _write_text(texts, scratch / "text")),
        "tables": _least(lambda: _write_rows(rows, scratch / "copy.db")),
        "compression": _least(lambda: [zlib.compress(each, _COMPRESSION) for each in plain]),
        "messages": _least(lambda: [marshal.loads(marshal.dumps(each[:2])) for _, each in texts]),
        "vectors": _least(lambda: [encode_documents(each) for _, (_, _, each) in texts if each]),
        "starts": _PROCESSES * _start(),
    }
    parse = seconds["parse"]
    figures = {name: round(value / parse, 2) for name, value in seconds.items()}
    return {**figures, "parse_s": round(parse, 2)}


def _least(step: Callable[[], object]) -> float:
    """CPU seconds of a step; the minimum of several is not disturbed by other programs."""
    found = []
    for _ in range(_REPEATS):
        start = time.process_time()
        step()
        found.append(time.process_time() - start)
    return min(found)


def _parse(files: list[SourceFile], data: dict[str, bytes]) -> None:
    for file in files:
        load_query(file.language)[0].parse(data[file.path])


def _query(files: list[SourceFile], data: dict[str, bytes]) -> None:
    for file in files:
        parser, query = load_query(file.language)
        tree_sitter.QueryCursor(query).captures(parser.parse(data[file.path]).root_node)


def _texts(repo: Path, place: Workspace) -> Iterator[tuple[SourceFile, tuple[Any, ...]]]:
    """Each file with the documents of its symbols, its chunks and the symbols with a vector."""
    worker = Worker(str(repo), str(place.facts), sys.maxsize)
    for file in discover(repo, DiscoverRules()).files:
        content = Content((repo / file.path).read_bytes(), file.size, file.mtime_ns)
        found = worker.extracted(file.path, file.language, content)
        kinds = found.symbols.kinds if file.kind is FileKind.SOURCE else b""
        meant = [found.documents[at] for at, kind in enumerate(kinds) if KINDS[kind] in _MEANT]
        yield file, (found.documents, found.chunk_documents, meant)


def _write_text(texts: _Texts, folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    writer = FullTextWriter(folder, 0)
    first = 1
    for number, (file, (symbols, chunks, _)) in enumerate(texts, 1):
        writer.add(number, file.path, enumerate(symbols, first))
        writer.add(number, file.path, enumerate(chunks, first), chunks=True)
        first += len(symbols)
    writer.publish(1)
    writer.close()


def _rows(place: Workspace) -> dict[str, list[tuple[Any, ...]]]:
    """All rows of the tables, and of the facts."""
    with closing(open_for_reading(place.database)) as database:
        names = [
            name
            for (name,) in database.execute(
                "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'"
            )
        ]
        rows = {name: database.execute(f"SELECT * FROM {name}").fetchall() for name in names}
    with closing(sqlite3.connect(place.facts)) as facts:
        query = "SELECT hash, language, data FROM facts ORDER BY rowid"
        rows["facts"] = facts.execute(query).fetchall()
    return rows


def _compressed(rows: dict[str, list[tuple[Any, ...]]]) -> Iterator[bytes]:
    """The values that are stored compressed in the rows."""
    for value in (value for values in rows.values() for row in values for value in row):
        if isinstance(value, bytes):
            with suppress(zlib.error):
                yield zlib.decompressobj().decompress(value)


def _write_rows(rows: dict[str, list[tuple[Any, ...]]], place: Path) -> None:
    for each in place.parent.glob(f"{place.name}*"):
        each.unlink()
    facts = FactStore(place.with_name(f"{place.name}.facts"), "0")
    with closing(open_for_writing(place)) as database:
        database.execute("BEGIN")
        for table, values in rows.items():
            if table == "facts":
                facts.add(values)
            elif values:
                marks = ",".join("?" * len(values[0]))
                database.executemany(f"INSERT OR REPLACE INTO {table} VALUES ({marks})", values)
        database.execute("COMMIT")
    facts.close()


def _start() -> float:
    """CPU seconds of starting a worker."""
    import resource

    def used() -> float:
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime

    found = []
    for _ in range(_REPEATS):
        before = used()
        subprocess.run(
            [sys.executable, "-P", "-m", "sonde.sync.worker"], stdin=subprocess.DEVNULL, check=True
        )
        found.append(used() - before)
    return min(found)


def main() -> int:
    """Measure one repository."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("repo", metavar="REPO", help="a folder, django …")
    parser.add_argument("--out", help="results file (default: bench/results/index/)")
    options = parser.parse_args()
    try:
        repo = find_repo(options.repo)
    except CorpusError as error:
        print(f"index_floor: {error}", file=sys.stderr)
        return 2
    with TemporaryDirectory(prefix="floor-") as folder:
        figures = floor_figures(repo, Path(folder))
    print_figures(repo.name, figures)
    told = {"command": f"python -m bench.index_floor {repo.name}", "figures": {repo.name: figures}}
    print(
        f"results: {archive.save_told('floor', told, Path(options.out) if options.out else None)}"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
