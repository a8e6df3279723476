"""The folder in which git keeps what is checked out, read without git."""

from __future__ import annotations

import os
import time
from itertools import chain
from pathlib import Path

from sonde.discover.reading import read_start

_LONGEST_POINTER = 4096  # bytes
_CHECKOUT = 60.0  # seconds that git may take to write the files of one checkout


def own_git_dir(root: Path) -> Path | None:
    """The folder in which git keeps what is checked out around `root`."""
    for folder in chain((root,), root.parents):  # most often the first has it
        marker = folder / ".git"
        if os.path.isdir(marker):
            return Path(os.path.realpath(marker))
        if os.path.isfile(marker):
            return _linked_git_dir(marker)
    return None


def git_is_writing(root: Path) -> bool:
    """Whether git is checking files out, or otherwise changing its index, at this moment.

    A killed git leaves its lock behind, so an old one proves nothing.
    """
    own = own_git_dir(root)
    try:
        return own is not None and time.time() - (own / "index.lock").stat().st_mtime < _CHECKOUT
    except OSError:
        return False


def common_git_dir(root: Path) -> Path | None:
    """The folder that all worktrees of the repository around `root` share."""
    own = own_git_dir(root)
    return None if own is None else common_to_worktrees(own)


def common_to_worktrees(own: Path) -> Path:
    """The same, when the folder of what is checked out is known."""
    common = git_text(own / "commondir")
    return _at(own, common) or own if common else own


def git_text(path: Path) -> str:
    """The text of one of git's small files; "" when there is none."""
    # Resolving takes longer than reading, and each question reads two of them.
    place = os.path.realpath(path) if os.path.islink(path) else str(path)
    data = read_start(place, _LONGEST_POINTER)
    return "" if data is None else data.decode("utf-8", "surrogateescape").strip()


def _linked_git_dir(marker: Path) -> Path | None:
    """Follow the `.git` file of a worktree or submodule."""
    kind, _, place = git_text(marker).partition(":")
    return _at(marker.parent, place.strip()) if kind == "gitdir" else None


def _at(folder: Path, written: str) -> Path | None:
    """A path as one of git's files writes it; None for what is no path."""
    return None if "\0" in written else Path(os.path.realpath(folder / written))
