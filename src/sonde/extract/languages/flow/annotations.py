"""What only Flow's types have, overwritten by what the TSX grammar reads in the same way.

Only files that this grammar cannot read as they are come here. Names and types are read from the
file itself, so no text changes. What looks like an annotation inside a string or comment may be
overwritten too: it stays a string or comment.
"""

from __future__ import annotations

import re

_SIMPLE = rb"(?:string|number|boolean|bigint|symbol|mixed|any|empty|void|null|true|false)\b"
_ARGUMENTS = rb"(?:<(?:[^<>=;]|<[^<>=;]*+>)*+>)?(?:\[\])*+"
_TYPE = rb"(?:[A-Z$][\w$.]*+|" + _SIMPLE + rb")" + _ARGUMENTS
_WORDS = re.compile(
    rb"^[ \t]*+(?:(?P<declare>declare)(?=[ \t]+export\b)"
    rb"|(?:export[ \t]++|declare[ \t]++)*+(?P<opaque>opaque)(?=[ \t]+type\b))"
    rb"|\btype[ \t]++[\w$]++(?P<bound>:[^=;{}\n]{0,200}+)(?==)"
    rb"|\bexport[ \t]++(?P<all>type)(?=[ \t]*+\*)"
    rb"|[:|&,<(?]\s*+(?P<inline>interface)(?=\s*+\{)"
    rb"|(?P<checks>%checks\b)"
    rb"|\bfor[ \t]*+\([ \t]*+(?:let|const|var)[ \t]++[\w$]++(?P<loop>:[^;=()\n]*?)(?=[ \t]+of\b)"
    # variance: `+name: T`, `-[key: K]: T`, `<+T>`
    rb"|(?:^[ \t]*+|(?:[{|,;<]|\bstatic\b)\s*+)(?P<variance>[+-])"
    rb"(?=[\w$]++\??:|\[[\w$]++[\]:]|[A-Z]\w*+[>,:=])"
    # of a type that may be null, after what an operator of a value cannot follow
    rb"|[:|&,<(=\[]\s*+(?P<maybe>\?)(?=[\w$({<\[?'\"])",
    re.MULTILINE,
)
# a function type that takes one type; the arrow of a value follows names, or `): Type`
_ARROW = re.compile(
    rb"(?:[^)\s]\s*+:|[<=]|(?<![\w$>)\]])\()\s*+\??" + _TYPE + rb"\s*+(?P<arrow>=>)"
)
# what follows the bracket of one that takes types without names, and cannot begin parameters
_LEADING = rb"(?:\s++|//[^\n]*+|[\w$.]++\s*+,)*+"
_UNNAMED = re.compile(_LEADING + rb"(?:[?'\"]|\{\||[\w$.]++\s*+(?:[<|&]|\[\]))")
_SIMPLY_UNNAMED = re.compile(_LEADING + _SIMPLE + rb"\s*+[,)]")
_BEFORE_TYPE = re.compile(rb"(?:[:|&<?]|\btype\s+\w{1,40}\s*=)\s*\Z")
_BEFORE_FIELDS = re.compile(rb"[=:?|&<,(\[>]\s*\Z")  # in markup, a brace follows a name or value
_BEFORE = 80  # bytes that are searched for these
_TOKEN = re.compile(
    rb"//[^\n]*+|/\*.*?(?:\*/|\Z)|\"(?:\\.|[^\"\\\n])*+\"|'(?:\\.|[^'\\\n])*+'|`(?:\\.|[^`\\])*+(?:`|\Z)"
    rb"|(?P<open>[(\[{])|\)\s*+(?P<arrow>=>)|(?P<close>[)\]}])|(?P<spread>\.\.\.)",
    re.DOTALL,
)
_EXACT = re.compile(rb"\(\s*+(\{\|)(?=\s*+[\w$+-])")
_END = re.compile(rb"\}\s*+,?\s*+\)")
_LAST = re.compile(rb"\s*+,?\s*+\|?\}")


def plain(data: bytes) -> bytes:
    """The source without what only Flow has; same length, nothing moved."""
    text = bytearray(data)
    for found in _ARROW.finditer(data):
        _overwrite(text, found, "arrow", b"| ")  # of what it takes and what it gives
    _unname(text, data)
    for found in _WORDS.finditer(data):
        _overwrite(text, found, found.lastgroup or "", b"")
    return bytes(text)


def _unname(text: bytearray, data: bytes) -> None:
    """Types of parameters without names as what has none: parameters of an object as its fields,
    others as a tuple. Spreads of object types as fields."""
    opened, object_ = list[int](), (0, 0)  # the brackets around, and the last that were closed
    for found in _TOKEN.finditer(data):
        start = found.start()
        if found["open"]:
            opened.append(start)
        elif found["spread"] and _LAST.match(data, found.end()):
            _overwrite(text, found, "spread", b"")
        elif found["spread"] and opened and _has_fields(data, opened[-1]):
            _overwrite(text, found, "spread", b"_:")
        elif (found["close"] or found["arrow"]) and opened:
            first = opened.pop()
            exact = _EXACT.match(data, first)
            if exact and exact.start(1) == object_[0] and _END.match(data, object_[1]):
                text[object_[0] : object_[0] + 2] = text[object_[1] - 1 : object_[1] + 1] = b"  "
            elif found["arrow"] and data[first] == ord("(") and _is_unnamed(data, first):
                text[first], text[start] = b"[]"
                _overwrite(text, found, "arrow", b"| ")
            object_ = first, start


def _overwrite(text: bytearray, found: re.Match[bytes], group: str, by: bytes) -> None:
    start, end = found.span(group)
    text[start:end] = by.ljust(end - start)


def _is_unnamed(data: bytes, bracket: int) -> bool:
    if _UNNAMED.match(data, bracket + 1):
        return True
    return _SIMPLY_UNNAMED.match(data, bracket + 1) is not None and (
        _BEFORE_TYPE.search(data, max(bracket - _BEFORE, 0), bracket) is not None
    )


def _has_fields(data: bytes, bracket: int) -> bool:
    if data[bracket] != ord("{"):
        return False
    return _BEFORE_FIELDS.search(data, max(bracket - _BEFORE, 0), bracket) is not None
