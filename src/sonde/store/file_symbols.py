"""The symbols of one file as questions see them."""

from __future__ import annotations

from copy import copy
from typing import Any

from sonde.extract.symbol_codec import EncodedSymbols
from sonde.model import Param, SymbolRecord
from sonde.store.rows import FILE_KIND
from sonde.store.symbol_columns import SymbolColumns
from sonde.store.symbol_table import symbol_ids

_new: Any = object.__new__


class FileSymbols:
    """One file's symbols, from the columns of its rows."""

    __slots__ = ("_file_kind", "_path", "ids", "language", "symbols")

    def __init__(
        self,
        path: str,
        language: str,
        kind: str,
        first: int,
        count: int,
        ids: bytes | None,
        places: bytes,
        texts: bytes,
    ) -> None:
        self.ids = symbol_ids(first, count, ids)
        self.symbols = SymbolColumns(EncodedSymbols(places, texts))
        self._path, self.language, self._file_kind = path, language, FILE_KIND[kind]

    def record(self, id: int) -> SymbolRecord:
        """The one with that id."""
        at = self.ids.index(id)
        name, qualname, kind, start_line, end_line, doc = self.symbols.outline(at)
        made: StoredSymbol = _new(StoredSymbol)
        _set_home(made, self)
        _set_at(made, at)
        _set_id(made, id)
        _set_file(made, self._path)
        _set_file_kind(made, self._file_kind)
        _set_name(made, name)
        _set_qualname(made, qualname)
        _set_kind(made, kind)
        _set_start_line(made, start_line)
        _set_end_line(made, end_line)
        _set_doc(made, doc)
        return made

    def named(self, name: str) -> list[int]:
        """Those of that name, in order of appearance."""
        return [self.ids[at] for at in self.symbols.named(name)]

    def qualname(self, id: int) -> str:
        """The qualified name of the one with that id."""
        return self.symbols.qualname(self.ids.index(id))

    def members(self, id: int) -> list[int]:
        """Those directly inside another."""
        return [self.ids[at] for at in self.symbols.inside(self.ids.index(id))]


class StoredSymbol(SymbolRecord):
    """A record of which only what ranking looks at is read at once, the rest when it is asked for.

    A question about django makes 220 records and shows thirty. Equal to a plain record of the same
    parts, and copied as one.
    """

    __slots__ = ("_at", "_home")
    _at: int
    _home: FileSymbols

    def __new__(cls, *given: Any, **named: Any) -> Any:
        """A plain record, for those who replace a part of this one."""
        return SymbolRecord(*given, **named)

    @property
    def language(self) -> str:
        return self._home.language

    @property
    def start_byte(self) -> int:
        return self._home.symbols.bytes(self._at)[0]

    @property
    def end_byte(self) -> int:
        return self._home.symbols.bytes(self._at)[1]

    @property
    def parent(self) -> int:
        parent = self._home.symbols.parent(self._at)
        return self._home.ids[parent] if parent >= 0 else 0

    @property
    def signature(self) -> str:
        return self._home.symbols.signature(self._at)

    @property
    def visibility(self) -> str:
        return self._home.symbols.visibility(self._at)

    @property
    def decorators(self) -> tuple[str, ...]:
        return self._home.symbols.decorators(self._at)

    @property
    def returns(self) -> str:
        return self._home.symbols.returns(self._at)

    @property
    def params(self) -> tuple[Param, ...]:
        return self._home.symbols.params(self._at)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, SymbolRecord):
            return NotImplemented
        return self is other or self.__getstate__() == other.__getstate__()

    __hash__ = SymbolRecord.__hash__

    def __reduce__(self) -> tuple[Any, Any]:
        return SymbolRecord, self.__getstate__()

    def __repr__(self) -> str:
        return repr(copy(self))


def _setter(name: str) -> Any:
    """What fills a slot of a record, which refuses to be changed otherwise."""
    return getattr(StoredSymbol, name).__set__


_set_home = _setter("_home")
_set_at = _setter("_at")
_set_id = _setter("id")
_set_file = _setter("file")
_set_file_kind = _setter("file_kind")
_set_name = _setter("name")
_set_qualname = _setter("qualname")
_set_kind = _setter("kind")
_set_start_line = _setter("start_line")
_set_end_line = _setter("end_line")
_set_doc = _setter("doc")
