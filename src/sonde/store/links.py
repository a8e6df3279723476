"""What linking found out about one file, to bytes and back."""

from __future__ import annotations

import zlib
from array import array
from collections.abc import Collection, Iterable, Sequence
from itertools import chain
from operator import sub
from typing import TYPE_CHECKING, Any, NamedTuple
from zlib import crc32

from sonde.extract.packing import (
    pack_rising,
    pack_texts,
    packed,
    unpack_rising,
    unpack_texts,
    unpacked,
)
from sonde.link.links import Leaf
from sonde.model import EdgeKind, Provenance, RefKind, Unresolved

if TYPE_CHECKING:
    import numpy

    from sonde.link.links import FileLinks

_COMPRESSION = 4  # level: a tenth smaller than the fastest level, in hardly more time
MOST_AMBIGUOUS = 3  # candidates; beyond that a walk along them would only spread noise
# Bound once: in Python 3.11 reading a member off its enum costs 15 times as much.
_EDGE_CALLS = EdgeKind.CALLS
_HOW_AMBIGUOUS = Provenance.AMBIGUOUS
_REF_CALL = RefKind.CALL
_REF_KINDS = tuple(RefKind)
_EDGE_KINDS = tuple(EdgeKind)
EDGE_WIDTH = 5  # source, target, kind, line, provenance
_NUMBER = 4  # bytes
_EDGE_BYTES = 3 * _NUMBER + 2
KEY_BYTES = 3  # of a lookup key's number


class LinkRow(NamedTuple):
    """The four blobs of a file in the table `links`."""

    edges: bytes
    unresolved: bytes
    leaves: bytes
    consulted: bytes


def pack_links(links: FileLinks) -> LinkRow:
    """Links as blobs. Calls with few candidates are added to the edges, marked ambiguous."""
    ambiguous = [
        (source, candidate, _EDGE_CALLS, line, _HOW_AMBIGUOUS)
        for source, kind, _, _, line, candidates in links.unresolved
        if kind is _REF_CALL and len(candidates) <= MOST_AMBIGUOUS
        for candidate in candidates
    ]
    return LinkRow(
        _pack_edges([*links.edges, *ambiguous]),
        _pack_unresolved(links.unresolved),
        _pack_leaves(links.leaves),
        pack_keys(links.consulted),
    )


def key_numbers(keys: Iterable[str]) -> set[int]:
    """Lookup keys as 24 bits each.

    Two keys that share a number only cost a needless relink: with 300,000 recorded keys, for
    one in fifty changed ones.
    """
    return {number >> 8 for number in map(crc32, _encoded(list(keys)))}


def _encoded(keys: Collection[str]) -> list[bytes]:
    try:
        return list(map(str.encode, keys))
    except UnicodeEncodeError:  # a path that is not UTF-8
        return [key.encode("utf-8", "surrogatepass") for key in keys]


def pack_keys(keys: Collection[str]) -> bytes:
    """The numbers of lookup keys as bytes, sorted: all but the last byte of what 32 bits give."""
    numbers = array("I", sorted(set(map(crc32, _encoded(keys))))).tobytes()
    short = bytearray(len(numbers) // _NUMBER * KEY_BYTES)
    for at in range(KEY_BYTES):
        short[at::KEY_BYTES] = numbers[at + 1 :: _NUMBER]
    return bytes(short)


def unpack_keys(data: bytes) -> numpy.ndarray[Any, Any]:
    """Numbers of lookup keys, any number of packed ones at once."""
    import numpy

    numbers = numpy.zeros((len(data) // KEY_BYTES, _NUMBER), numpy.uint8)
    numbers[:, :KEY_BYTES] = numpy.frombuffer(data, numpy.uint8).reshape(-1, KEY_BYTES)
    return numbers.view(numpy.uint32).reshape(-1)


def _pack_edges(edges: Sequence[tuple[int, int, int, int, int]]) -> bytes:
    """Column by column and byte by byte, which takes half the room of rows."""
    if not edges:
        return b""
    sources, targets, kinds, lines, provenances = zip(*edges, strict=True)
    steps = (map(sub, each, chain((0,), each)) for each in (sources, lines))
    numbers = array("i", chain(*steps, targets)).tobytes()
    planes = b"".join(numbers[at::_NUMBER] for at in range(_NUMBER))
    return zlib.compress(planes + bytes(kinds) + bytes(provenances), _COMPRESSION)


def unpack_edges(data: bytes) -> numpy.ndarray[Any, Any]:
    """Edges as rows of source, target, kind, line, provenance."""
    import numpy

    if not data:
        return numpy.zeros((0, EDGE_WIDTH), numpy.int32)
    plain = zlib.decompress(data)
    count = len(plain) // _EDGE_BYTES
    edges = numpy.empty((count, EDGE_WIDTH), numpy.int32)
    planes = numpy.frombuffer(plain, numpy.uint8, 12 * count).reshape(_NUMBER, 3 * count)
    sources, lines, targets = planes.T.copy().view(numpy.int32).reshape(3, count)
    edges[:, 0] = numpy.cumsum(sources)
    edges[:, 1] = targets
    edges[:, 3] = numpy.cumsum(lines)
    edges[:, (2, 4)] = (
        numpy.frombuffer(plain, numpy.uint8, 2 * count, 12 * count).reshape(2, count).T
    )
    return edges


def unpack_unresolved(data: bytes) -> list[Unresolved]:
    """Uses without a known definition."""
    if not data:
        return []
    sources, kinds, names, receivers, lines, candidates = unpacked(data)
    return [
        Unresolved(source, _REF_KINDS[kind], name, receiver, line, tuple(found))
        for source, kind, name, receiver, line, found in zip(
            unpack_rising(sources),
            kinds,
            unpack_texts(names),
            unpack_texts(receivers),
            unpack_rising(lines),
            candidates,
            strict=True,
        )
    ]


def _pack_unresolved(unresolved: Sequence[Unresolved]) -> bytes:
    if not unresolved:
        return b""
    sources, kinds, names, receivers, lines, candidates = zip(*unresolved, strict=True)
    columns = (
        pack_rising(sources),
        bytes(kinds),
        pack_texts(names),
        pack_texts(receivers),
        pack_rising(lines),
        candidates,
    )
    return packed(columns)


def unpack_leaves(data: bytes) -> list[Leaf]:
    """Relations to what is not a symbol."""
    if not data:
        return []
    rows = zip(*unpacked(data), strict=True)
    return [Leaf(source, _EDGE_KINDS[kind], label, line) for source, kind, label, line in rows]


def _pack_leaves(leaves: Sequence[Leaf]) -> bytes:
    if not leaves:
        return b""
    sources, kinds, labels, lines = zip(*leaves, strict=True)
    return packed((sources, bytes(kinds), labels, lines))
