"""What linking found out about one file, as bytes and back."""

from __future__ import annotations

import marshal
import zlib
from array import array
from collections.abc import Iterable, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple
from zlib import crc32

from sonde.link.links import Leaf
from sonde.model import EdgeKind, Provenance, RefKind, Unresolved

if TYPE_CHECKING:
    import numpy

    from sonde.link.links import FileLinks

_COMPRESSION = 4  # level: a tenth smaller than the fastest, for hardly more time
_MOST_AMBIGUOUS = 3  # candidates; beyond that a walk along them would only spread noise
_REF_KINDS = tuple(RefKind)
_EDGE_KINDS = tuple(EdgeKind)
EDGE_WIDTH = 5  # source, target, kind, line, provenance
_EDGE_BYTES = 3 * 4 + 2
_MOST_REMEMBERED = 200_000  # keys with their numbers, about 25 MB


class LinkRow(NamedTuple):
    """The four blobs of a file in the table `links`."""

    edges: bytes
    unresolved: bytes
    leaves: bytes
    consulted: bytes


def pack_links(links: FileLinks) -> LinkRow:
    """Links as blobs. Calls with few candidates are added to the edges, marked ambiguous."""
    ambiguous = [
        (each.source, candidate, EdgeKind.CALLS, each.line, Provenance.AMBIGUOUS)
        for each in links.unresolved
        if each.kind == RefKind.CALL and len(each.candidates) <= _MOST_AMBIGUOUS
        for candidate in each.candidates
    ]
    return LinkRow(
        _pack_edges([*links.edges, *ambiguous]),
        _pack([(source, int(kind), *rest) for source, kind, *rest in links.unresolved]),
        _pack([(source, int(kind), *rest) for source, kind, *rest in links.leaves]),
        array("I", sorted(key_numbers(links.consulted))).tobytes(),
    )


class _KeyNumbers(dict[str, int]):
    """A lookup key as 32 bits; two keys that share a number only cost a needless relink.

    The files of a workspace ask for the same keys again and again.
    """

    def __missing__(self, key: str) -> int:
        if len(self) >= _MOST_REMEMBERED:
            self.clear()
        number = self[key] = crc32(key.encode("utf-8", "surrogatepass"))
        return number


_key_number = _KeyNumbers().__getitem__


def key_numbers(keys: Iterable[str]) -> set[int]:
    """The numbers of lookup keys."""
    return set(map(_key_number, keys))


def _pack_edges(edges: Sequence[tuple[int, int, int, int, int]]) -> bytes:
    """Column by column, which takes three fifths of the room of rows."""
    if not edges:
        return b""
    sources, targets, kinds, lines, provenances = zip(*edges, strict=True)
    numbers = array("i", chain(sources, targets, lines)).tobytes()
    return zlib.compress(numbers + bytes(kinds) + bytes(provenances), _COMPRESSION)


def unpack_edges(data: bytes) -> numpy.ndarray[Any, Any]:
    """Edges as rows of source, target, kind, line, provenance."""
    import numpy

    if not data:
        return numpy.zeros((0, EDGE_WIDTH), numpy.int32)
    plain = zlib.decompress(data)
    count = len(plain) // _EDGE_BYTES
    edges = numpy.empty((count, EDGE_WIDTH), numpy.int32)
    numbers = numpy.frombuffer(plain, numpy.int32, 3 * count).reshape(3, count)
    edges[:, (0, 1, 3)] = numbers.T
    edges[:, (2, 4)] = (
        numpy.frombuffer(plain, numpy.uint8, 2 * count, 12 * count).reshape(2, count).T
    )
    return edges


def unpack_unresolved(data: bytes) -> list[Unresolved]:
    """Uses without a known definition."""
    return [
        Unresolved(source, _REF_KINDS[kind], name, receiver, line, tuple(candidates))
        for source, kind, name, receiver, line, candidates in _unpack(data)
    ]


def unpack_leaves(data: bytes) -> list[Leaf]:
    """Relations to what is no symbol."""
    return [
        Leaf(source, _EDGE_KINDS[kind], label, line) for source, kind, label, line in _unpack(data)
    ]


def _pack(rows: Sequence[tuple[Any, ...]]) -> bytes:
    """Column by column, which compresses better than rows."""
    if not rows:
        return b""
    return zlib.compress(marshal.dumps(list(zip(*rows, strict=True))), _COMPRESSION)


def _unpack(data: bytes) -> Iterable[tuple[Any, ...]]:
    return zip(*marshal.loads(zlib.decompress(data)), strict=True) if data else ()
