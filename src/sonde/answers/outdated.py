"""How fresh an answer is, as its last fields tell it."""

from __future__ import annotations

from collections.abc import Iterable

from sonde.answers.state import State
from sonde.pack.freshness import named


def outdated(state: State, shown: Iterable[str]) -> tuple[tuple[str, ...], int, float]:
    """`stale`, `stale_count` and `indexed_share` of an answer that shows these files."""
    return named(state.stale, shown), len(state.stale), state.indexed_share
