"""Facts as plain tuples in the order of the tables' columns, fit for marshal and SQLite."""

from __future__ import annotations

import marshal
import zlib
from collections.abc import Sequence
from typing import Any

from sonde.model import FileFacts, FileKind, Import, Kind, Param, Symbol, SymbolRecord

KINDS = tuple(Kind)
KIND_NUMBER = {kind: number for number, kind in enumerate(KINDS)}
VISIBILITIES = ("public", "protected", "private", "internal")
FILE_KINDS = tuple(FileKind)
_FILE_KIND = {kind.value: kind for kind in FileKind}

# The part of a symbol's row that does not depend on ids, after `parent` (a position, -1: none).
SymbolRow = tuple[Any, ...]
ROW_COLUMNS = (
    "name, qualname, kind, start_line, end_line, start_byte, end_byte, visibility, signature, doc,"
    " owner, returns, bases, decorators, params"
)
RECORD_COLUMNS = (
    "s.id, f.path, f.language, f.kind, s.name, s.qualname, s.kind, s.start_line, s.end_line,"
    " s.start_byte, s.end_byte, s.parent, s.signature, s.doc, s.visibility, s.decorators,"
    " s.returns, s.params"
)


def symbol_rows(facts: FileFacts) -> list[SymbolRow]:
    """The symbols of a file: parent position, then `ROW_COLUMNS`."""
    return [_symbol_row(symbol) for symbol in facts.symbols]


def _symbol_row(symbol: Symbol) -> SymbolRow:
    visibility = symbol.visibility
    return (
        symbol.parent,
        symbol.name,
        None if symbol.qualname == symbol.name else symbol.qualname,
        KIND_NUMBER[symbol.kind],
        symbol.start_line,
        symbol.end_line,
        symbol.start_byte,
        symbol.end_byte,
        VISIBILITIES.index(visibility) if visibility in VISIBILITIES else 0,
        symbol.signature or None,
        symbol.doc or None,
        symbol.owner or None,
        symbol.returns or None,
        marshal.dumps(symbol.bases) if symbol.bases else None,
        marshal.dumps(symbol.decorators) if symbol.decorators else None,
        marshal.dumps([tuple(each) for each in symbol.params]) if symbol.params else None,
    )


def identities(rows: Sequence[SymbolRow]) -> list[tuple[str, int, int]]:
    """What makes a symbol the same one after an edit: name, kind, and which of that name."""
    seen: dict[tuple[str, int], int] = {}
    found = []
    for row in rows:
        key = (row[2] or row[1], row[3])
        seen[key] = ordinal = seen.get(key, -1) + 1
        found.append((*key, ordinal))
    return found


def record(row: Sequence[Any]) -> SymbolRecord:
    """A symbol from `RECORD_COLUMNS`."""
    id, path, language, file_kind, name, qualname, kind, start_line, end_line = row[:9]
    start_byte, end_byte, parent, signature, doc, visibility, decorators, returns, params = row[9:]
    return SymbolRecord(
        id,
        path,
        language,
        _FILE_KIND[file_kind],
        name,
        qualname or name,
        KINDS[kind],
        start_line,
        end_line,
        start_byte,
        end_byte,
        parent,
        signature or "",
        doc or "",
        VISIBILITIES[visibility],
        marshal.loads(decorators) if decorators else (),
        returns or "",
        tuple(map(Param._make, marshal.loads(params))) if params else (),
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
