"""Files that grow by a line at a time and lose their older half when they are too large."""

from __future__ import annotations

import errno
import os
from pathlib import Path

from sonde.store.whole_file import replace_file


def append_line(path: Path, line: str, largest: int) -> int:
    """Append a line; returns how many there are. Raises OSError, and then nothing is lost."""
    kept = path.read_bytes() if path.is_file() else b""
    if len(kept) > largest:
        lines = kept.splitlines(keepends=True)
        kept = b"".join(lines[len(lines) // 2 :])
        replace_file(path, kept)
    _write_behind(path, len(kept), line.encode() + b"\n")
    return kept.count(b"\n") + 1


def _write_behind(path: Path, size: int, line: bytes) -> None:
    """On a full disk no half of a line stays, which would spoil the next one as well."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
    with open(descriptor, "ab", buffering=0) as file:
        try:
            written = file.write(line)
            if written != len(line):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        except OSError:
            file.truncate(size)
            raise
