"""Make repository text safe to show: nothing invisible, nothing that closes our framing."""

from __future__ import annotations

import re

# Control characters except tab and newline, C1 controls and NEL, soft hyphen, zero-width and
# bidirectional marks, line and paragraph separators, byte-order mark, lone surrogates,
# non-characters and the invisible tag block: each is illegal in XML or YAML text, or can make a
# reader see something other than what is there.
_HIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f"
    "\ud800-\udfff\ufeff\ufff9-\uffff\U000e0000-\U000e0fff]"
)


def _name(match: re.Match[str]) -> str:
    code = ord(match.group())
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def visible(text: str) -> str:
    """The text with hidden characters escaped and line endings normalised to newlines."""
    if text.isascii() and text.isprintable():
        return text
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return _HIDDEN.sub(_name, text)


def one_line(text: str, limit: int) -> str:
    """The text on one line, cut at `limit` characters with an ellipsis."""
    flat = " ".join(visible(text[: limit * 4]).split())
    return flat if len(flat) <= limit else flat[: limit - 1].rstrip() + "…"
