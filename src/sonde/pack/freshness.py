"""What an answer could not see: how complete the index is, and which files are newer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain, islice
from typing import Protocol

from sonde.pack.cards import visible_path

_NAMED = 20  # newer files that an answer names: a branch switch makes thousands
_SHOWN = 3  # of them appear in its text: enough to recognise the change


class Dated(Protocol):
    """An answer that reports how fresh it is."""

    @property
    def stale(self) -> tuple[str, ...]: ...
    @property
    def stale_count(self) -> int: ...
    @property
    def indexed_share(self) -> float: ...


def named(stale: Sequence[str], shown: Iterable[str]) -> tuple[str, ...]:
    """The newer files that an answer names, beginning with those it shows."""
    own = set(shown)
    rest = (path for path in stale if path not in own)
    return tuple(islice(chain((path for path in stale if path in own), rest), _NAMED))


def freshness(answer: Dated) -> list[str]:
    """The lines about freshness in the text of an answer."""
    lines: list[str] = []
    if answer.indexed_share < 1.0:
        # Rounded down, so that an index that still lacks files is never reported as complete.
        share = int(answer.indexed_share * 100)
        lines.append(f"partial: {share} % of the files are indexed so far")
    if answer.stale:
        shown = ", ".join(visible_path(path) for path in answer.stale[:_SHOWN])
        rest = answer.stale_count - _SHOWN
        lines.append(f"not refreshed: {shown}" + (f" and {rest} more" if rest > 0 else ""))
    return lines
