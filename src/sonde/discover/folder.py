"""A folder on the walk: what is known before it is listed, while it is, and afterwards."""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

from sonde.discover.scope import FolderRules, Scope
from sonde.discover.stamp import Stamp
from sonde.discover.tracked import Tracks
from sonde.model import SkippedFile, SourceFile


class Takes(IntEnum):
    """What a folder is entered for."""

    ALL = 0  # that no rule leaves out
    TRACKED = 1  # git ignores the folder, but tracks files in it
    INCLUDED = 2  # left out itself, but on the way to what `include` names


class Folder(NamedTuple):
    """A folder to visit."""

    path: str  # relative to the root, "" for the root
    scope: Scope
    takes: Takes


class Here(NamedTuple):
    """The folder being visited."""

    prefix: str  # of the paths of all entries
    scope: Scope
    takes: Takes
    names: set[str]
    rules: FolderRules
    included: FolderRules | None  # what `include` takes here; None without such globs


class Seen(NamedTuple):
    """What one walk found in a folder."""

    folder: Folder
    stamp: Stamp | None  # None: look again, whatever its time says
    listed: Stamp | None  # the stamp before it was listed, whatever is in it
    marks: frozenset[str]  # the entries that change which ignore rules hold
    scope: Scope  # inside
    files: tuple[SourceFile, ...]
    skipped: tuple[SkippedFile, ...]
    below: tuple[Folder, ...]
    asked: tuple[tuple[str, Tracks], ...]  # paths that git would ignore, and what it tracks there
