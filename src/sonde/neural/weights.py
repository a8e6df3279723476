"""The files beside an ONNX graph that hold its weights: their names are in the graph alone."""

from __future__ import annotations

import mmap
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

_VARINT, _LONG, _PART, _SHORT = 0, 1, 2, 5  # how a field is written
_FIXED = {_LONG: 8, _SHORT: 4}  # bytes
# Which field of a message holds which message, as onnx.proto numbers them: on the way to tensors,
# wherever they are in a graph or in a graph inside it.
_INSIDE = {
    "model": {7: "graph", 25: "function"},
    "graph": {1: "node", 5: "tensor", 15: "sparse"},
    "function": {7: "node"},
    "node": {5: "attribute"},
    "attribute": {5: "tensor", 6: "graph", 10: "tensor", 11: "graph", 22: "sparse", 23: "sparse"},
    "sparse": {1: "tensor", 2: "tensor"},
    "tensor": {13: "entry"},
}
_KEY, _VALUE = 1, 2
_LONGEST = 63  # bits of a number
_DEEPEST = 40  # messages in one another; a graph that is damaged may say anything


class _Field(NamedTuple):
    number: int
    start: int
    end: int


def weight_files(graph: Path) -> list[Path]:
    """The files below a graph's folder that it takes weights from, by name."""
    try:
        stamp = graph.stat()
    except OSError:
        return []
    names = _locations(graph, stamp.st_size, stamp.st_mtime_ns)
    return [path for name in names if (path := graph.parent / name).is_file()]


@lru_cache(maxsize=8)  # each question asks when they last changed
def _locations(graph: Path, size: int, _: int) -> tuple[str, ...]:
    """What a graph calls them; of one that is damaged, nothing or some."""
    found: set[str] = set()
    if size:
        try:
            with graph.open("rb") as file, mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ) as data:
                found.update(_named(data, "model", 0, len(data), 0))
        except (OSError, ValueError, LookupError):
            pass  # the runtime says what is wrong with it
    return tuple(sorted(found))


def _named(data: mmap.mmap, message: str, start: int, end: int, depth: int) -> Iterator[str]:
    inside = _INSIDE[message]
    for field in _fields(data, start, end):
        kind = inside.get(field.number)
        if kind == "entry":
            entry = {each.number: data[each.start : each.end] for each in _fields(data, *field[1:])}
            if entry.get(_KEY) == b"location":
                name = entry.get(_VALUE, b"").decode()
                if not _leads_out(name):
                    yield name
        elif kind is not None and depth < _DEEPEST:
            yield from _named(data, kind, field.start, field.end, depth + 1)


def _leads_out(name: str) -> bool:
    """Whether a name is of no file below the folder; the runtime refuses such a graph."""
    return "\0" in name or name.startswith("/") or ".." in name.split("/")


def _fields(data: mmap.mmap, at: int, end: int) -> Iterator[_Field]:
    """The fields of a message that have parts; what a part holds is not read."""
    while at < end:
        tag, at = _number(data, at)
        written = tag & 7
        if written == _PART:
            length, at = _number(data, at)
            if at + length > end:
                raise ValueError("a part is longer than what it is in")
            yield _Field(tag >> 3, at, at + length)
            at += length
        elif written == _VARINT:
            _, at = _number(data, at)
        else:
            at += _FIXED[written]


def _number(data: mmap.mmap, at: int) -> tuple[int, int]:
    value = shift = 0
    while (byte := data[at]) & 0x80:
        value |= (byte & 0x7F) << shift
        shift, at = shift + 7, at + 1
        if shift > _LONGEST:
            raise ValueError("a number is longer than any")
    return value | byte << shift, at + 1
