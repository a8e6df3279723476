"""Where the vectors of a workspace are searched: one protocol, two stores."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from sonde.meaning.matrix import Direction, Rows


class Unavailable(Exception):
    """A store or a model that cannot be used now; the message is one line for the user."""


class Point(NamedTuple):
    """What a vector stands for: a symbol by its name, and where it is in its file."""

    name: str
    kind: str
    start_byte: int
    end_byte: int


@dataclass(frozen=True, slots=True)
class FileVectors:
    """The vectors of one file's content, one row per point."""

    path: str
    hash: bytes  # of the content; other content has other points
    language: str
    tags: tuple[str, ...]
    changed: int  # seconds since 1970
    points: tuple[Point, ...]
    rows: Rows


@dataclass(frozen=True, slots=True)
class Within:
    """Which files a search looks at. What is empty does not narrow it."""

    languages: frozenset[str] = frozenset()
    module: str = ""  # a folder, or a file
    since: int = 0  # files changed then or later, in seconds since 1970


EVERYWHERE = Within()


class Nearest(NamedTuple):
    """A point of a search: the `ordinal`-th of the file with that content."""

    path: str
    hash: bytes
    ordinal: int
    cosine: float


class VectorStore(Protocol):
    """Vectors by file. A file has all its points or none; writers come one at a time."""

    def files(self) -> Mapping[str, bytes]:
        """The content hash of each file that has points."""

    def replace(self, file: FileVectors) -> None:
        """Replace a file's points."""

    def remove(self, paths: Collection[str]) -> None:
        """Remove the points of some files."""

    def flush(self) -> None:
        """Let searches see what was written."""

    def search(
        self, direction: Direction, limit: int, within: Within = EVERYWHERE
    ) -> list[Nearest]:
        """The points nearest to a unit vector, nearest first, ties by place."""

    def remove_others(self) -> None:
        """Remove what other models have stored for the workspace."""

    def close(self) -> None:
        """Release what is open."""
