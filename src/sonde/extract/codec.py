"""FileFacts as bytes and back.

Values are stored column by column: that compresses a fifth better than row by row, and rows are
reassembled without a Python loop.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import repeat
from operator import attrgetter
from struct import Struct
from sys import intern
from typing import Any, TypeVar

from sonde.extract.packing import (
    Packed,
    pack_numbers,
    pack_rising,
    pack_texts,
    packed,
    unpack_numbers,
    unpack_rising,
    unpack_texts,
    unpacked,
)
from sonde.extract.symbol_codec import (
    EncodedSymbols,
    decode_linked,
    decode_symbols,
    encode_symbols,
)
from sonde.model import (
    Binding,
    Chunk,
    Diagnostic,
    FileFacts,
    Import,
    Reference,
    RefKind,
    Route,
)

_REF_KINDS = tuple(RefKind)
_LENGTHS = Struct("<II")
_new: Any = tuple.__new__  # half the cost of calling the class, and there are hundreds of thousands

_chunk_values = attrgetter(*Chunk.__match_args__)

T = TypeVar("T")


def encode(facts: FileFacts) -> bytes:
    """Facts as compressed bytes: the symbols, which the index keeps too, then everything else."""
    rest = (
        facts.language,
        facts.package,
        _reference_columns(facts.references),
        pack_imports(facts.imports),
        _binding_columns(facts.bindings),
        [tuple(route) for route in facts.routes],
        list(map(_chunk_values, facts.chunks)),
        [(d.line, d.message) for d in facts.diagnostics],
        pack_numbers(facts.blocks) if facts.blocks else "",
        [number for pair in facts.in_blocks for number in pair],
    )
    places, texts = encode_symbols(facts.symbols)
    return _LENGTHS.pack(len(places), len(texts)) + places + texts + packed(rest)


def symbols_of(data: bytes) -> EncodedSymbols:
    """The part of encoded facts that `encode_symbols` wrote."""
    places, texts = _LENGTHS.unpack_from(data)
    middle = _LENGTHS.size + places
    return EncodedSymbols(data[_LENGTHS.size : middle], data[middle : middle + texts])


def decode(data: bytes, *, shown: bool = True) -> FileFacts:
    """Facts from what `encode` wrote; linking skips the parts of symbols that are only `shown`."""
    symbols = symbols_of(data)
    rest = unpacked(data[_LENGTHS.size + sum(map(len, symbols)) :])
    language, package, references, imports, bindings, routes, chunks, diagnostics, *nesting = rest
    blocks, in_blocks = nesting
    return FileFacts(
        language,
        package,
        decode_symbols(symbols) if shown else decode_linked(symbols),
        _references(references),
        unpack_imports(imports),
        _bindings(bindings),
        _rows(Route, routes),
        tuple(Chunk(*row) for row in chunks),
        tuple(Diagnostic(*row) for row in diagnostics),
        tuple(unpack_numbers(blocks)) if blocks else (),
        tuple(zip(in_blocks[::2], in_blocks[1::2], strict=True)),
    )


def _columns(rows: Sequence[tuple[Any, ...]]) -> Any:
    return zip(*rows, strict=True)


def _rows(kind: type[T], rows: Iterable[Sequence[Any]]) -> tuple[T, ...]:
    """Tuples of a kind from plain ones, built in C."""
    return tuple(map(_new, repeat(kind), rows))


def _reference_columns(references: Sequence[Reference]) -> tuple[Packed, ...]:
    if not references:
        return ()
    kinds, names, receivers, lines, scopes, args = _columns(references)
    return (
        bytes(kinds),
        pack_texts(names),
        pack_texts(receivers),
        pack_rising(lines),
        pack_numbers(scopes),
        pack_texts(args) if any(args) else "",
    )


def _references(columns: Sequence[Packed]) -> tuple[Reference, ...]:
    if not columns:
        return ()
    kinds, names, receivers, lines, scopes, args = columns
    rows = zip(
        map(_REF_KINDS.__getitem__, kinds),
        unpack_texts(names),
        unpack_texts(receivers),
        unpack_rising(lines),
        unpack_numbers(scopes),
        map(intern, unpack_texts(args)) if args else repeat(""),
        strict=False,
    )
    return _rows(Reference, rows)


def pack_imports(imports: Sequence[Import]) -> tuple[Packed, ...]:
    """Imports as plain values."""
    if not imports:
        return ()
    modules, names, aliases, levels, lines, reexports = _columns(imports)
    texts = map(pack_texts, (modules, names, aliases))
    return (*texts, pack_numbers(levels), pack_rising(lines), bytes(reexports))


def unpack_imports(columns: Sequence[Packed]) -> tuple[Import, ...]:
    """The imports that `pack_imports` was given."""
    if not columns:
        return ()
    *texts, levels, lines, reexports = columns
    numbers = unpack_numbers(levels), unpack_rising(lines), map(bool, reexports)
    return _rows(Import, zip(*map(unpack_texts, texts), *numbers, strict=True))


def _binding_columns(bindings: Sequence[Binding]) -> tuple[Packed, ...]:
    if not bindings:
        return ()
    scopes, names, types, called = _columns(bindings)
    return pack_numbers(scopes), pack_texts(names), pack_texts(types), bytes(called)


def _bindings(columns: Sequence[Packed]) -> tuple[Binding, ...]:
    if not columns:
        return ()
    scopes, names, types, called = columns
    texts = map(unpack_texts, (names, types))
    return _rows(Binding, zip(unpack_numbers(scopes), *texts, map(bool, called), strict=True))
