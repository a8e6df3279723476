"""Facts as plain tuples in the order of the tables' columns, fit for marshal and SQLite."""

from __future__ import annotations

import marshal
import zlib
from collections.abc import Sequence
from itertools import chain
from typing import Any

from sonde.model import FileFacts, FileKind, Import, Kind, Param, Symbol, SymbolRecord

KINDS = tuple(Kind)
KIND_NUMBER = {kind: number for number, kind in enumerate(KINDS)}
VISIBILITIES = ("public", "protected", "private", "internal")
_VISIBILITY_NUMBER = {visibility: number for number, visibility in enumerate(VISIBILITIES)}
FILE_KINDS = tuple(FileKind)
_FILE_KIND = {kind.value: kind for kind in FileKind}

_LINES = "\n"  # between names, which hold no blanks
_FIELD = "\x1f"  # between the three texts of each parameter
_WHOLE = "\0"  # before a qualified name that does not end in the name

# The part of a symbol's row that does not depend on ids, after `parent` (a position, -1: none).
SymbolRow = tuple[Any, ...]
ROW_COLUMNS = (
    "name, qualifier, kind, start_line, end_line, start_byte, end_byte, visibility, signature, doc,"
    " owner, returns, bases, decorators, params"
)
RECORD_COLUMNS = (
    "s.id, f.path, f.language, f.kind, s.name, s.qualifier, s.kind, s.start_line, s.end_line,"
    " s.start_byte, s.end_byte, s.parent, s.signature, s.doc, s.visibility, s.decorators,"
    " s.returns, s.params"
)


def symbol_rows(facts: FileFacts) -> list[SymbolRow]:
    """The symbols of a file: parent position, then `ROW_COLUMNS`."""
    return [_symbol_row(symbol) for symbol in facts.symbols]


def _symbol_row(symbol: Symbol) -> SymbolRow:
    (name, qualname, kind, start_line, end_line, start_byte, end_byte, parent) = symbol[:8]
    (signature, doc, decorators, visibility, params, returns, bases, owner) = symbol[8:]
    return (
        parent,
        name,
        None if qualname == name else _qualifier(qualname, name),
        KIND_NUMBER[kind],
        start_line,
        end_line,
        start_byte,
        end_byte,
        _VISIBILITY_NUMBER.get(visibility, 0),
        signature or None,
        doc or None,
        owner or None,
        returns or None,
        _LINES.join(bases) if bases else None,
        _LINES.join(decorators) if decorators else None,
        _pack_params(params) if params else None,
    )


def _qualifier(qualname: str, name: str) -> str:
    ending = "." + name
    return qualname[: -len(ending)] if qualname.endswith(ending) else _WHOLE + qualname


def qualified(qualifier: str | None, name: str) -> str:
    """The qualified name of a symbol, from what its row holds."""
    if qualifier is None:
        return name
    return f"{qualifier}.{name}" if qualifier[:1] != _WHOLE else qualifier[1:]


def unpack_texts(text: str | None) -> tuple[str, ...]:
    """Bases or decorators from their column."""
    return tuple(text.split(_LINES)) if text else ()


def _pack_params(params: tuple[Param, ...]) -> str:
    text = _FIELD.join(chain.from_iterable(params))
    if text.count(_FIELD) != 3 * len(params) - 1:  # the source itself holds the mark
        return _FIELD.join(each.replace(_FIELD, " ") for each in chain.from_iterable(params))
    return text


def unpack_params(text: str | None) -> tuple[Param, ...]:
    """Parameters from their column."""
    if not text:
        return ()
    parts = iter(text.split(_FIELD))
    return tuple(map(Param, parts, parts, parts))


def identities(rows: Sequence[SymbolRow]) -> list[tuple[str | None, str, int, int]]:
    """What makes a symbol the same one after an edit: name, kind, and which of that name."""
    seen: dict[tuple[str | None, str, int], int] = {}
    found = []
    for row in rows:
        key = (row[2], row[1], row[3])
        seen[key] = ordinal = seen.get(key, -1) + 1
        found.append((*key, ordinal))
    return found


def record(row: Sequence[Any]) -> SymbolRecord:
    """A symbol from `RECORD_COLUMNS`."""
    id, path, language, file_kind, name, qualifier, kind, start_line, end_line = row[:9]
    start_byte, end_byte, parent, signature, doc, visibility, decorators, returns, params = row[9:]
    return SymbolRecord(
        id,
        path,
        language,
        _FILE_KIND[file_kind],
        name,
        qualified(qualifier, name),
        KINDS[kind],
        start_line,
        end_line,
        start_byte,
        end_byte,
        parent,
        signature or "",
        doc or "",
        VISIBILITIES[visibility],
        unpack_texts(decorators),
        returns or "",
        unpack_params(params),
    )


def pack_imports(imports: Sequence[Import]) -> bytes | None:
    """Imports as bytes; None when there are none."""
    if not imports:
        return None
    return zlib.compress(marshal.dumps([tuple(each) for each in imports]), 1)


def unpack_imports(data: bytes | None) -> tuple[Import, ...]:
    """Imports from what `pack_imports` wrote."""
    return tuple(map(Import._make, marshal.loads(zlib.decompress(data)))) if data else ()


def chunk_rows(facts: FileFacts) -> list[tuple[Any, ...]]:
    """The chunks of a text or configuration file, after the file id."""
    return [
        (c.kind, c.title, c.start_line, c.end_line, c.start_byte, c.end_byte, c.context)
        for c in facts.chunks
    ]
