"""What was asked for lately, so that a process that answers for days does not grow."""

from __future__ import annotations

from collections.abc import Callable
from functools import _lru_cache_wrapper, lru_cache
from typing import Any, TypeVar

K = TypeVar("K")
V = TypeVar("V")
_NOTHING: dict[Any, Any] = {}
_forgetting: list[Callable[[], object]] = []


def remembered(most: int) -> Callable[[Callable[..., V]], _lru_cache_wrapper[V]]:
    """`lru_cache` for what a process at rest need not know."""

    def remembering(function: Callable[..., V]) -> _lru_cache_wrapper[V]:
        made = lru_cache(maxsize=most)(function)
        forgotten_by(made.cache_clear)
        return made

    return remembering


def forgotten_by(forget: Callable[[], object]) -> None:
    """Have something called that forgets what a process at rest need not know."""
    _forgetting.append(forget)


def forget_remembered() -> None:
    """Forget all that was found out on the way to answers; it is found out again."""
    for forget in _forgetting:
        forget()


class Lately(dict[K, V]):
    """Values made when they are asked for, remembered until `most` others were since.

    It holds the newest `most` and as many before them at most. A known key costs what it costs
    in a plain dictionary: the loops of ranking look up thousands, and an order kept up to date
    with each use takes three times as long. `make` must not hold the owner of this dictionary,
    which only the garbage collector would free then.
    """

    def __init__(self, most: int, make: Callable[[K], V]) -> None:
        super().__init__()
        self._most = most
        self._make = make
        self._before: dict[K, V] = _NOTHING

    def __missing__(self, key: K) -> V:
        value = self._before.pop(key) if key in self._before else self._make(key)
        if len(self) >= self._most:
            self._before = dict(self)
            self.clear()
        self[key] = value
        return value

    def rest(self) -> None:
        """Forget all."""
        self.clear()
        self._before = _NOTHING
