"""Which literal texts a long output can contain, judged by its pairs of characters.

A hundred signs are looked for in each output, and a search through a megabyte takes half a
millisecond. One pass that notes which pairs of bytes occur rules nearly all of them out.
"""

from __future__ import annotations

from functools import lru_cache

import numpy
from numpy.typing import NDArray

_LONG = 50_000  # characters from which the pass costs less than the searches


def may_hold(text: str, sign: str) -> bool:
    """Whether a text can contain a sign; False is certain."""
    if len(text) < _LONG:
        return True
    known = _pairs(text)
    return all(known[pair] for pair in _pairs_of(sign))


@lru_cache(maxsize=1)
def _pairs(text: str) -> bytes:
    """One byte for each pair of bytes: whether it occurs."""
    place = _numbers(text.encode("utf-8", "surrogatepass"))
    found = numpy.zeros(1 << 16, numpy.bool_)
    found[place] = True
    return found.tobytes()


@lru_cache(maxsize=1_000)
def _pairs_of(sign: str) -> tuple[int, ...]:
    return tuple(_numbers(sign.encode("utf-8", "surrogatepass")).tolist())


def _numbers(data: bytes) -> NDArray[numpy.uint16]:
    """Each two neighbouring bytes as one number."""
    values = numpy.frombuffer(data, numpy.uint8).astype(numpy.uint16)
    pairs: NDArray[numpy.uint16] = values[:-1] << numpy.uint16(8)
    pairs |= values[1:]
    return pairs
