"""What a search asks for: its words, and the filters among them."""

from __future__ import annotations

import os
import re
import time
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from sonde.answers.results import Refusal
from sonde.discover.language import CODE_EXTENSIONS
from sonde.model import Kind, SymbolRecord
from sonde.retrieve.view import View

_CALLED = {"golang": "go", "c#": "csharp", "c++": "cpp"}
_FILTER = re.compile(r"(?:^|\s)(lang|path|kind|since):(\S+)")
_AGE = re.compile(r"([0-9]{1,5})([hdw])")
_SECONDS = {"h": 3_600, "d": 86_400, "w": 604_800}


@dataclass(frozen=True, slots=True)
class Wanted:
    """A search text stripped of its filters, and the filters."""

    text: str
    languages: frozenset[str]
    paths: tuple[str, ...]
    kinds: frozenset[str]
    since: int = 0  # files changed then or later, in seconds since 1970
    recent: frozenset[str] | None = None  # the paths of these; None for any

    @property
    def some_files(self) -> bool:
        """Whether files are told apart by more than their language."""
        return bool(self.paths) or self.recent is not None

    def seen_in(self, view: View) -> Wanted:
        """The same, knowing which of the view's files changed lately enough."""
        if not self.since:
            return self
        place = view.index.workspace
        folders = [place.root, *([place.overlay] if place.overlay else [])]
        paths = (file.path for file in view.files.values())
        recent = frozenset(path for path in paths if _changed(path, folders) >= self.since)
        return replace(self, recent=recent)

    def names(self, view: View) -> list[str]:
        """The names of all symbols that pass the filters."""
        if not (self.languages or self.some_files or self.kinds):
            return view.index.names()
        files = {id for id, f in view.files.items() if self.takes_file(f.path, f.language)}
        kinds = [each for each in Kind if not self.kinds or _written(each) in self.kinds]
        return view.index.names_in(files, kinds)

    def takes_file(self, path: str, language: str) -> bool:
        """Whether a file passes the filters."""
        if self.languages and language.lower() not in self.languages:
            return False
        if self.recent is not None and path not in self.recent:
            return False
        return all(part in path.lower() for part in self.paths)

    def takes(self, record: SymbolRecord) -> bool:
        """Whether a symbol passes the filters."""
        if self.kinds and _written(record.kind) not in self.kinds:
            return False
        return self.takes_file(record.file, record.language)


def parse_search(text: str) -> Wanted | Refusal:
    """Split the filters `lang:`, `path:`, `kind:` and `since:` from a search text."""
    found: dict[str, list[str]] = {"lang": [], "path": [], "kind": [], "since": []}
    for name, value in _FILTER.findall(text):
        found[name].append(value.lower())
    known = {_written(kind) for kind in Kind}
    for kind in found["kind"]:
        if kind not in known:
            return Refusal(f"no kind {kind!r}: choose one of {', '.join(sorted(known))}")
    times = [_moment(each) for each in found["since"]]
    if None in times:
        wrong = found["since"][times.index(None)]
        ways = "since:12h, since:7d, since:2w or since:2026-01-31"
        return Refusal(f"no time {wrong!r}: write {ways}")
    rest = _FILTER.sub(" ", text).strip()
    languages = frozenset(each for name in found["lang"] for each in _languages(name))
    since = max(filter(None, times), default=0)
    return Wanted(rest, languages, tuple(found["path"]), frozenset(found["kind"]), since)


def _written(kind: Kind) -> str:
    """A kind as written in a filter: without blanks."""
    return kind.value.replace(" ", "-")


def _languages(name: str) -> tuple[str, ...]:
    """The languages that people call by this name; a file extension works too."""
    name = _CALLED.get(name, name)
    if name not in CODE_EXTENSIONS:
        name = next((own for own, e in CODE_EXTENSIONS.items() if name in e.split()), name)
    return ("typescript", "tsx") if name == "typescript" else (name,)


def _moment(written: str) -> int | None:
    """The time that an age (`7d`) or a date (`2026-01-31`) stands for, in seconds since 1970."""
    if age := _AGE.fullmatch(written):
        return max(1, int(time.time()) - int(age[1]) * _SECONDS[age[2]])
    try:
        return max(1, int(datetime.strptime(written, "%Y-%m-%d").timestamp()))
    except (ValueError, OverflowError):
        return None


def _changed(path: str, folders: list[Path]) -> int:
    """When a file was last written, or its unsaved buffer; 0 if it is gone."""
    written = 0
    for folder in folders:
        try:
            written = max(written, int(os.lstat(folder / path).st_mtime))
        except OSError:
            continue
    return written
