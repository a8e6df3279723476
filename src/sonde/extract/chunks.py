"""Code → chunks, on demand: units for embeddings and readers, each with context to stand alone.

Code chunks are a function of facts and bytes, so the index does not store them; those of text and
configuration are part of the facts.
"""

from __future__ import annotations

from collections.abc import Iterator

from sonde.extract.text_of import SourceText
from sonde.model import CALLABLE_KINDS, TYPE_KINDS, Chunk, FileFacts, Kind, Symbol

_CONTEXT_IMPORTS = 12  # more would outweigh the chunk


def code_chunks(facts: FileFacts, data: bytes) -> tuple[Chunk, ...]:
    """Functions and methods first, types as a header with member signatures, then statements."""
    if facts.chunks or not facts.symbols:
        return facts.chunks
    source = SourceText(data)
    imports = _import_lines(facts, source)
    functions: list[Chunk] = []
    types: list[Chunk] = []
    for at, symbol in enumerate(facts.symbols):
        if at and (symbol.kind in CALLABLE_KINDS or symbol.kind is Kind.PROPERTY):
            functions.append(_chunk("function", symbol, at, _context(facts, symbol, imports)))
        elif at and symbol.kind in TYPE_KINDS:
            members = _member_signatures(facts, at)
            types.append(_chunk("class", symbol, at, "\n".join([imports, *members]).strip()))
    return (*functions, *types, *_statements(facts, source, imports))


def _chunk(kind: str, symbol: Symbol, at: int, context: str) -> Chunk:
    return Chunk(
        kind,
        symbol.qualname,
        symbol.start_line,
        symbol.end_line,
        symbol.start_byte,
        symbol.end_byte,
        context,
        at,
    )


def _import_lines(facts: FileFacts, source: SourceText) -> str:
    lines = dict.fromkeys(item.line for item in facts.imports if item.module or item.level)
    texts = []
    for line in list(lines)[:_CONTEXT_IMPORTS]:
        start, end = source.line_start(line), source.line_start(line + 1)
        texts.append(source.slice(start, end).strip())
    return "\n".join(texts)


def _context(facts: FileFacts, symbol: Symbol, imports: str) -> str:
    lines = [imports]
    parent = symbol.parent
    while parent > 0:
        lines.insert(1, facts.symbols[parent].signature)
        parent = facts.symbols[parent].parent
    return "\n".join([*lines, symbol.signature]).strip()


def _member_signatures(facts: FileFacts, owner: int) -> list[str]:
    return [s.signature for s in facts.symbols if s.parent == owner and s.signature]


def _statements(facts: FileFacts, source: SourceText, imports: str) -> Iterator[Chunk]:
    """Top-level code between the definitions."""
    end = 0
    tops = [s for s in facts.symbols[1:] if s.parent == 0 and s.kind in CALLABLE_KINDS | TYPE_KINDS]
    bounds = [*((s.start_byte, s.end_byte) for s in tops), (len(source.data), len(source.data))]
    for start, stop in bounds:
        if start > end and source.data[end:start].strip():
            first, last = source.line(end), source.line(max(end, start - 1))
            title = facts.symbols[0].name
            yield Chunk("statements", title, first, last, end, start, imports, 0)
        end = max(end, stop)
