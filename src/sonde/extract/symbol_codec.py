"""The symbols of a file as bytes and back: positions separate from texts.

Both the stored facts and the index keep them in this form, one blob per file: 63,000 separate
rows took four times the space.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, count, repeat
from operator import add, sub
from typing import Any, NamedTuple

from sonde.extract.packing import (
    Packed,
    compress,
    decompress,
    pack_numbers,
    pack_parts,
    pack_rising,
    pack_texts,
    part_of,
    plain,
    read_plain,
    unpack_numbers,
    unpack_parts,
    unpack_rising,
    unpack_rows,
    unpack_texts,
    unpacked,
)
from sonde.lately import remembered
from sonde.model import Kind, Param, Symbol

_KINDS = tuple(Kind)
_KIND_NUMBER = {kind: number for number, kind in enumerate(_KINDS)}
VISIBILITIES = ("public", "protected", "private", "internal")
_VISIBILITY_NUMBER = {visibility: number for number, visibility in enumerate(VISIBILITIES)}
_new: Any = tuple.__new__  # half the cost of calling the class, and there are hundreds of thousands


class EncodedSymbols(NamedTuple):
    """The symbols of one file."""

    places: bytes
    texts: bytes  # what linking reads comes first, so that it need not unpack the rest


class Places(NamedTuple):
    """The numeric columns of a file's symbols."""

    kinds: bytes  # indexes into `Kind`
    visibilities: bytes  # indexes into `VISIBILITIES`
    parents: tuple[int, ...]
    start_lines: tuple[int, ...]
    end_lines: tuple[int, ...]
    start_bytes: tuple[int, ...]
    end_bytes: tuple[int, ...]
    linked: int  # bytes of the texts that linking reads


class Outline(NamedTuple):
    """The columns of a file's symbols that linking reads."""

    names: Sequence[str]
    qualnames: Sequence[str]
    kinds: Sequence[Kind]
    parents: Sequence[int]
    owners: Sequence[str]
    bases: Sequence[tuple[str, ...]]
    returns: Sequence[str]
    visibilities: Sequence[str]
    start_lines: Sequence[int]
    statics: Sequence[bool]
    declared: Sequence[bool]


def encode_symbols(symbols: Sequence[Symbol]) -> EncodedSymbols:
    """Symbols as compressed bytes."""
    if not symbols:
        return EncodedSymbols(b"", b"")
    columns: Any = zip(*symbols, strict=True)
    names, qualnames, kinds, start_lines, end_lines, start_bytes, end_bytes, parents, *rest = (
        columns
    )
    signatures, docs, decorators, visibilities, params, returns, bases, owners, *flags = rest
    linked = plain(
        (
            pack_texts(names),
            pack_texts(list(_unlike_parents(names, qualnames, parents))),
            pack_texts(owners),
            pack_parts(bases),
            pack_texts(returns),
            pack_parts([tuple(chain.from_iterable(each)) for each in params]),
            tuple(map(bytes, flags)),
        )
    )
    shown = plain(
        (
            pack_texts(signatures),
            pack_texts(docs),
            pack_parts(decorators),
        )
    )
    places = (
        bytes(map(_KIND_NUMBER.__getitem__, kinds)),
        bytes(map(_VISIBILITY_NUMBER.__getitem__, visibilities)),
        pack_numbers(map(sub, count(), parents)),
        pack_rising(start_lines),
        pack_numbers(map(sub, end_lines, start_lines)),
        pack_rising(start_bytes),
        pack_numbers(map(sub, end_bytes, start_bytes)),
        len(linked),
    )
    return EncodedSymbols(compress(plain(places)), compress(linked + shown))


def decode_places(data: bytes) -> Places:
    """The positions of a file's symbols, from what `encode_symbols` wrote."""
    kinds, visibilities, steps, start_lines, lines, start_bytes, lengths, linked = unpacked(data)
    starts = tuple(unpack_rising(start_lines))
    offsets = tuple(unpack_rising(start_bytes))
    return Places(
        kinds,
        visibilities,
        tuple(map(sub, count(), unpack_numbers(steps))),
        starts,
        tuple(map(add, starts, unpack_numbers(lines))),
        offsets,
        tuple(map(add, offsets, unpack_numbers(lengths))),
        linked,
    )


def decode_outline(encoded: EncodedSymbols) -> Outline:
    """Only what linking reads of a file's symbols."""
    if not encoded.places:
        return Outline(*((),) * len(Outline._fields))
    kinds, visibilities, steps, start_lines, *_, linked = unpacked(encoded.places)
    parents = list(map(sub, count(), unpack_numbers(steps)))
    names, unlike, owners, bases, returns, _, flags = unpacked(encoded.texts, linked)
    known = unpack_texts(names)
    return Outline(
        known,
        _with_parents(known, unpack_texts(unlike), parents),
        list(map(_KINDS.__getitem__, kinds)),
        parents,
        unpack_texts(owners),
        unpack_parts(bases),
        unpack_texts(returns),
        list(map(VISIBILITIES.__getitem__, visibilities)),
        list(unpack_rising(start_lines)),
        *(list(map(bool, each)) for each in flags),
    )


