"""The benchmark's cases: one loader for each form of data file."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

PROJECT = Path(__file__).resolve().parent.parent
SHARED = PROJECT.parent / "shared" / "bench"

DEFAULT_FILES = {
    "symbols": "symbols-dev.jsonl",
    "sweep": "sweep30.jsonl",
    "localization": "localization-dev.jsonl.gz",
    "multilang": "multilang-dev.jsonl.gz",
    "search": "search-dev.jsonl.gz",
}
REWORDINGS = PROJECT / "bench" / "rewordings.jsonl"  # written by us, so it lives here
REQUESTS = PROJECT / "bench" / "requests.jsonl"  # likewise: symbol tasks on other repositories


class DataError(Exception):
    """A data file is missing or not of the expected form; the message is for the user."""


@dataclass(frozen=True, slots=True)
class Case:
    """What every case has. `commit` is empty where the data names only a repository."""

    id: str
    repo: str
    commit: str
    query: str


@dataclass(frozen=True, slots=True)
class SymbolTask(Case):
    """A task and the symbols a developer needs for it."""

    tier: str
    truth: tuple[str, ...]
    rewordings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SweepCase(Case):
    """A query on the Sweep code base with its files, symbols and intent."""

    files: tuple[str, ...]
    symbols: tuple[str, ...]
    intent: str


@dataclass(frozen=True, slots=True)
class LocalizationCase(Case):
    """An issue's text and the files and functions its fix changed."""

    language: str
    files: tuple[str, ...]
    symbols: tuple[str, ...]  # "path::Qualified.name"


@dataclass(frozen=True, slots=True)
class SearchCase(Case):
    """A search query and the files that answer it; only `root` is indexed."""

    language: str
    category: str
    root: str
    relevant: tuple[str, ...]
    secondary: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RewordedTask(Case):
    """A task, and the same wish in other words."""

    rewordings: tuple[str, ...]


def resolve(suite: str, data: str | None) -> Path:
    """The data file of a suite: the one given, or the one beside the project."""
    if data:
        path = Path(data)
        if not path.is_file():
            raise DataError(f"no data file at {path}")
        return path
    path = SHARED / DEFAULT_FILES[suite] if suite in DEFAULT_FILES else REWORDINGS
    if not path.is_file():
        raise DataError(
            f"no data for '{suite}': pass --data FILE (looked for {path.name} "
            f"in ../shared/bench beside the project)"
        )
    return path


def rows(path: Path) -> Iterator[dict[str, Any]]:
    """The JSON objects of a .jsonl or .jsonl.gz file."""
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            try:
                row = json.loads(line)
            except json.JSONDecodeError as error:
                raise DataError(f"{path}:{number}: not JSON ({error.msg})") from error
            if not isinstance(row, dict):
                raise DataError(f"{path}:{number}: not a JSON object")
            yield row


def load_symbols(path: Path) -> list[SymbolTask]:
    """Symbol tasks; those without a truth cannot be scored and are left out, as the scorer does."""
    return [
        SymbolTask(
            id=row["id"],
            repo=row["repo"],
            commit=row.get("base_commit", ""),
            query=row["description"],
            tier=row.get("tier", ""),
            truth=tuple(row["ground_truth"]),
            rewordings=tuple(row.get("rewordings", ())),
        )
        for row in _checked(path, "id", "repo", "description")
        if row.get("ground_truth")
    ]


def load_sweep(path: Path) -> list[SweepCase]:
    """Sweep queries, all about one code base; or symbol tasks, to be judged by their packs."""
    if any("ground_truth" in row for row in islice(rows(path), 1)):
        return [_as_sweep(task) for task in load_symbols(path)]
    return [
        SweepCase(
            id=row["id"],
            repo=row.get("repo", "sweep"),
            commit=row.get("base_commit", ""),
            query=row["query"],
            files=tuple(row["expected_files"]),
            symbols=tuple(row["expected_symbols"]),
            intent=row["expected_intent"],
        )
        for row in _checked(path, "id", "query", "expected_files", "expected_symbols")
    ]


def _as_sweep(task: SymbolTask) -> SweepCase:
    """A symbol task, whose truths are "path::Qualified.name", with no intent expected."""
    places = [truth.partition("::") for truth in task.truth]
    files = tuple(sorted({path for path, _, _ in places}))
    symbols = tuple(name for _, _, name in places)
    return SweepCase(task.id, task.repo, task.commit, task.query, files, symbols, "")


def load_localization(path: Path) -> list[LocalizationCase]:
    """Localisation cases of either file; each at its own commit."""
    return [
        LocalizationCase(
            id=row["id"],
            repo=row["repo"],
            commit=row["base_commit"],
            query=row["query"],
            language=row.get("lang", ""),
            files=tuple(row.get("gold_files") or ()),
            symbols=tuple(row.get("gold_symbols") or ()),
        )
        for row in _checked(path, "id", "repo", "base_commit", "query")
    ]


def load_search(path: Path) -> list[SearchCase]:
    """Search queries with their relevant files."""
    return [
        SearchCase(
            id=row["id"],
            repo=row["repo"],
            commit=row["base_commit"],
            query=row["query"],
            language=row.get("lang", ""),
            category=row.get("category", ""),
            root=(row.get("benchmark_root") or "").strip("/"),
            relevant=_paths(row["relevant"]),
            secondary=_paths(row.get("secondary") or ()),
        )
        for row in _checked(path, "id", "repo", "base_commit", "query", "relevant")
    ]


def load_rewordings(path: Path) -> list[RewordedTask]:
    """Tasks of our own writing, each said in several ways."""
    return [
        RewordedTask(row["id"], row["repo"], "", row["query"], tuple(row["rewordings"]))
        for row in _checked(path, "id", "repo", "query", "rewordings")
    ]


def _paths(targets: Iterable[str | dict[str, Any]]) -> tuple[str, ...]:
    """The files of search targets; a target may be a path or a place inside one."""
    paths = (target if isinstance(target, str) else target["path"] for target in targets)
    return tuple(dict.fromkeys(paths))


def _checked(path: Path, *fields: str) -> Iterator[dict[str, Any]]:
    """Rows that have the fields their form requires."""
    for number, row in enumerate(rows(path), 1):
        missing = [field for field in fields if field not in row]
        if missing:
            raise DataError(f"{path}: case {number} lacks {', '.join(missing)}")
        yield row
