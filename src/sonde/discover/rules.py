"""What a walk is told: the rules, and what an earlier walk already knows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from pathlib import Path
from typing import NamedTuple

from sonde.discover.gitconfig import user_excludes_file
from sonde.discover.leaveout import DEFAULT_LEAVE_OUTS, LeaveOut
from sonde.frozen import frozen
from sonde.model import Discovery, FileKind, SkipReason


@frozen
class DiscoverRules:
    """Which files a walk takes. Globs are written as in `.gitignore`, relative to the root."""

    ignore: tuple[str, ...] = ()
    include: tuple[str, ...] = ()  # taken even if another rule leaves them out
    max_file_bytes: int = 2_000_000
    leave_out: frozenset[LeaveOut] = DEFAULT_LEAVE_OUTS
    respect_gitignore: bool = True
    excludes_file: Path | None = field(default_factory=user_excludes_file)
    # Folders of Sonde's own, absolute. To close a database that was read like a file would drop the
    # locks that SQLite holds on it in this process.
    own: frozenset[str] = frozenset()


class KnownFile(NamedTuple):
    """What an earlier walk found out about a file by reading it."""

    size: int
    mtime_ns: int
    language: str
    kind: FileKind  # means nothing beside a reason
    reason: SkipReason | None = None


def skipped_file(size: int, mtime_ns: int, reason: SkipReason) -> KnownFile:
    """A file that was read and left out."""
    return KnownFile(size, mtime_ns, "", FileKind.TEXT, reason)


# These may cease to hold while the file stays the same: with another limit or permission.
NEVER_KNOWN = frozenset({SkipReason.TOO_LARGE, SkipReason.UNREADABLE})


def known_files(discovery: Discovery) -> Mapping[str, KnownFile]:
    """What the next walk can take over from a walk's result without reading."""
    known = {
        file.path: KnownFile(file.size, file.mtime_ns, file.language, file.kind)
        for file in discovery.files
    }
    for skip in discovery.skipped:
        if skip.mtime_ns and skip.reason not in NEVER_KNOWN:
            known[skip.path] = skipped_file(skip.size, skip.mtime_ns, skip.reason)
    return known
