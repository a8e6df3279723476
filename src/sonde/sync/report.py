"""What a sync tells: progress while it runs, and a report at the end."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from sonde.frozen import frozen


class Progress(NamedTuple):
    """How far a sync has come: `stage` is "extract", "link", or "embed" for a model's reading."""

    stage: str
    done: int
    total: int


ProgressCallback = Callable[[Progress], None]


def silent(_: Progress) -> None:
    """Progress that nobody wants to see."""


@frozen
class SyncReport:
    """What a sync did. `generation` is the newest one afterwards."""

    generation: int
    files: int  # indexed, after the sync
    added: tuple[str, ...] = ()
    modified: tuple[str, ...] = ()
    deleted: tuple[str, ...] = ()
    relinked: int = 0
    failed: tuple[str, ...] = ()  # could not be read, or broke their parser
    unlinked: tuple[str, ...] = ()  # their definitions are known, not what they use
    seconds: float = 0.0
    notice: str = ""  # one line when something had to be repaired

    @property
    def changed(self) -> bool:
        """Whether the index changed."""
        return bool(self.added or self.modified or self.deleted or self.relinked)
