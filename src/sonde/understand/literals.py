"""Strings in the text that may appear verbatim in the code: messages and quotations."""

from __future__ import annotations

from collections.abc import Iterable

from sonde.expression import expression

MAX_LITERALS = 8
_SHORTEST, _LONGEST = 8, 120

_QUOTED = expression(
    r"(?<![\w'])\"([^\"\n`]{1,200})\"(?!\w)|(?<![\w\"])'([^'\n`]{1,200})'(?!\w)|“([^”\n]{1,200})”|"
    r"``?([^`\n]{1,200})``?"
)
# Values that programs interpolate into messages: quoted text, numbers, addresses, paths, brackets.
_FILLED_IN = expression(
    r"'[^'\n]{0,80}'|\"[^\"\n]{0,80}\"|`[^`\n]{0,80}`|<[^>\n]{0,80}>|"
    r"\[[^\]\n]{0,80}\]|\{[^}\n]{0,80}\}|"
    r"\b0x[0-9a-fA-F]+\b|(?<![\w.])-?\d[\d.,:]*\b|\S*[/\\]\S+|\b[A-Za-z_]\w*(?:\.\w+)+\b"
)
_CODE_SIGNS = expression(r"[;{}=<>$]|\w\(|\)\.|^\s*[-/$]|https?:|::|->")
_TYPE_PREFIX = expression(r"^\W?(?:[\w.:]{0,100}(?:Error|Exception|Warning): )+")
_WORD = expression(r"[^\W\d_]{2,}")


def worth_searching(messages: Iterable[str], prose: Iterable[str]) -> tuple[str, ...]:
    """Fixed pieces of error messages, then quoted phrases, at most eight."""
    found: dict[str, None] = {}
    for message in messages:
        for piece in fixed_pieces(message)[:2]:
            found[piece] = None
    for text in prose:
        for match in _QUOTED.finditer(text):
            quoted = next(group for group in match.groups() if group).strip()
            if _is_phrase(quoted):
                found.update(dict.fromkeys(fixed_pieces(quoted)[:1]))
    return tuple(found)[:MAX_LITERALS]


def fixed_pieces(message: str) -> list[str]:
    """The parts of a message that appear literally in the source, longest first."""
    said = _TYPE_PREFIX.sub("", message[:400])
    pieces = [piece.strip(" .,:;!?()-—'\"`") for piece in _FILLED_IN.split(said)]
    kept = [_cut(piece) for piece in pieces if _is_distinctive(piece)]
    return sorted(dict.fromkeys(kept), key=lambda piece: -len(piece))


def _is_distinctive(piece: str) -> bool:
    words = _WORD.findall(piece)
    return len(piece) >= _SHORTEST and (len(words) >= 3 or (len(words) == 2 and len(piece) >= 12))


def _is_phrase(quoted: str) -> bool:
    return len(_WORD.findall(quoted)) >= 3 and " " in quoted and not _CODE_SIGNS.search(quoted)


def _cut(piece: str) -> str:
    if len(piece) <= _LONGEST:
        return piece
    return piece[:_LONGEST].rsplit(" ", 1)[0]
