"""Where the paths of a diff begin: at the root, or in the folder that `git diff --relative` was run
in, which the diff does not say."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from sonde.answers.diff import FileChange
from sonde.retrieve.view import View

_LOOKED_AT = 20  # files that must agree about the folder


def from_root(
    view: View, changes: Sequence[FileChange], fits: Callable[[FileChange], bool]
) -> Sequence[FileChange]:
    """The changes with paths from the root. They are taken to be from a folder only if no file
    fits at the root, and all do in one folder alone; a file fits if it has the diff's lines."""
    looked = [each for each in changes if each.new and (each.added or each.removed)]
    looked = looked[:_LOOKED_AT]
    if not looked or any(fits(each) for each in looked):
        return changes
    tail = f"/{looked[0].new}"
    ends = [path for path in view.paths_ending(looked[0].new) if path.endswith(tail)]
    folders = [path.removesuffix(tail) for path in ends]
    found = [folder for folder in folders if all(fits(_moved(each, folder)) for each in looked)]
    return [_moved(each, found[0]) for each in changes] if len(found) == 1 else changes


def _moved(change: FileChange, folder: str) -> FileChange:
    old, new = (f"{folder}/{path}" if path else "" for path in (change.old, change.new))
    return replace(change, old=old, new=new)
