"""Macros that a parser without a preprocessor stumbles over, blanked byte for byte."""

from __future__ import annotations

import re

_MACRO = rb"[A-Z_][A-Z0-9_]{2,}"
# with arguments only where the name tells an attribute: others may be statements
_ATTRIBUTE = (
    rb"\w*(?:ATTR|PRINTF|FORMAT|LIKE|NONNULL|GUARDED|REQUIRES|DEPRECATED|ALLOC|UNUSED|EXCLUDES|LOCK)"
    rb"\w*\s*\([^(){};]*(?:\([^(){};]*\)[^(){};]*)*\)|__attribute__\s*\(\([^;{}]*?\)\)"
)
_AFTER_PARAMETERS = re.compile(
    rb"(?<=\))\s*(?:const\s+)?(?:(?:" + _ATTRIBUTE + rb"|" + _MACRO + rb")\s*)+(?=[;{])"
)
_BEFORE_DECLARATION = re.compile(
    rb"^(?:(?:static|extern|inline)\s+)*(?:" + _MACRO + rb"(?:\([^()\n]*\))?\s+)+"
    rb"(?=(?:[\w:]+(?:<[^;{}()]*>)?[\s*&]+)+~?[\w:]+\s*\()",
    re.MULTILINE,
)
_IN_TYPE_HEAD = re.compile(
    rb"\b(?:class|struct)\s+" + _MACRO + rb"(?:\([^()\n]*\))?(?=\s+\w+\s*(?:final\s*)?[:{;])"
)
_KEPT = re.compile(rb"\b(?:const|static|extern|inline|class|struct)\b|\s")


def blank_macros(data: bytes) -> bytes:
    """The same bytes with attribute-like macros as spaces; nothing moves."""
    for pattern in (_AFTER_PARAMETERS, _BEFORE_DECLARATION, _IN_TYPE_HEAD):
        data = pattern.sub(_blank, data)
    return data


def _blank(match: re.Match[bytes]) -> bytes:
    text = match.group()
    kept = bytearray(b" " * len(text))
    for piece in _KEPT.finditer(text):
        kept[piece.start() : piece.end()] = piece.group()
    return bytes(kept)
