"""What an index holds, counted."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING

from sonde.frozen import frozen
from sonde.model import SkipReason

if TYPE_CHECKING:
    from sonde.store.index import Index


@frozen
class Status:
    """What an index holds, counted."""

    root: str
    generation: int
    indexed_at: int  # seconds since 1970
    age: float  # seconds
    share: float  # of the files that were found; below 1 while the first index is being built
    files: int
    symbols: int
    edges: int
    languages: tuple[tuple[str, int], ...]  # files, most first
    kinds: tuple[tuple[str, int], ...]
    skipped: tuple[tuple[SkipReason, int], ...]
    bytes: int  # of the indexed files
    unlinked: tuple[str, ...]  # files whose definitions are known, but not what they use


def counted(
    index: Index, indexed_at: int, reasons: Iterable[tuple[str, int]], unlinked: Iterable[str]
) -> Status:
    """The status of a generation; `reasons` are those of skipped files, most first."""
    files = index.files()
    return Status(
        str(index.workspace.root),
        index.generation,
        indexed_at,
        max(0.0, time.time() - indexed_at),
        index.share,
        len(files),
        int((index.graph.columns.file != 0).sum()),
        index.graph.edges,
        _by_number(file.language for file in files),
        _by_number(file.kind.value for file in files),
        tuple((SkipReason(reason), count) for reason, count in reasons),
        sum(file.size for file in files),
        tuple(unlinked) if index.share == 1.0 else (),
    )


def _by_number(values: Iterable[str]) -> tuple[tuple[str, int], ...]:
    return tuple(sorted(Counter(values).items(), key=lambda each: (-each[1], each[0])))
