"""Bounded caches of recent values, so that a process that runs for days does not grow."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import _lru_cache_wrapper, lru_cache
from itertools import filterfalse
from typing import Any, TypeVar

K = TypeVar("K")
V = TypeVar("V")
_NOTHING: dict[Any, Any] = {}
_forgetting: list[Callable[[], object]] = []


def remembered(most: int) -> Callable[[Callable[..., V]], _lru_cache_wrapper[V]]:
    """`lru_cache` for values that an idle process need not keep."""

    def remembering(function: Callable[..., V]) -> _lru_cache_wrapper[V]:
        made = lru_cache(maxsize=most)(function)
        forgotten_by(made.cache_clear)
        return made

    return remembering


def forgotten_by(forget: Callable[[], object]) -> None:
    """Register a callback that clears values an idle process need not keep."""
    _forgetting.append(forget)


def forget_remembered() -> None:
    """Clear everything cached on the way to answers; it is computed again when needed."""
    for forget in _forgetting:
        forget()


class Lately(dict[K, V]):
    """Values created on demand and cached until `most` others have been asked for.

    Holds the newest `most` and at most as many older ones. A cached key costs no more than in a
    plain dictionary: ranking loops look up thousands, and updating an order on each use takes
    three times as long. `make` must not hold a reference to the owner of this dictionary, which
    only the garbage collector could free then.
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

    def several(self, keys: Sequence[K], make: Callable[[list[K]], Mapping[K, V]]) -> list[V]:
        """The values of several keys, made together where they are new.

        Keys for which `make` has no value are asked for one by one.
        """
        if new := list(filterfalse(self.__contains__, keys)):
            before = self._before
            found = {key: before[key] for key in filter(before.__contains__, new)}
            if len(found) < len(new):
                found |= make(list(filterfalse(found.__contains__, new)))
            if len(self) + len(found) > self._most:
                self._before = dict(self)
                self.clear()
            if len(found) <= self._most:
                self.update(found)
        return list(map(self.__getitem__, keys))

    def rest(self) -> None:
        """Clear the cache."""
        self.clear()
        self._before = _NOTHING
