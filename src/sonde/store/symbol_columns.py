"""What questions ask of a file's symbols, column by column, as they want few of many.

Texts stay joined and numbers packed, in a quarter of the room of lists, and only what is asked for
is cut out. Making a list of each column took three times as long as the rest of reading a file.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Sequence

import numpy

from sonde.extract.packing import Packed, part_of, unpack_numbers, unpack_rising
from sonde.extract.symbol_codec import VISIBILITIES, EncodedSymbols, params_of, stored_columns
from sonde.model import Kind, Param
from sonde.store.rows import KINDS

_MARK = "\0"  # between joined texts
_NAME, _UNLIKE, _RETURNS, _SIGNATURE, _DOC, _DECORATORS, _PARAMS = range(7)  # columns of texts
_BLANK = -1  # a column without any text
_ODD = -2  # one whose texts could not be joined

Outline = tuple[str, str, Kind, int, int, str]  # name, qualified name, kind, lines, doc


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

    def _row(self, number: int, at: int) -> str | tuple[str, ...]:
        """One of the columns that are rows, still to be decoded."""
        odd = self._odd.get(number)
        return self._text(number, at) if odd is None else odd[at]

    def outline(self, at: int) -> Outline:
        """What ranking looks at, in one step: a step for each part takes half as long again."""
        joined, bounds, columns = self._joined, self._bounds, self._columns
        if self._odd or columns[_NAME] < 0:
            name, qualname, doc = self._text(_NAME, at), self.qualname(at), self._text(_DOC, at)
        else:
            place = columns[_NAME] + at
            name = qualname = joined[bounds[place] + 1 : bounds[place + 1]]
            doc = given = ""
            if (place := columns[_UNLIKE]) >= 0:
                place += at
                given = joined[bounds[place] + 1 : bounds[place + 1]]
            if given:
                qualname = given
            elif (parent := at - self._steps[at]) > 0:
                owner = self._owners.get(parent) or self._owner(parent)
                qualname = f"{owner}.{name}"
            if (place := columns[_DOC]) >= 0:
                place += at
                doc = joined[bounds[place] + 1 : bounds[place + 1]]
        line = self._start_lines[at]
        return name, qualname, KINDS[self._kinds[at]], line, line + self._lines[at], doc

    def parent(self, at: int) -> int:
        """The place of the symbol around one; -1 for none."""
        return at - self._steps[at]

    def bytes(self, at: int) -> tuple[int, int]:
        """Where one starts and ends in its file."""
        start = self._start_bytes[at]
        return start, start + self._lengths[at]

    def signature(self, at: int) -> str:
        """One as written, without its body."""
        return self._text(_SIGNATURE, at)

    def visibility(self, at: int) -> str:
        """Who may use one."""
        return VISIBILITIES[self._visibilities[at]]

    def decorators(self, at: int) -> tuple[str, ...]:
        """The decorators of one."""
        return part_of(self._row(_DECORATORS, at))

    def returns(self, at: int) -> str:
        """The type of what one returns or holds."""
        return self._text(_RETURNS, at)

    def params(self, at: int) -> tuple[Param, ...]:
        """The parameters of one."""
        return params_of(self._row(_PARAMS, at))

    @property
    def names(self) -> list[str]:
        """The name of each."""
        return [self._text(_NAME, at) for at in range(len(self._kinds))]

    def named(self, name: str) -> list[int]:
        """The places of those with that name."""
        if self._columns[_NAME] != 0 or _MARK in name:
            return [at for at, each in enumerate(self.names) if each == name]
        # The names lie before all other texts; nothing is cut out to look through them.
        joined, bounds, last = self._joined, self._bounds, len(self._kinds) - 1
        end, marked, length = bounds[last + 1], f"{_MARK}{name}{_MARK}", len(name) + 1
        found = [0] if bounds[1] == len(name) and joined.startswith(name) else []
        mark = joined.find(marked, 0, end)  # between the first and the last
        while mark >= 0:
            found.append(bisect_left(bounds, mark))
            mark = joined.find(marked, mark + length, end)
        if last and joined[bounds[last] + 1 : end] == name:
            found.append(last)
        return found

    @property
    def kinds(self) -> list[Kind]:
        """The kind of each."""
        return [KINDS[kind] for kind in self._kinds]

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
