"""Ranked symbols → pieces of evidence: source for the best, cards, then lines about files.

What the receiver already has is cited in a line instead.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from sonde.answers.source import Sources
from sonde.answers.support import members
from sonde.model import CALLABLE_KINDS, TYPE_KINDS, Kind, Ranked, SymbolRecord
from sonde.pack import cards
from sonde.pack.tokens import TokenCounter
from sonde.pack.visible import one_line
from sonde.retrieve.view import View
from sonde.session.context_pack import Detail, Piece
from sonde.session.memory import SessionRecord

FULL_SHARE = 0.5  # of the room: what sources may take before cards get theirs
CARD_SHARE = 0.92  # the rest is for lines about further files
FLOOR = 0.2  # of the best score: what is below this is not worth a card
SOURCE_FLOOR = 0.4  # nor, below this, a whole source
FILE_FLOOR = 0.12  # nor is a file with no symbol above this worth a line
_BYTES_PER_TOKEN = 6  # code has 3 to 5: what is longer will not fit, so it is not counted
_AS_SHORT = 2  # times its card: a source that is hardly longer replaces it
_SMALLEST = 30  # tokens: no card takes less
_HEAD = 18  # tokens of the keys around a piece
_REASON = 80
_CITED = 12
_CARDS = 80
_FILES = 16
_NAMES = 6  # symbols that the line of a file names


class _Share(NamedTuple):
    """Parts of the room that sources may take."""

    sources: float  # before cards get theirs
    largest: float  # a single one


_RANKED = _Share(FULL_SHARE, 0.3)
_NAMED = _Share(CARD_SHARE, CARD_SHARE)


@dataclass(frozen=True, slots=True)
class Chosen:
    """Evidence for one pass."""

    pieces: tuple[Piece, ...] = ()
    summaries: tuple[str, ...] = ()
    cited: tuple[str, ...] = ()
    rest: tuple[str, ...] = ()  # names of what had no room

    @property
    def tokens(self) -> int:
        """What the pieces cost, roughly."""
        return sum(piece.tokens for piece in self.pieces)


class EvidenceChooser:
    """Chooses within a room of tokens; texts are read once for a whole pass."""

    def __init__(self, view: View, counter: TokenCounter, record: SessionRecord) -> None:
        self._view = view
        self._counter = counter
        self._record = record
        self._sources = Sources(view.index)
        self._summarised: set[str] = set()
        self._whole: dict[tuple[int, int, float], Piece] = {}  # sources are counted once

    @property
    def stale(self) -> list[str]:
        """Files that changed while they were read."""
        return self._sources.stale

    def full_text(self, symbol: SymbolRecord) -> str:
        """A symbol's source as it is shown."""
        return cards.full(self._sources.text(symbol))

    def choose(
        self,
        ranked: Sequence[Ranked],
        room: int,
        step: int = 0,
        *,
        again: bool = False,
        shown: Sequence[tuple[str, int, int]] = (),
    ) -> Chosen:
        """Pieces for the ranked symbols; with `again`, what was asked for by name, in full.

        `shown` names lines of files that the pack shows elsewhere.
        """
        best = max((one.score for one in ranked), default=0.0)
        pieces: dict[int, Piece] = {}
        opened: dict[str, list[Piece]] = {}  # sources by file
        cited: list[str] = []
        rest: list[Ranked] = []
        spent = 0
        share = _NAMED if again else _RANKED
        for one in ranked:
            beside = opened.get(one.symbol.file, ())
            if _within(one.symbol, shown) or any(_holds(each, one.symbol) for each in beside):
                continue
            if one.symbol.kind is Kind.MODULE or one.score < FLOOR * best:
                rest.append(one)
                continue
            citation = None if again or not self._record.sent else self._citation(one.symbol)
            if citation is not None:
                cited.append(citation)
                continue
            piece = self._piece(one, best, room, spent, len(pieces), step, share)
            if piece is None:
                rest.append(one)
                continue
            spent += piece.tokens - _remove_inside(pieces, piece)
            pieces[one.symbol.id] = piece
            if piece.detail is Detail.FULL:
                opened.setdefault(one.symbol.file, []).append(piece)
        grown, spent = self._grown(pieces, ranked, best, room, spent, share)
        summaries = self._summaries(rest, grown, room - spent, FILE_FLOOR * best)
        names = [_name(one.symbol) for one in rest if one.score >= FLOOR * best]
        return Chosen(
            _by_file(grown), tuple(summaries), tuple(dict.fromkeys(cited))[:_CITED], tuple(names)
        )

    def _piece(
        self,
        one: Ranked,
        best: float,
        room: int,
        spent: int,
        count: int,
        step: int,
        share: _Share,
    ) -> Piece | None:
        """The source if it is worth it and affordable, else the card if that is."""
        if one.score >= SOURCE_FLOOR * best:
            limit = min(int(room * share.sources) - spent, int(room * share.largest))
            piece = self._full(one, limit, step)
            if piece is not None:
                return piece
        left = int(room * CARD_SHARE) - spent
        if count >= _CARDS or left < _SMALLEST:
            return None
        card = self._made(one, Detail.CARD, self._card(one.symbol), step)
        short = self._full(one, min(left, _AS_SHORT * card.tokens), step)
        if short is not None:
            return short
        return card if card.tokens <= left else None

    def _full(self, one: Ranked, limit: int, step: int) -> Piece | None:
        symbol = one.symbol
        if symbol.kind not in CALLABLE_KINDS | TYPE_KINDS:
            return None
        if (symbol.end_byte - symbol.start_byte) > limit * _BYTES_PER_TOKEN:
            return None
        key = symbol.id, step, one.score
        piece = self._whole.get(key)
        if piece is None:
            piece = self._whole[key] = self._made(one, Detail.FULL, self.full_text(symbol), step)
        return piece if piece.text.strip() and piece.tokens <= limit else None

    def _grown(
        self,
        pieces: dict[int, Piece],
        ranked: Sequence[Ranked],
        best: float,
        room: int,
        spent: int,
        share: _Share,
    ) -> tuple[list[Piece], int]:
        """Cards of what ranks high become sources while there is room left."""
        for one in ranked:
            piece = pieces.get(one.symbol.id)
            if piece is None or piece.detail is not Detail.CARD:
                continue
            if one.score < SOURCE_FLOOR * best:
                break
            left = int(room * CARD_SHARE) - spent + piece.tokens
            limit = min(left, int(room * share.largest))
            full = self._full(one, limit, piece.step)
            if full is not None:
                spent += full.tokens - _remove_inside(pieces, full)
                pieces[one.symbol.id] = full
        return list(pieces.values()), spent

    def _made(self, one: Ranked, detail: Detail, text: str, step: int) -> Piece:
        reason = one_line(one.evidence[0].reason, _REASON) if one.evidence else ""
        symbol = one.symbol
        head = f"{symbol.file} {symbol.start_line}-{symbol.end_line} {symbol.qualname} {reason}"
        tokens = self._counter.count(f"{head}\n{text}") + text.count("\n") // 2 + _HEAD
        return Piece(symbol, detail, text, reason, one.score, tokens, step)

    def _card(self, symbol: SymbolRecord) -> str:
        """Signature and doc, and of a type its members; the place stands beside it."""
        lines = [cards.headline(symbol)]
        doc = cards.summary(symbol)
        if doc:
            lines.append(doc)
        if symbol.kind in TYPE_KINDS:
            listed = members(self._view, symbol, {})
            lines += [f"- {line}" for line in cards.member_signatures(listed)]
        return "\n".join(lines)

    def _citation(self, symbol: SymbolRecord) -> str | None:
        """The line that stands for what the receiver already has."""
        known = self._record.has(symbol, self._card(symbol))
        if known is None:
            return None
        if known.detail is Detail.CARD and self._record.next - known.number > 0:
            return None if _worth_source(symbol) else _cited(symbol, known.number)
        return _cited(symbol, known.number)

    def _summaries(
        self, rest: Sequence[Ranked], shown: Sequence[Piece], room: int, least: float
    ) -> list[str]:
        """A line for each further file, its ranked symbols named first."""
        own = {piece.symbol.file for piece in shown} | self._record.files | self._summarised
        files: dict[str, list[SymbolRecord]] = {}
        for one in rest:
            if one.symbol.file not in own and one.score >= least:
                files.setdefault(one.symbol.file, []).append(one.symbol)
        lines = []
        for path, symbols in list(files.items())[:_FILES]:
            line = file_summary(self._view, path, symbols)
            room -= self._counter.count(line) + 3
            if room < 0:
                break
            lines.append(line)
            self._summarised.add(path)
        return lines


