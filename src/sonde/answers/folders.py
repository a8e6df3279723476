"""The folders above a file, and what build files they hold."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence

from sonde.retrieve.view import View


def folders_above(file: str) -> Iterator[str]:
    """The folders above a file, nearest first; "" is the workspace."""
    while file:
        file = file.rpartition("/")[0]
        yield file


def holds(view: View, folder: str, *names: str) -> bool:
    """Whether one of these files is in a folder."""
    return any(view.file_at(f"{folder}/{name}" if folder else name) is not None for name in names)


def nearest(view: View, file: str, *names: str) -> str:
    """The nearest folder above a file that holds one of these; the workspace if none does."""
    return next((each for each in folders_above(file) if holds(view, each, *names)), "")


def in_folder(folder: str, command: str) -> str:
    """A command that is run in a folder of the workspace."""
    return f"(cd {shlex.quote(folder)} && {command})" if folder else command


def quoted(folder: str, files: Sequence[str]) -> str:
    """Files as arguments of a command that is run in a folder above them."""
    paths = [file[len(folder) + 1 :] if folder else file for file in sorted(set(files))]
    # A path that begins with a dash would be taken for an option.
    return " ".join(shlex.quote(f"./{path}" if path.startswith("-") else path) for path in paths)
