"""What differs between disk and index: by size and time first, by content when in doubt."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Mapping
from dataclasses import replace
from pathlib import Path

from sonde.discover import KnownFile, Walker, with_overlay
from sonde.discover.rules import skipped_file
from sonde.frozen import frozen
from sonde.model import SkippedFile, SkipReason, SourceFile
from sonde.store.errors import ProblemKind, StoreError
from sonde.store.rows import FILE_KIND

# Set by sync; the walk knows nothing of these and would take such a file again.
FAILURES = frozenset({SkipReason.PARSER_CRASH, SkipReason.PARSER_TIMEOUT, SkipReason.TOO_DEEP})
_REASONS = {reason.value: reason for reason in SkipReason}


@frozen
class Changes:
    """Files to look at again, and those to forget."""

    read: tuple[SourceFile, ...]
    skip: tuple[SkippedFile, ...]
    touch: tuple[SkippedFile, ...]  # skipped as before, only with another time
    gone: tuple[str, ...]
    found: int  # files worth indexing on disk

    def starting_with(self, paths: Collection[str]) -> Changes:
        """The same, with these files read before the others."""
        if not paths:
            return self
        read = sorted(self.read, key=lambda file: file.path not in paths)
        return replace(self, read=tuple(read))

    @property
    def none(self) -> bool:
        """Whether the index equals the disk."""
        return not (self.read or self.skip or self.touch or self.gone)


class Known:
    """What the index says about each path."""

    def __init__(self, database: sqlite3.Connection | None) -> None:
        self.files: dict[str, KnownFile] = {}
        self.skipped: dict[str, tuple[SkipReason, str]] = {}
        if database is None:
            return
        rows = database.execute(
            "SELECT path, size, mtime_ns, language, kind, skip, detail FROM files"
        )
        for path, size, mtime_ns, language, kind, skip, detail in rows:
            reason = _REASONS[skip] if skip else None
            if reason is not None:
                self.skipped[path] = (reason, detail or "")
            walks_reason = None if reason in FAILURES else reason
            self.files[path] = KnownFile(size, mtime_ns, language, FILE_KIND[kind], walks_reason)

    def put(self, file: SourceFile, size: int, mtime_ns: int) -> None:
        """Note that a file is indexed now."""
        self.files[file.path] = KnownFile(size, mtime_ns, file.language, file.kind)
        self.skipped.pop(file.path, None)

    def put_skip(self, skip: SkippedFile, file: SourceFile | None = None) -> None:
        """Note that a file is skipped now; `file` when the walk took it and its parser failed."""
        self.skipped[skip.path] = (skip.reason, skip.detail)
        known = skipped_file(skip.size, skip.mtime_ns, skip.reason)
        if file is not None:
            known = KnownFile(file.size, file.mtime_ns, file.language, file.kind)
        self.files[skip.path] = known

    def forget(self, path: str) -> None:
        """Note that a file is gone."""
        self.files.pop(path, None)
        self.skipped.pop(path, None)


def changes_seen_by(
    walker: Walker,
    root: Path,
    known: Known,
    overlay: Path | None = None,
    met: Mapping[str, KnownFile] | None = None,
) -> Changes:
    """Let a walker of the workspace walk, with unsaved buffers over the disk, and compare.

    What was `met` on an earlier walk, newer than the index, need not be read for its kind again.
    """
    discovery = walker.walk({**known.files, **met} if met else known.files)
    if overlay is not None:
        discovery = with_overlay(discovery, overlay)
    if any(each.path == "." for each in discovery.skipped):
        raise StoreError(ProblemKind.NO_ROOT, f"{root} is not a folder that can be read")
    read = []
    seen = set()
    for file in discovery.files:
        seen.add(file.path)
        old = known.files.get(file.path)
        if old is None or old != (file.size, file.mtime_ns, file.language, file.kind, None):
            read.append(file)
    skip, touch = [], []
    for each in discovery.skipped:
        seen.add(each.path)
        if known.skipped.get(each.path) != (each.reason, each.detail):
            skip.append(each)
        elif known.files[each.path][:2] != (each.size, each.mtime_ns):
            touch.append(each)
    gone = tuple(sorted(path for path in known.files if path not in seen))
    return Changes(tuple(read), tuple(skip), tuple(touch), gone, len(discovery.files))
