"""Callables that use the same words, by cheap sketches compared only within a bucket."""

from __future__ import annotations

import re
from array import array
from collections.abc import Sequence
from operator import itemgetter
from typing import NamedTuple
from zlib import crc32

from sonde.lately import remembered
from sonde.model import CALLABLE_KINDS, FileFacts, RefKind

# Bound once: in Python 3.11 reading a member off its enum costs 15 times as much.
_REF_CALL = RefKind.CALL

_BINS = 16  # one 2-byte minimum each; half of them equal means a Jaccard index of about 0.5
_FEWEST = 5  # words; smaller bodies are alike by accident
_MOST_SCANNED = 20  # of one bucket: generated code can put thousands into one
_MOST_KEPT = 5
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_EMPTY = 0


class Sketch(NamedTuple):
    """The words of one callable, as the smallest hash in each of 16 bins."""

    symbol: int
    words: bytes  # two for each bin, zero for an empty one


@remembered(65536)
def _hash(word: str) -> int:
    # crc32 is linear in its input; the multiplication spreads it over the bins.
    return (crc32(word.encode("utf-8", "replace")) * 0x9E3779B1) & 0xFFFFFFFF


@remembered(65536)
def _name_words(name: str) -> tuple[str, ...]:
    return tuple(word.lower() for word in _WORD.findall(name))


def sketches(facts: FileFacts, ids: Sequence[int]) -> list[tuple[int, Sketch]]:
    """The bucket and sketch of each callable that has enough words to be compared."""
    called: dict[int, set[str]] = {}
    first_block = len(facts.symbols)
    for kind, name, _, _, scope, _ in facts.references:
        if kind is _REF_CALL:
            while scope >= first_block:
                scope = facts.blocks[scope - first_block]
            known = called.get(scope)
            if known is None:
                called[scope] = {name}
            else:
                known.add(name)
    found = []
    for index in sorted(called):
        symbol = facts.symbols[index]
        if symbol.kind not in CALLABLE_KINDS:
            continue
        names = called[index]
        if len(names) < _FEWEST - 2:
            continue
        words = names.union(_name_words(symbol.name), [param.name for param in symbol.params])
        if len(words) >= _FEWEST:
            found.append(_sketch(ids[index], words))
    return found


def _sketch(symbol: int, words: set[str]) -> tuple[int, Sketch]:
    hashes = sorted(map(_hash, words))
    bins = [_EMPTY] * _BINS
    for each in reversed(hashes):
        bins[each % _BINS] = each >> 16 or 1
    bucket = (hashes[0] * 31 + hashes[1]) & 0x7FFFFFFF
    return bucket, Sketch(symbol, array("H", bins).tobytes())


def nearest(own: Sketch, bucket: Sequence[Sketch]) -> list[int]:
    """The symbols of a bucket that share at least half of the words, best first."""
    if len(bucket) < 2:
        return []
    mine = array("H", own.words)
    alike = []
    for other in bucket[:_MOST_SCANNED]:
        if other.symbol == own.symbol:
            continue
        share = _jaccard(mine, array("H", other.words))
        if share >= 0.5:
            alike.append((-share, other.symbol))
    alike.sort(key=itemgetter(0))  # ties stay in bucket order, which does not depend on ids
    return [symbol for _, symbol in alike[:_MOST_KEPT]]


def _jaccard(left: array[int], right: array[int]) -> float:
    same = used = 0
    for a, b in zip(left, right, strict=True):
        if a or b:
            used += 1
            same += a == b
    return same / used if used else 0.0
