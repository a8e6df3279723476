"""Files and chunks as the index holds them; `SymbolRecord` is part of the model."""

from __future__ import annotations

from typing import NamedTuple

from sonde.frozen import frozen
from sonde.model import FileKind


class FileRecord(NamedTuple):
    """A file of the index."""

    id: int
    path: str
    language: str
    kind: FileKind
    size: int
    hash: bytes
    package: str
    module: int  # id of its module symbol
    generation: int  # in which it last changed


@frozen
class ChunkRecord:
    """A piece of a text or configuration file."""

    id: int
    file: str
    kind: str
    title: str
    start_line: int
    end_line: int
    start_byte: int
    end_byte: int
    context: str
