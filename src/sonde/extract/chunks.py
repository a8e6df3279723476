"""A file → chunks, on demand: units for embeddings and readers, each with context to stand alone.

Chunks of code are a function of facts and bytes, so the index does not store them. Those of text
and configuration are part of the facts, as far as search needs them; the rest is added here.

Code is divided by lines: each has one owner, the innermost definition around it, so that no line
is in two chunks and only blank lines and lone brackets between definitions are in none.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from sonde.extract.docs import Comments
from sonde.extract.import_lines import ImportLines
from sonde.extract.prose import WINDOW_BYTES
from sonde.extract.spec import load_spec
from sonde.extract.text_of import SourceText
from sonde.model import CALLABLE_KINDS, TYPE_KINDS, FileFacts, Kind, Symbol


class Piece(NamedTuple):
    """A chunk with its text, in which members that are chunks themselves are a line each."""

    kind: str  # function, class, statements, section, window, key
    title: str  # symbol, heading or key path
    start_line: int
    end_line: int
    context: str  # imports it uses, signatures of what it stands in, and its own
    text: str


class _Line(NamedTuple):
    number: int
    text: str


class _Unit:
    """A definition and the lines that belong to it, its comment included."""

    __slots__ = ("around", "first", "last", "lines", "symbol", "whole")

    def __init__(self, symbol: Symbol, first: int, last: int, around: _Unit | None) -> None:
        self.symbol = symbol
        self.first = first
        self.last = last
        self.around = around
        self.lines: list[_Line] = []
        self.whole = False  # shown in one piece with all that is inside

    @property
    def is_function(self) -> bool:
        return self.symbol.kind not in TYPE_KINDS

    def signatures(self) -> list[str]:
        """Of what it stands in, outermost first, and its own."""
        found: list[str] = []
        unit: _Unit | None = self
        while unit is not None:
            found.append(unit.symbol.signature)
            if unit.around is None and unit.symbol.owner:
                found.append(unit.symbol.owner)  # a member written outside its type
            unit = unit.around
        return [signature for signature in reversed(found) if signature]


def pieces_of(facts: FileFacts, data: bytes) -> Iterator[Piece]:
    """All chunks of a file: of code by kind, of text and configuration as they stand there."""
    source = SourceText(data)
    if load_spec(facts.language) is None:
        return _text_pieces(facts, source)
    return _code_pieces(facts, source)


# ------------------------------------------------------------------ code


def _code_pieces(facts: FileFacts, source: SourceText) -> Iterator[Piece]:
    """Functions and methods first, types as a header with member signatures, then statements."""
    lines = [line.decode("utf-8", "replace").rstrip("\r") for line in source.lines]
    units = _units(facts, source)
    statements = _share_out(lines, units)
    imports = ImportLines(facts, source)
    shown = [unit for unit in units if unit.lines]
    for kind, functions in (("function", True), ("class", False)):
        for unit in shown:
            if unit.is_function is functions:
                yield from _pieces(kind, unit.symbol.qualname, unit.lines, unit, imports)
    title = facts.symbols[0].name if facts.symbols else ""
    for run in _runs(statements):
        yield from _pieces("statements", title, run, None, imports)


def _pieces(
    kind: str, title: str, lines: Sequence[_Line], unit: _Unit | None, imports: ImportLines
) -> Iterator[Piece]:
    signatures = unit.signatures() if unit is not None else []
    for part in _parts(lines):
        text = "\n".join(line.text for line in part)
        start, end = part[0].number, part[-1].number
        context = "\n".join([*imports.used_in(text, start, end), *signatures])
        yield Piece(kind, title, start, end, context, text)


def _units(facts: FileFacts, source: SourceText) -> list[_Unit]:
    """The definitions that are chunks, by place, each with the unit around it."""
    spec = load_spec(facts.language)
    # comments of Python are no docs, but they belong to what they stand above all the same
    prefixes = (spec.comment_prefixes if spec is not None else ()) or ("#",)
    comments = Comments(source, prefixes)
    found: list[_Unit] = []
    open_units: list[_Unit] = []
    ended = 0  # the last line of what came before
    candidates = [each for each in facts.symbols[1:] if _is_unit(each, source)]
    for symbol in sorted(candidates, key=lambda each: (each.start_line, -each.end_line)):
        while open_units and open_units[-1].last < symbol.end_line:
            ended = max(ended, open_units.pop().last)
        around = open_units[-1] if open_units else None
        opening = around.first if around else 0  # the line that opens a unit is its own
        first = max(comments.begins(symbol.start_line), opening + 1, ended + 1)
        if first <= symbol.end_line:
            unit = _Unit(symbol, first, symbol.end_line, around)
            size = source.line_start(unit.last + 1) - source.line_start(first)
            fits = unit.is_function and size <= WINDOW_BYTES
            unit.whole = fits or bool(around and around.whole)
            found.append(unit)
            open_units.append(unit)
    return found


def _is_unit(symbol: Symbol, source: SourceText) -> bool:
    """Whether a definition is worth a chunk: it has more to show than its signature."""
    if symbol.kind is Kind.PROPERTY:
        return symbol.end_line > symbol.start_line
    if symbol.kind not in CALLABLE_KINDS | TYPE_KINDS:
        return False
    text = " ".join(source.slice(symbol.start_byte, symbol.end_byte).split())
    return text.rstrip("; ") != symbol.signature.rstrip("; ")


def _share_out(lines: Sequence[str], units: Sequence[_Unit]) -> list[_Line | None]:
    """Give each unit its lines; returns the others, None where they are interrupted.

    A unit inside another leaves its signature there.
    """
    owners: list[_Unit | None] = [None] * (len(lines) + 1)
    for unit in units:  # outer ones come first
        if not (unit.around and unit.around.whole):
            owners[unit.first : unit.last + 1] = [unit] * (unit.last + 1 - unit.first)
    statements: list[_Line | None] = []
    for number, text in enumerate(lines, 1):
        owner = owners[number]
        if owner is None:
            statements.append(_Line(number, text))
            continue
        if number == owner.first:
            statements.append(None)
            if owner.around is not None:
                margin = text[: len(text) - len(text.lstrip())]
                owner.around.lines.append(_Line(number, f"{margin}{owner.symbol.signature} …"))
        owner.lines.append(_Line(number, text))
    return statements


def _runs(lines: Sequence[_Line | None]) -> Iterator[list[_Line]]:
    """Statements that stand together, without those that say nothing."""
    run: list[_Line] = []
    for line in [*lines, None]:
        if line is not None:
            run.append(line)
            continue
        if any(char.isalnum() for each in run for char in each.text):
            yield run
        run = []


def _parts(lines: Sequence[_Line]) -> Iterator[list[_Line]]:
    """Lines in parts of at most a window, without blank lines around them."""
    part: list[_Line] = []
    size = 0
    for line in _short_lines(lines):
        if size + len(line.text) > WINDOW_BYTES and part:
            cut = _best_cut(part)
            yield from _trimmed(part[:cut])
            part = part[cut:]
            size = sum(len(each.text) + 1 for each in part)
        part.append(line)
        size += len(line.text) + 1
    yield from _trimmed(part)


def _best_cut(part: Sequence[_Line]) -> int:
    """Where to divide: before the least indented line of the second half, the last of several."""
    best, least = len(part), 1 << 30
    for at in range(len(part) // 2 + 1, len(part)):
        text = part[at].text
        margin = len(text) - len(text.lstrip())
        if text.strip() and text.strip(" \t)]};,") and margin <= least:
            best, least = at, margin
    return best


def _short_lines(lines: Sequence[_Line]) -> Iterator[_Line]:
    for number, text in lines:
        for at in range(0, max(len(text), 1), WINDOW_BYTES):
            yield _Line(number, text[at : at + WINDOW_BYTES])


def _trimmed(part: list[_Line]) -> Iterator[list[_Line]]:
    filled = [at for at, line in enumerate(part) if line.text.strip()]
    if filled:
        yield part[filled[0] : filled[-1] + 1]


# ------------------------------------------------------------------ text and configuration


def _text_pieces(facts: FileFacts, source: SourceText) -> Iterator[Piece]:
    """The stored chunks, and what lies between them and behind them in windows."""
    end, title = 0, ""
    for chunk in facts.chunks:
        start = _at_character(source.data, chunk.start_byte)
        stop = _at_character(source.data, chunk.end_byte)
        yield from _rest(source, end, start, title)
        for piece in _slices(source.data, start, stop):
            yield _sliced(source, chunk.kind, chunk.title, *piece, chunk.context)
        end, title = max(end, stop), chunk.title
    yield from _rest(source, end, len(source.data), title)


def _rest(source: SourceText, start: int, end: int, title: str) -> Iterator[Piece]:
    if start < end and source.data[start:end].strip(b" \t\r\n{}[],"):
        for first, last in _slices(source.data, start, end):
            yield _sliced(source, "window", title, first, last, "")


def _sliced(source: SourceText, kind: str, title: str, start: int, end: int, context: str) -> Piece:
    first, last = source.line(start), source.line(max(start, end - 1))
    return Piece(kind, title, first, last, context, source.slice(start, end).rstrip())


def _slices(data: bytes, start: int, end: int) -> Iterator[tuple[int, int]]:
    """A range in windows, cut at line ends where there are any."""
    while end - start > WINDOW_BYTES:
        newline = data.rfind(b"\n", start, start + WINDOW_BYTES)
        stop = newline + 1 if newline > start else _at_character(data, start + WINDOW_BYTES)
        yield start, stop
        start = stop
    if start < end:
        yield start, end


def _at_character(data: bytes, at: int) -> int:
    """The same place, or the start of the UTF-8 character that it would cut."""
    while 0 < at < len(data) and data[at] & 0xC0 == 0x80:
        at -= 1
    return at
