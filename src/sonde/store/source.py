"""The source text behind the index, read from disk and from nowhere else."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from sonde.discover import is_inside
from sonde.discover.reading import OPEN_FLAGS
from sonde.frozen import frozen


@frozen
class Stale:
    """A file whose indexed text cannot be shown any more."""

    path: str
    reason: str


def read_source(root: str, path: str, overlay: Path | None = None, most: int = -1) -> bytes | Stale:
    """The bytes of a regular file below the resolved root, links not followed; the first `most`.

    A file below `overlay` stands in for the one of the same path.
    """
    if overlay is not None:
        buffer = read_source(os.path.realpath(overlay), path, most=most)
        if not isinstance(buffer, Stale):
            return buffer
    full = f"{root}/{path}"
    try:
        if not _lies_inside(root, path):
            return Stale(path, "lies outside the workspace")
        descriptor = os.open(full, OPEN_FLAGS)
        try:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                return Stale(path, "is not a regular file")
            with open(descriptor, "rb", buffering=0, closefd=False) as file:
                return file.read(most)
        finally:
            os.close(descriptor)
    except OSError as error:
        return Stale(path, f"cannot be read: {(error.strerror or 'unknown error').lower()}")
    except ValueError:  # a character that no path can have
        return Stale(path, "is no path")


def _lies_inside(root: str, path: str) -> bool:
    """Whether the folder of a file is the resolved root or below it.

    Only the folders below the root are looked at, and resolved only if one of them is a link: that
    takes a fifth of the time of resolving all of them, and a question reads some six files.
    """
    folder = root
    for name in path.split("/")[:-1]:
        folder = f"{folder}/{name}"
        if name == ".." or os.path.islink(folder):
            return is_inside(root, os.path.realpath(os.path.dirname(f"{root}/{path}")))
    return True
