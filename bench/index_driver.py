"""Steps of the index benchmark that need a separate process.

python -m bench.index_driver parse REPO        bare tree-sitter parse of all indexed code
python -m bench.index_driver index REPO CACHE  a full index, without the history
python -m bench.index_driver history REPO CACHE  the history of an indexed folder
python -m bench.index_driver edit REPO CACHE   edits of single files, seen by a warm process
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from sonde.discover import DiscoverRules, discover
from sonde.extract.spec import load_query, load_spec
from sonde.model import FileKind, SourceFile

_EDITS = 7
_HISTORY_SECONDS = 120.0


def code_files(repo: Path) -> tuple[list[SourceFile], int]:
    """The code files that an index of the folder covers, and the total bytes it indexes."""
    files = discover(repo, DiscoverRules()).files
    code = [file for file in files if load_spec(file.language) is not None]
    return code, sum(file.size for file in files)


def parse(repo: Path) -> dict[str, float]:
    """CPU seconds of reading and parsing, without start-up and without traversing the trees."""
    files, indexed_bytes = code_files(repo)
    parsers = {file.language: load_query(file.language)[0] for file in files}
    start = time.process_time()
    for file in files:
        parsers[file.language].parse((repo / file.path).read_bytes())
    return {
        "cpu": time.process_time() - start,
        "files": len(files),
        "code_bytes": sum(file.size for file in files),
        "indexed_bytes": indexed_bytes,
    }


def index(repo: Path, cache: Path) -> dict[str, int]:
    """Build a full index; the calling process measures it."""
    from sonde.store.location import workspace
    from sonde.sync.report import SyncReport
    from sonde.sync.update import sync

    report = sync(workspace(repo, cache))
    if not isinstance(report, SyncReport):
        raise SystemExit(report.message)
    return {"files": report.files}


def history(repo: Path, cache: Path) -> dict[str, int]:
    """Read all of the usable history, and report the space it takes."""
    from sonde.history.refresh import refresh
    from sonde.history.store import Unread, open_history
    from sonde.store.location import workspace

    place = workspace(repo, cache)
    commits = open_history(place.history)
    if isinstance(commits, Unread):
        raise SystemExit(commits.message)
    refresh(repo, commits, _HISTORY_SECONDS)
    commits.close()
    return {"bytes": place.history.stat().st_size}


def edit(repo: Path, cache: Path) -> dict[str, list[float]]:
    """Seconds from a file change to an index that contains it, in a warm process.

    `processor` is this process's CPU time, which a busy machine does not affect.

    An edit inserts an empty line at the top, which moves every definition in the file. Files are
    of medium size, spread over the repository.
    """
    from sonde.store.location import workspace
    from sonde.sync.report import SyncReport
    from sonde.sync.update import Synchronizer

    files = [file for file in code_files(repo)[0] if file.kind is FileKind.SOURCE]
    by_size = sorted(files, key=lambda file: (file.size, file.path))
    middle = by_size[len(by_size) // 3 : 2 * len(by_size) // 3 + 1]
    chosen = middle[:: max(1, len(middle) // _EDITS)][:_EDITS]
    keeper = Synchronizer(workspace(repo, cache))
    keeper.sync()
    seconds, processor = [], []
    try:
        for file in [chosen[0], *chosen]:
            path = repo / file.path
            replace(path, b"\n" + path.read_bytes())
            start, used = time.perf_counter(), time.process_time()
            report = keeper.sync()
            seconds.append(time.perf_counter() - start)
            processor.append(time.process_time() - used)
            if not isinstance(report, SyncReport) or file.path not in report.modified:
                raise SystemExit(f"the edit of {file.path} was not seen: {report}")
    finally:
        keeper.close()
    # The first edit also pays for opening the index for writing.
    return {"first": seconds[:1], "later": seconds[1:], "processor": processor[1:]}


def replace(path: Path, data: bytes) -> None:
    """Replace a file with a new one, since the old one may be hard-linked elsewhere."""
    beside = path.with_name(path.name + ".new")
    beside.write_bytes(data)
    beside.rename(path)


def main() -> None:
    """Run one step and print its figures."""
    step, repo = sys.argv[1], Path(sys.argv[2])
    steps: dict[str, Callable[[Path, Path], Any]] = {
        "index": index,
        "history": history,
        "edit": edit,
    }
    print(json.dumps(parse(repo) if step == "parse" else steps[step](repo, Path(sys.argv[3]))))


if __name__ == "__main__":
    main()
