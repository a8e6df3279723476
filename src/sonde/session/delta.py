"""What was sent and has changed since: shown as the difference, or named as gone."""

from __future__ import annotations

import difflib

from sonde.model import SymbolRecord
from sonde.pack.tokens import TokenCounter
from sonde.retrieve.view import View
from sonde.session.context_pack import Detail, Piece
from sonde.session.evidence import Chosen, EvidenceChooser
from sonde.session.memory import Sent, SessionRecord
from sonde.session.subject import kept_symbol

_TOP = 2.0  # above every ranked symbol: wrong text in the receiver's hands comes first


def changed_pieces(
    record: SessionRecord, view: View, chooser: EvidenceChooser, counter: TokenCounter
) -> Chosen:
    """A piece for each sent source that changed, and a line for each that is gone."""
    pieces: list[Piece] = []
    gone: list[str] = []
    for key in sorted(record.sent):
        sent = record.sent[key]
        path, _, name = key.partition("::")
        file = view.index.file_record(path)
        if sent.detail is Detail.CARD or (file is not None and file.hash.hex() == sent.file_hash):
            continue
        symbol = kept_symbol(view, key)
        if symbol is None:
            gone.append(f"{name} {path} is gone (pass {sent.number})")
            continue
        text = chooser.full_text(symbol)
        if text and text != sent.text:
            pieces.append(_piece(symbol, sent, text, counter))
    return Chosen(tuple(pieces), cited=tuple(gone))


def _piece(symbol: SymbolRecord, sent: Sent, text: str, counter: TokenCounter) -> Piece:
    """The difference where it is shorter than the new text."""
    rows = difflib.unified_diff(sent.text.split("\n"), text.split("\n"), lineterm="", n=1)
    difference = "\n".join(list(rows)[2:])
    short = counter.count(difference) < counter.count(text)
    reason = f"changed since pass {sent.number}"
    return Piece(
        symbol,
        Detail.CHANGED if short else Detail.FULL,
        difference if short else text,
        reason,
        _TOP,
        counter.count(difference if short else text),
    )
