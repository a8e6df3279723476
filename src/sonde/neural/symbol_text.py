"""What a model reads of a symbol: its name in words, what it is for, then the code itself."""

from __future__ import annotations

from sonde.model import SymbolRecord
from sonde.understand.identifiers import split_identifier

_MOST_DOC = 300  # characters
_MOST_CODE = 600  # characters; a model reads a hundred and some tokens


def symbol_text(record: SymbolRecord, source: bytes) -> str:
    """One text for a symbol, from its record and the bytes of its file."""
    names = record.qualname.replace(".", " ").split()
    words = " ".join(word for name in names for word in split_identifier(name))
    place = record.file.rpartition(".")[0].replace("/", " ")
    doc = " ".join(record.doc[:_MOST_DOC].split())
    code = source[record.start_byte : record.end_byte][:_MOST_CODE].decode("utf-8", "replace")
    return "\n".join(part for part in (words, doc, place, " ".join(code.split())) if part)
