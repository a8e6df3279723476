"""How fresh an answer is, as reported in its last fields."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar, cast

from sonde.answers.results import NotFound
from sonde.answers.state import State
from sonde.pack.freshness import freshness, named

T = TypeVar("T")


def outdated(state: State, shown: Iterable[str]) -> tuple[tuple[str, ...], int, float]:
    """`stale`, `stale_count` and `indexed_share` for an answer that shows these files."""
    return named(state.stale, shown), len(state.stale), state.indexed_share


def told(answer: T, state: State) -> T:
    """The answer itself; if nothing was found, with the files that could not be searched."""
    if isinstance(answer, NotFound) and (unseen := freshness(state)):
        return cast(T, type(answer)(f"{answer.message} ({'; '.join(unseen)})"))
    return answer