def file_summary(view: View, path: str, first: Sequence[SymbolRecord] = ()) -> str:
    """A file in one line: what its doc says, and what it defines; the given symbols first."""
    records = view.records(view.index.ids_in_file(path))
    about = next((one_line(r.summary, 100) for r in records if r.kind is Kind.MODULE), "")
    outer = [r for r in records if "." not in r.qualname and r.kind in CALLABLE_KINDS | TYPE_KINDS]
    names = dict.fromkeys(r.qualname for r in (*first, *outer) if r.kind is not Kind.MODULE)
    listed = ", ".join(list(names)[:_NAMES])
    more = ", …" if len(names) > _NAMES else ""
    parts = [part for part in (about, f"{listed}{more}" if listed else "") if part]
    return f"{cards.visible_path(path)}: {'; '.join(parts)}" if parts else cards.visible_path(path)


def _worth_source(symbol: SymbolRecord) -> bool:
    return symbol.kind in CALLABLE_KINDS


def _cited(symbol: SymbolRecord, number: int) -> str:
    return f"{_name(symbol)} (pass {number})"


def _name(symbol: SymbolRecord) -> str:
    return f"{cards.qualified(symbol)} {cards.place(symbol)}"


def _holds(outer: Piece, inner: SymbolRecord) -> bool:
    """Whether a piece's source contains a symbol's."""
    same = outer.symbol.id == inner.id
    return outer.detail is Detail.FULL and (same or outer.symbol.holds(inner))


def _remove_inside(pieces: dict[int, Piece], outer: Piece) -> int:
    """Take out what a source contains, its own card included; returns the tokens freed."""
    inside = [id for id, piece in pieces.items() if _holds(outer, piece.symbol)]
    return sum(pieces.pop(id).tokens for id in inside)


def _within(symbol: SymbolRecord, shown: Sequence[tuple[str, int, int]]) -> bool:
    return any(
        symbol.file == path and first <= symbol.start_line and symbol.end_line <= last
        for path, first, last in shown
    )


def _by_file(pieces: Sequence[Piece]) -> tuple[Piece, ...]:
    """Grouped by file, the file of the best piece first; inside a file by line."""
    best: dict[str, float] = {}
    for piece in pieces:
        best[piece.symbol.file] = max(best.get(piece.symbol.file, 0.0), piece.score)
    return tuple(
        sorted(
            pieces,
            key=lambda piece: (
                piece.step,
                -best[piece.symbol.file],
                piece.symbol.file,
                piece.symbol.start_line,
                piece.symbol.qualname,
            ),
        )
    )
