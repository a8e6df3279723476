"""What the first bytes of a file tell: unreadable, minified, data, generated."""

from __future__ import annotations

import re

from sonde.discover.language import CODE_LANGUAGES
from sonde.expression import expression
from sonde.model import SkipReason

PREFIX_BYTES = 16_384

_BOMS_WE_CANNOT_READ = (b"\xff\xfe", b"\xfe\xff", b"\x00\x00\xfe\xff")
_MAGIC = (b"%PDF-", b"\x89PNG", b"GIF8", b"\xff\xd8\xff", b"PK\x03\x04", b"\x1f\x8b", b"\x7fELF",
          b"BZh9", b"\xfd7zXZ", b"\xca\xfe\xba\xbe", b"7z\xbc\xaf", b"Rar!")  # fmt: skip
_CONTROL = bytes(set(range(32)) - {7, 8, 9, 10, 12, 13, 27})
_CONTROL_SHARE = 0.02  # text in any encoding has next to none
_INVALID_SHARE = 0.3  # code with comments in a legacy encoding stays below, prose is above

# Hand-written lines this long are single strings; in packed code they are most of the file.
_LONG_LINE = {"javascript": 500, "css": 500, "html": 2000}
_LONG_LINE_ELSEWHERE = 2000
_SMALLEST_MINIFIED = 1024
_ONE_LINE_FORMATS = CODE_LANGUAGES | {"json", "css", "html", "xml"}

_TABLE_BYTES = 100_000  # below this a table costs little and may be worth finding
_DATA_FILE_BYTES = 512_000
_DATA_LANGUAGES = frozenset({"json", "xml", "yaml", ""})
_STRINGS = expression(rb"\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'")
_TABLE_LINE = expression(rb"[\s\d,;:.xXa-fA-F{}()\[\]+\-|_>=\"'\\]*")
_TABLE_SHARE = 0.9

_GENERATED_HEAD = 4096
_COMMENT = expression(rb"^[ \t]*(?://|#|/\*|\*|--|;|<!--)(.*)$", re.MULTILINE)
_HEADER = expression(
    rb"(?:\s++|//[^\n]*+|\#[^\n]*+|--[^\n]*+|;[^\n]*+|/\*.*?\*/|<!--.*?-->|<\?php|\"\"\".*?\"\"\")*+",
    re.DOTALL,
)
_SAYS_GENERATED = expression(
    rb"code generated\b.*do not edit|(?<![\w`'\"])@generated\b|<auto-?generated", re.IGNORECASE
)
# Ordinary code talks this way too, but not before its first line.
_SAYS_GENERATED_IN_HEADER = expression(
    rb"code generated (?:by|from)|do not (?:edit|modify)\b"
    rb"|\bauto-?generated (?:by|from|file|code|using|with)\b"
    rb"|\b(?:file|code|module|class|source) (?:is|was|has been) (?:auto|automatically|machine)[- ]?"
    rb"generated|automatically generated (?:by|from)|^\W*generated (?:by|from|with) \S+",
    re.IGNORECASE | re.MULTILINE,
)


def unreadable_reason(start: bytes) -> SkipReason | None:
    """Binary or badly encoded, from the first bytes."""
    if start.startswith(_BOMS_WE_CANNOT_READ):
        return SkipReason.BAD_ENCODING
    if start.startswith(_MAGIC):
        return SkipReason.BINARY
    if b"\0" in start:
        return SkipReason.BAD_ENCODING if _is_wide_text(start) else SkipReason.BINARY
    try:
        start.decode("utf-8")
    except UnicodeDecodeError as error:
        if error.start >= len(start) - 3:
            return None  # a character cut in two by the prefix's end
        control = len(start) - len(start.translate(None, _CONTROL))
        if control > _CONTROL_SHARE * len(start):
            return SkipReason.BINARY
        invalid = start.decode("utf-8", "replace").count("\ufffd")
        if invalid > _INVALID_SHARE * len(start):
            return SkipReason.BAD_ENCODING
    return None


def worthless_reason(start: bytes, size: int, language: str) -> SkipReason | None:
    """Minified code or a blob of data, from the first bytes and the size."""
    if language in _ONE_LINE_FORMATS and _is_minified(start, language):
        return SkipReason.MINIFIED
    if language in _DATA_LANGUAGES and size > _DATA_FILE_BYTES:
        return SkipReason.DATA_BLOB
    if language in CODE_LANGUAGES and size > _TABLE_BYTES and _is_table(start):
        return SkipReason.DATA_BLOB
    return None


def is_generated(start: bytes) -> bool:
    """Whether a comment near the top says that a program wrote the file."""
    head = start[:_GENERATED_HEAD]
    folded = head.lower()
    if b"generated" not in folded and b"do not " not in folded:
        return False
    header = _HEADER.match(head.removeprefix(b"\xef\xbb\xbf"))
    if header is not None and _SAYS_GENERATED_IN_HEADER.search(header[0]):
        return True
    return any(_SAYS_GENERATED.search(comment[1]) for comment in _COMMENT.finditer(head))


def _is_wide_text(start: bytes) -> bool:
    """UTF-16 without a mark: nearly every second byte is zero, the others never."""
    even, odd = start[::2], start[1::2]
    zeros = (even.count(0), odd.count(0))
    return min(zeros) == 0 and max(zeros) * 10 > len(odd) * 7


def _is_minified(start: bytes, language: str) -> bool:
    if len(start) < _SMALLEST_MINIFIED:
        return False
    limit = _LONG_LINE.get(language, _LONG_LINE_ELSEWHERE)
    if not _has_line_longer_than(limit, start):
        return False
    lengths = map(len, start.split(b"\n"))
    return sum(length for length in lengths if length > limit) * 2 > len(start)


def _has_line_longer_than(limit: int, start: bytes) -> bool:
    """Leap from newline to newline, so that ordinary code costs a few searches, not a split."""
    position = 0
    while len(start) - position > limit:
        newline = start.rfind(b"\n", position, position + limit + 1)
        if newline < 0:
            return True
        position = newline + 1
    return False


def _is_table(start: bytes) -> bool:
    lines = [line for line in start.split(b"\n")[:-1] if line.strip()]
    body = lines[len(lines) // 5 :]  # licence, imports and the opening of the table
    if len(body) < 5:
        return False
    rows = sum(_TABLE_LINE.fullmatch(_STRINGS.sub(b"", line)) is not None for line in body)
    return rows >= _TABLE_SHARE * len(body)
