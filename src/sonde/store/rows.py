"""Between facts and what the tables hold of them."""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter
from typing import Any

from sonde.extract.codec import pack_imports, unpack_imports
from sonde.extract.packing import packed, unpacked
from sonde.extract.symbol_codec import VISIBILITIES, EncodedSymbols, Outline
from sonde.model import FileFacts, FileKind, Import, Kind
from sonde.store.symbol_table import Described, SketchRow, pack_sketches

KINDS = tuple(Kind)
KIND_NUMBER = {kind: number for number, kind in enumerate(KINDS)}
FILE_KINDS = tuple(FileKind)
FILE_KIND = {kind.value: kind for kind in FILE_KINDS}  # a twentieth of the cost of calling the enum
_KIND, _NAME, _OWNER = map(attrgetter, ("kind", "name", "owner"))
PRIVATE = VISIBILITIES.index("private")


def described(
    facts: FileFacts, symbols: EncodedSymbols, sketches: Sequence[SketchRow]
) -> Described:
    """The symbols of a file and what they are looked up by."""
    return Described(
        bytes(map(KIND_NUMBER.__getitem__, map(_KIND, facts.symbols))),
        tuple(map(_NAME, facts.symbols)),
        tuple(dict.fromkeys(filter(None, map(_OWNER, facts.symbols)))),
        *symbols,
        pack_sketches(sketches),
        tuple(dict.fromkeys(bucket for bucket, _, _ in sketches)),
    )


def identities(symbols: Outline) -> list[tuple[str, str, Kind, int]]:
    """What identifies a symbol across an edit: name, kind, and which of that name it is."""
    seen: dict[tuple[str, str, Kind], int] = {}
    found = []
    for key in zip(symbols.qualnames, symbols.names, symbols.kinds, strict=True):
        seen[key] = ordinal = seen.get(key, -1) + 1
        found.append((*key, ordinal))
    return found


def imports_blob(imports: Sequence[Import]) -> bytes | None:
    """Imports as bytes; None when there are none."""
    return packed(pack_imports(imports)) if imports else None


def imports_of(data: bytes | None) -> tuple[Import, ...]:
    """Imports from what `imports_blob` wrote."""
    return unpack_imports(unpacked(data)) if data else ()


def chunk_rows(facts: FileFacts) -> list[tuple[Any, ...]]:
    """The chunks of a text or configuration file, after the file id."""
    return [
        (c.kind, c.title, c.start_line, c.end_line, c.start_byte, c.end_byte, c.context)
        for c in facts.chunks
    ]