class StoredColumns(NamedTuple):
    """The columns of a file's symbols as stored: joined texts, packed numbers."""

    places: tuple[Any, ...]  # as `Places`, each packed
    names: Packed
    unlike: Packed  # qualified names, "" for those that continue the parent's
    returns: Packed
    signatures: Packed
    docs: Packed
    decorators: Packed  # rows, each to be read by `part_of`
    params: Packed  # rows, by `params_of`


def stored_columns(encoded: EncodedSymbols) -> StoredColumns:
    """What `encode_symbols` wrote, with the columns still packed."""
    places, texts = unpacked(encoded.places), decompress(encoded.texts)
    names, unlike, _, _, returns, params, _ = read_plain(texts)
    signatures, docs, decorators = read_plain(texts[places[-1] :])
    return StoredColumns(places, names, unlike, returns, signatures, docs, decorators, params)


@remembered(20_000)
def params_of(row: str | tuple[str, ...]) -> tuple[Param, ...]:
    """The parameters of a symbol; cached, as most functions share theirs with many others."""
    return _params(part_of(row))


def decode_symbols(encoded: EncodedSymbols) -> tuple[Symbol, ...]:
    """The symbols that `encode_symbols` was given."""
    if not encoded.places:
        return ()
    places = decode_places(encoded.places)
    texts = decompress(encoded.texts)
    names, unlike, owners, bases, returns, params, flags = read_plain(texts)
    signatures, docs, decorators = read_plain(texts[places.linked :])
    known = unpack_texts(names)
    rows = zip(
        known,
        _with_parents(known, unpack_texts(unlike), places.parents),
        map(_KINDS.__getitem__, places.kinds),
        *places[3:7],
        places.parents,
        unpack_texts(signatures),
        unpack_texts(docs),
        unpack_parts(decorators),
        map(VISIBILITIES.__getitem__, places.visibilities),
        map(params_of, unpack_rows(params)),
        unpack_texts(returns),
        unpack_parts(bases),
        unpack_texts(owners),
        *(map(bool, each) for each in flags),
        strict=True,
    )
    return tuple(map(_new, repeat(Symbol), rows))


def decode_linked(encoded: EncodedSymbols) -> tuple[Symbol, ...]:
    """The symbols as linking reads them: without bytes, last lines and what is only shown."""
    if not encoded.places:
        return ()
    kinds, visibilities, steps, start_lines, *_, linked = unpacked(encoded.places)
    parents = tuple(map(sub, count(), unpack_numbers(steps)))
    names, unlike, owners, bases, returns, params, flags = unpacked(encoded.texts, linked)
    known = unpack_texts(names)
    rows = zip(
        known,
        _with_parents(known, unpack_texts(unlike), parents),
        map(_KINDS.__getitem__, kinds),
        unpack_rising(start_lines),
        *repeat(repeat(0), 3),
        parents,
        *repeat(repeat(""), 2),
        repeat(()),
        map(VISIBILITIES.__getitem__, visibilities),
        map(params_of, unpack_rows(params)),
        unpack_texts(returns),
        unpack_parts(bases),
        unpack_texts(owners),
        *(map(bool, each) for each in flags),
        strict=False,
    )
    return tuple(map(_new, repeat(Symbol), rows))


def _params(texts: Sequence[str]) -> tuple[Param, ...]:
    parts = iter(texts)
    return tuple(map(_new, repeat(Param), zip(parts, parts, parts, parts, strict=True)))


def _unlike_parents(
    names: Sequence[str], qualnames: Sequence[str], parents: Sequence[int]
) -> Iterator[str]:
    """The qualified names, "" for those that continue the parent's, as nearly all do."""
    for index, (name, qualname, parent) in enumerate(zip(names, qualnames, parents, strict=True)):
        if parent > 0:
            implied = parent < index and qualname == f"{qualnames[parent]}.{name}"
        else:
            implied = qualname == name
        yield "" if implied else qualname


def _with_parents(names: Iterable[str], unlike: Iterable[str], parents: Iterable[int]) -> list[str]:
    qualnames: list[str] = []
    for name, given, parent in zip(names, unlike, parents, strict=True):
        if given:
            qualnames.append(given)
        else:
            qualnames.append(f"{qualnames[parent]}.{name}" if parent > 0 else name)
    return qualnames
