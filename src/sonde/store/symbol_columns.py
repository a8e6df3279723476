"""What questions ask of a file's symbols, column by column, as they want few of many.

Texts stay joined and numbers packed, in a quarter of the room of lists, and only what is asked for
is cut out. Making a list of each column took three times as long as the rest of reading a file.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Sequence
from typing import Any

import numpy

from sonde.extract.packing import Packed, part_of, unpack_numbers, unpack_rising
from sonde.extract.symbol_codec import VISIBILITIES, EncodedSymbols, params_of, stored_columns
from sonde.model import Kind

_KINDS = tuple(Kind)
_MARK = "\0"  # between joined texts
_NAME, _UNLIKE = 0, 1  # of the columns that are texts
_BLANK = -1  # a column without any text
_ODD = -2  # one whose texts could not be joined

# Name, qualified name, kind, first and last line, start and end in bytes; the place of the symbol
# around it, -1 for none; signature, doc, visibility, decorators, return type, parameters.
Parts = tuple[tuple[Any, ...], int, tuple[Any, ...]]


class SymbolColumns:
    """The symbols of one file, each told by its place among them."""

    __slots__ = (
        "_bounds",
        "_columns",
        "_joined",
        "_kinds",
        "_lengths",
        "_lines",
        "_odd",
        "_owners",
        "_start_bytes",
        "_start_lines",
        "_steps",
        "_visibilities",
    )

    def __init__(self, encoded: EncodedSymbols) -> None:
        places, *texts = stored_columns(encoded)
        kinds, visibilities, steps, start_lines, lines, start_bytes, lengths, _ = places
        self._kinds: bytes = kinds
        self._visibilities: bytes = visibilities
        self._steps = unpack_numbers(steps)
        self._start_lines = array("i", unpack_rising(start_lines))
        self._lines = unpack_numbers(lines)
        self._start_bytes = array("i", unpack_rising(start_bytes))
        self._lengths = unpack_numbers(lengths)
        self._owners: dict[int, str] = {}
        self._join(texts)

    def _join(self, texts: Sequence[Packed]) -> None:
        """Join all columns of texts, and find where each text ends."""
        joined: list[str] = []
        self._odd: dict[int, Sequence[str | tuple[str, ...]]] = {}
        columns = []  # the place of each column's first text among all
        for number, column in enumerate(texts):
            if isinstance(column, str) and column.strip(_MARK):
                columns.append(len(joined) * len(self._kinds))
                joined.append(column)
            elif isinstance(column, tuple):
                columns.append(_ODD)
                self._odd[number] = column
            else:
                columns.append(_BLANK)
        self._columns = tuple(columns)
        self._joined = _MARK.join(joined)
        self._bounds = _bounds(self._joined)

    def _text(self, number: int, at: int) -> str:
        """A text of the columns that are not rows."""
        column = self._columns[number]
        if column < 0:
            return "" if column == _BLANK else str(self._odd[number][at])
        bounds = self._bounds
        return self._joined[bounds[column + at] + 1 : bounds[column + at + 1]]

    def parts(self, at: int) -> Parts:
        """All of one, in one step: by a step for each part a record took half as long again."""
        joined, bounds = self._joined, self._bounds
        found: list[Any] = []
        for column in self._columns:
            if column >= 0:
                place = column + at
                found.append(joined[bounds[place] + 1 : bounds[place + 1]])
            else:
                found.append("")
        for number, texts in self._odd.items():
            found[number] = texts[at]
        name, qualname, returns, signature, doc, decorators, params = found
        parent = at - self._steps[at]
        if not qualname:
            qualname = f"{self._owner(parent)}.{name}" if parent > 0 else name
        line, byte = self._start_lines[at], self._start_bytes[at]
        return (
            (
                name,
                qualname,
                _KINDS[self._kinds[at]],
                line,
                line + self._lines[at],
                byte,
                byte + self._lengths[at],
            ),
            parent,
            (
                signature,
                doc,
                VISIBILITIES[self._visibilities[at]],
                part_of(decorators) if decorators else (),
                returns,
                params_of(params) if params else (),
            ),
        )

    @property
    def names(self) -> list[str]:
        """The name of each."""
        return [self._text(_NAME, at) for at in range(len(self._kinds))]

    def named(self, name: str) -> list[int]:
        """The places of those with that name."""
        if self._columns[_NAME] != 0 or _MARK in name:
            return [at for at, each in enumerate(self.names) if each == name]
        # The names lie before all other texts; nothing is cut out to look through them.
        joined, bounds, end = self._joined, self._bounds, self._bounds[len(self._kinds)]
        marked, length = _MARK + name, len(name) + 1
        found = [0] if bounds[1] == len(name) and joined.startswith(name) else []
        mark = joined.find(marked, 0, end)
        while mark >= 0:
            if mark + length == end or joined[mark + length] == _MARK:
                found.append(bisect_left(bounds, mark))
            mark = joined.find(marked, mark + length, end)
        return found

    @property
    def kinds(self) -> list[Kind]:
        """The kind of each."""
        return [_KINDS[kind] for kind in self._kinds]

    def inside(self, at: int) -> list[int]:
        """The places of those directly inside one."""
        return [place for place, step in enumerate(self._steps) if place - step == at]

    def _owner(self, at: int) -> str:
        """The qualified name of one that has others inside; remembered, as few are such."""
        known = self._owners.get(at)
        if known is None:
            known = self._owners[at] = self.qualname(at)
        return known

    def qualname(self, at: int) -> str:
        """The qualified name of one."""
        name = ""
        while not (given := self._text(_UNLIKE, at)):
            name = f".{self._text(_NAME, at)}{name}"
            at -= self._steps[at]
            if at <= 0:
                return name[1:]
        return given + name


def _bounds(joined: str) -> array[int]:
    """Where the marks between texts stand, with one before and one behind all."""
    if joined.isascii():
        letters = numpy.frombuffer(joined.encode("ascii"), numpy.uint8)
    else:
        letters = numpy.frombuffer(joined.encode("utf-32-le", "surrogatepass"), numpy.uint32)
    bounds = array("i", [-1])
    bounds.frombytes(numpy.flatnonzero(letters == 0).astype(numpy.int32).tobytes())
    bounds.append(len(joined))
    return bounds
