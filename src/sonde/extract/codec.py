"""FileFacts as bytes and back: marshal of plain tuples, the fastest the standard library has."""

from __future__ import annotations

import marshal
import zlib
from typing import Any

from sonde.model import (
    Binding,
    Chunk,
    Diagnostic,
    FileFacts,
    Import,
    Kind,
    Param,
    Reference,
    RefKind,
    Route,
    Symbol,
)

_REF_KINDS = tuple(RefKind)
_KINDS = {kind.value: kind for kind in Kind}
_new = tuple.__new__  # half the cost of calling the class, and there are hundreds of thousands


def encode(facts: FileFacts) -> bytes:
    """Facts as compressed bytes."""
    rows = (
        facts.language,
        facts.package,
        [
            (
                s.name,
                s.qualname,
                s.kind.value,
                s.start_line,
                s.end_line,
                s.start_byte,
                s.end_byte,
                s.parent,
                s.signature,
                s.doc,
                s.decorators,
                s.visibility,
                [tuple(p) for p in s.params] if s.params else (),
                s.returns,
                s.bases,
                s.owner,
            )
            for s in facts.symbols
        ],
        [(int(kind), name, to, line, scope) for kind, name, to, line, scope in facts.references],
        [tuple(i) for i in facts.imports],
        [tuple(b) for b in facts.bindings],
        [tuple(r) for r in facts.routes],
        [
            (
                c.kind,
                c.title,
                c.start_line,
                c.end_line,
                c.start_byte,
                c.end_byte,
                c.context,
                c.symbol,
            )
            for c in facts.chunks
        ],
        [(d.line, d.message) for d in facts.diagnostics],
    )
    return zlib.compress(marshal.dumps(rows), 1)


def decode(data: bytes) -> FileFacts:
    """Facts from what `encode` wrote."""
    rows: Any = marshal.loads(zlib.decompress(data))
    language, package, symbols, references, imports, bindings, routes, chunks, diagnostics = rows
    return FileFacts(
        language,
        package,
        tuple([_symbol(row) for row in symbols]),
        tuple(
            [
                _new(Reference, (_REF_KINDS[kind], name, receiver, line, scope))
                for kind, name, receiver, line, scope in references
            ]
        ),
        tuple(map(Import._make, imports)),
        tuple(map(Binding._make, bindings)),
        tuple(map(Route._make, routes)),
        tuple(Chunk(*row) for row in chunks),
        tuple(Diagnostic(*row) for row in diagnostics),
    )


def _symbol(row: Any) -> Symbol:
    values = list(row)
    values[2] = _KINDS[values[2]]
    values[12] = tuple(map(Param._make, values[12])) if values[12] else ()
    return Symbol(*values)
