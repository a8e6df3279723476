"""The part of a very long text that is worth analysing, without control characters."""

from __future__ import annotations

from sonde.expression import expression

HEAD = 24_000  # characters; as long as the longest issue texts people write
_TAIL = 4_000  # a log ends with what went wrong
_SCANNED = 4_000_000
_MAX_BEACONS = 50
_AROUND = 160  # characters kept on both sides of a beacon, cut at line ends

_ANSI = expression(r"\x1b\[[0-9;]{0,20}[A-Za-z]")
_CONTROL = expression(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]"
)
_BEACON = expression(
    r"\.(?:pyx?|[jt]sx?|[cm]js|java|kt|scala|go|rs|rb|cs|php|cc?|cpp|"
    r"hp?p?)[\"']?(?:, line |:|\()\d|"
    r"`[A-Za-z_][\w.:()]{2,60}`|(?:Error|Exception): |panicked at "
)


def excerpt(text: str) -> str:
    """The text; if it is huge, only its head, its tail and the lines between that name code."""
    if len(text) > HEAD + _TAIL:
        middle = text[HEAD : min(len(text), _SCANNED) - _TAIL]
        text = "\n".join([text[:HEAD], *_beacons(middle), text[-_TAIL:]])
    if "\x1b" in text:
        text = _ANSI.sub("", text)
    return _CONTROL.sub(" ", text.replace("\r\n", "\n"))


def _beacons(middle: str) -> list[str]:
    kept: list[str] = []
    end = 0
    for match in _BEACON.finditer(middle):
        if match.start() < end:
            continue
        start = max(end, match.start() - _AROUND, middle.rfind("\n", 0, match.start()) + 1)
        stop = middle.find("\n", match.end(), match.end() + _AROUND)
        end = stop if stop >= 0 else min(len(middle), match.end() + _AROUND)
        kept.append(middle[start:end])
        if len(kept) >= _MAX_BEACONS:
            break
    return kept
