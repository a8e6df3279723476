"""The benchmark's cases: one loader per data file format."""

from __future__ import annotations

import gzip
import json
import posixpath
import re
import zlib
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
TASKS = PROJECT / "bench" / "tasks.jsonl"  # likewise, worded as the development tasks are
FURTHER_TASKS = PROJECT / "bench" / "further_tasks.jsonl"  # written later, some as titles
REPORTS = PROJECT / "bench" / "reports.jsonl"  # likewise: issues that known commits answer

# The types of each format's fields; other fields are ignored.
_TEXTS = (
    *("id", "repo", "base_commit", "description", "query", "tier", "lang", "category"),
    *("benchmark_root", "expected_intent"),
)
_LISTS = (
    *("ground_truth", "rewordings", "gold_files", "gold_symbols"),
    *("expected_files", "expected_symbols"),
)
_TARGETS = ("relevant", "secondary")
_PLACE = re.compile(r".*\.\w+::.")  # a file with its extension, then a name
_COMMIT = re.compile(r"[0-9a-fA-F]{7,64}")


class DataError(Exception):
    """A data file is missing or malformed; the message is for the user."""


@dataclass(frozen=True, slots=True)
class Case:
    """What every case has. `commit` is empty if the data names only a repository."""

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
    """A task, and the same request in other words."""

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
    for number, line in enumerate(_lines(path), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except json.JSONDecodeError as error:
            raise DataError(f"{path}:{number}: not JSON ({error.msg})") from error
        if not isinstance(row, dict):
            raise DataError(f"{path}:{number}: not a JSON object")
        yield row


def _lines(path: Path) -> list[str]:
    opener = gzip.open if path.suffix == ".gz" else open
    try:
        with opener(path, "rt", encoding="utf-8") as stream:
            return list(stream)
    except (OSError, EOFError, zlib.error, UnicodeDecodeError) as error:
        raise DataError(f"{path} cannot be read: {error}") from error


def load_symbols(path: Path) -> list[SymbolTask]:
    """Symbol tasks; those without a truth cannot be scored and are skipped, as by the scorer."""
    return [
        SymbolTask(
            id=row["id"],
            repo=row["repo"],
            commit=row.get("base_commit") or "",
            query=row["description"],
            tier=row.get("tier") or "",
            truth=tuple(row["ground_truth"]),
            rewordings=tuple(row.get("rewordings") or ()),
        )
        for row in _checked(path, "id", "repo", "description")
        if row.get("ground_truth")
    ]


def load_sweep(path: Path) -> list[SweepCase]:
    """Sweep queries, all about one code base; or symbol tasks, to be scored by their packs."""
    if any("ground_truth" in row for row in islice(rows(path), 1)):
        return [_as_sweep(task, path) for task in load_symbols(path)]
    return [
        SweepCase(
            id=row["id"],
            repo=row.get("repo") or "sweep",
            commit=row.get("base_commit") or "",
            query=row["query"],
            files=tuple(row["expected_files"]),
            symbols=tuple(row["expected_symbols"]),
            intent=row.get("expected_intent") or "",
        )
        for row in _checked(path, "id", "query", "expected_files", "expected_symbols")
    ]


def _as_sweep(task: SymbolTask, path: Path) -> SweepCase:
    """A symbol task, whose truths are "path::Qualified.name", with no intent expected."""
    bare = [truth for truth in task.truth if not _PLACE.match(truth)]
    if bare:
        raise DataError(
            f"{path}: packs are judged by their files, too, and '{bare[0]}' of {task.id} names none"
        )
    places = [truth.partition("::") for truth in task.truth]
    files = tuple(sorted({path for path, _, _ in places}))
    symbols = tuple(name for _, _, name in places)
    return SweepCase(task.id, task.repo, task.commit, task.query, files, symbols, "")


def load_localization(path: Path) -> list[LocalizationCase]:
    """Localisation cases from either file, each at its own commit."""
    return [
        LocalizationCase(
            id=row["id"],
            repo=row["repo"],
            commit=row["base_commit"],
            query=row["query"],
            language=row.get("lang") or "",
            files=tuple(row.get("gold_files") or ()),
            symbols=tuple(row.get("gold_symbols") or ()),
        )
        for row in _checked(path, "id", "repo", "base_commit", "query")
    ]


def load_search(path: Path) -> list[SearchCase]:
    """Search queries with their relevant files; those without any cannot be scored."""
    return [
        SearchCase(
            id=row["id"],
            repo=row["repo"],
            commit=row["base_commit"],
            query=row["query"],
            language=row.get("lang") or "",
            category=row.get("category") or "",
            root=_folder(row.get("benchmark_root") or ""),
            relevant=tuple(dict.fromkeys(_named_paths(row["relevant"]))),
            secondary=tuple(dict.fromkeys(_named_paths(row.get("secondary") or ()))),
        )
        for row in _checked(path, "id", "repo", "base_commit", "query", "relevant")
        if row["relevant"] or row.get("secondary")
    ]


def _folder(root: str) -> str:
    """A folder's path inside its repository; "" for the repository itself."""
    inside = posixpath.normpath(root.strip("/") or ".")
    return "" if inside == "." else inside


def load_rewordings(path: Path) -> list[RewordedTask]:
    """Tasks that we wrote, each worded in several ways; a single wording cannot be scored."""
    return [
        RewordedTask(
            id=row["id"],
            repo=row["repo"],
            commit=row.get("base_commit") or "",
            query=row["query"],
            rewordings=tuple(row["rewordings"]),
        )
        for row in _checked(path, "id", "repo", "query", "rewordings")
        if row["rewordings"]
    ]


def _checked(path: Path, *fields: str) -> Iterator[dict[str, Any]]:
    """Rows with all required fields, each of the right type; ids are unique."""
    seen: set[str] = set()
    for number, row in enumerate(rows(path), 1):
        missing = [field for field in fields if field not in row]
        if missing:
            raise DataError(f"{path}: case {number} lacks {', '.join(missing)}")
        problem = next(filter(None, (_problem(row, field, field in fields) for field in row)), "")
        if row["id"] in seen:
            problem = f"another case has the id '{row['id']}'"
        if problem:
            raise DataError(f"{path}: case {number}: {problem}")
        seen.add(row["id"])
        yield row


def _problem(row: dict[str, Any], field: str, required: bool) -> str:
    """What is wrong with a field of a row; empty if nothing is."""
    value = row[field]
    if value is None and not required:
        return ""
    if field in _TEXTS:
        if not isinstance(value, str) or (required and not value.strip()):
            return f"'{field}' is not a text"
        if field == "base_commit" and value and not _COMMIT.fullmatch(value):
            return f"'{value}' is not a commit"
    if field in _LISTS and not _are_texts(value):
        return f"'{field}' is not a list of texts"
    if field in _TARGETS and not (isinstance(value, list) and _are_texts(_named_paths(value))):
        return f"'{field}' is not a list of files"
    return ""


def _are_texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(each, str) for each in value)


def _named_paths(targets: Iterable[Any]) -> list[Any]:
    """The files of search targets; a target may be a path or a place inside one."""
    return [target.get("path") if isinstance(target, dict) else target for target in targets]
