"""The cost of indexing, as ratios in one run: `python -m bench.index_cost REPO…`.

CPU time of a full index against a bare tree-sitter parse of the same files, both cores; memory
including children; size on disk against source, the history separately; a sync without changes;
an edit in a warm process; and start-up against `python -c pass`.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bench import archive
from bench.adapters.contract import Unavailable
from bench.adapters.definitions import sonde_program
from bench.adapters.sonde import isolated_environment
from bench.corpus import Corpus, CorpusError
from bench.data import Case
from bench.pins import PINS
from bench.process_cost import CommandFailed, run_measured
from bench.snapshot import GitError

_REPEATS = 5
_STARTS = 15


def index_figures(repo: Path, scratch: Path) -> dict[str, Any]:
    """All figures for one repository, copied by hard links so that edits do not reach it."""
    copy = scratch / repo.name
    shutil.copytree(repo, copy, symlinks=True, copy_function=_link)
    environment = isolated_environment(scratch)
    cache = Path(environment["SONDE_CACHE_DIR"])
    driver = [sys.executable, "-m", "bench.index_driver"]
    parsed = json.loads(run_measured([*driver, "parse", str(copy)], environment).output)
    full = run_measured([*driver, "index", str(copy), str(cache)], environment)
    size = _size(cache)
    # The history is read after the index exists, so it is counted separately.
    history = run_measured([*driver, "history", str(copy), str(cache)], environment)
    command = [sonde_program(), "index", "--repo", str(copy)]
    # A sync first checks the disk; the fastest of several is not disturbed by other programs.
    unchanged = [run_measured(command, environment) for _ in range(_REPEATS)]
    edits = json.loads(run_measured([*driver, "edit", str(copy), str(cache)], environment).output)
    return {
        "files": parsed["files"],
        "code_mb": round(parsed["code_bytes"] / 1e6, 2),
        "parse_cpu_s": round(parsed["cpu"], 2),
        "index_cpu_s": round(full.cpu, 2),
        "index_wall_s": round(full.wall, 2),
        "cpu_ratio": round(full.cpu / parsed["cpu"], 2),
        "cores_busy": round(full.cores, 2),
        "peak_mb": round(full.peak_memory / 1e6),
        "disk_ratio": round(size / parsed["indexed_bytes"], 2),
        "disk_mb": round(size / 1e6, 1),
        "history_cpu_s": round(history.cpu, 2),
        "history_mb": round(json.loads(history.output)["bytes"] / 1e6, 1),
        "unchanged_s": round(statistics.median(each.wall for each in unchanged), 3),
        "unchanged_cpu_s": round(statistics.median(each.cpu for each in unchanged), 3),
        "first_edit_ms": round(1000 * edits["first"][0]),
        "edit_ms": round(1000 * statistics.median(edits["later"])),
        "edit_cpu_ms": round(1000 * statistics.median(edits["processor"])),
        "edit_worst_ms": round(1000 * max(edits["later"])),
    }


def _size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def find_repo(argument: str) -> Path:
    """A folder, or a pinned repository by its short name, added to the corpus if missing."""
    path = Path(argument)
    if path.is_dir():
        return path.resolve()
    if path.name not in PINS:
        raise CorpusError(f"no folder {path} and no pinned repository '{path.name}'")
    root = str(path.parent) if len(path.parts) > 1 else None
    pinned = Case("", path.name, "", "")
    return Corpus.at(root, None).folder(pinned)


def _link(source: str, destination: str) -> None:
    """A hard link if the file system allows it, else a copy."""
    try:
        os.link(source, destination, follow_symlinks=False)
    except OSError:
        shutil.copy2(source, destination, follow_symlinks=False)


def start_figures(environment: Mapping[str, str]) -> dict[str, float]:
    """Start-up of `sonde --version` against an empty Python program, measured alternately."""
    ours, bare = [], []
    for _ in range(_STARTS):
        ours.append(run_measured([sonde_program(), "--version"], environment).wall)
        bare.append(run_measured([sys.executable, "-c", "pass"], environment).wall)
    version, python = statistics.median(ours), statistics.median(bare)
    return {
        "version_ms": round(1000 * version, 1),
        "python_ms": round(1000 * python, 1),
        "start_ratio": round(version / python, 2),
    }


def print_figures(name: str, figures: Mapping[str, Any]) -> None:
    """Print one line per figure."""
    print(name)
    for label, value in figures.items():
        print(f"  {label:16s} {value}")


def save(figures: Mapping[str, Any], repos: Sequence[Path], out: str | None) -> Path:
    """Archive beside the quality results."""
    command = "python -m bench.index_cost " + " ".join(repo.name for repo in repos)
    told = {"command": command, "figures": figures}
    return archive.save_told("index", told, Path(out) if out else None)


def main() -> int:
    """Measure each repository named on the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("repos", nargs="+", metavar="REPO", help="a folder, django, kubernetes …")
    parser.add_argument("--out", help="results file (default: bench/results/index/)")
    options = parser.parse_args()
    figures: dict[str, Any] = {}
    try:
        repos = [find_repo(argument) for argument in options.repos]
        for repo in repos:
            with TemporaryDirectory(prefix=".index-", dir=repo.parent) as folder:
                figures[repo.name] = index_figures(repo, Path(folder))
            print_figures(repo.name, figures[repo.name])
        with TemporaryDirectory(prefix="run-") as folder:
            figures["start"] = start_figures(isolated_environment(Path(folder)))
        print_figures("start", figures["start"])
    except (CommandFailed, CorpusError, GitError, Unavailable) as error:
        print(f"index_cost: {error}", file=sys.stderr)
        return 2
    print(f"results: {save(figures, repos, options.out)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
