"""Ways to repair half-typed source: each returns the same bytes with a few overwritten."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable
from functools import cache
from typing import NamedTuple

from sonde.extract.heads import Head, width
from sonde.extract.spec import LanguageSpec

Mend = Callable[[bytes, list[Head], list[Head], LanguageSpec], bytes]

_CLOSING = {b"(": b")", b"[": b"]", b"{": b"}"}
# follows the line comment mark: other comments, strings, brackets. A quote before brackets does
# not open a string, as it may begin a lifetime
_TOKEN = (
    rb"[^\n]*|/\*.*?(?:\*/|\Z)|\"\"\".*?(?:\"\"\"|\Z)|\"(?:\\.|[^\"\\\n])*+\"|`[^`]*+`"
    rb"|'(?:\\.|[^'\\\n(){}\[\]])*+'|'[(){}\[\]]'|([(){}\[\]])"
)
_UNINDENTED = re.compile(rb"\b(?:namespace|extern|mod|module|package)\b")  # bodies may be so
_LINE_PREFIX = 400  # bytes of a line that are searched for such words
_ABOVE = re.compile(rb"[ \t]*(?:@|template\b|#\[|\[|//|/\*|\*|#(?!\w))")  # of decorators, comments
_MOST_ABOVE = 40  # such lines above a head
_NO_HEAD = re.compile(rb"[=.@]|^\s*[\[#]|\breturn\b")  # a bracket after these opens no parameters
_NO_BODY = re.compile(rb"=|\b(?:struct|typedef|class|enum|union)\b")  # a semicolon may follow
_FINISHED = re.compile(rb"(?:[};{,\\]|\*/|\bend)$|^\s*(?:\}|#\s*\w+\s+\S|#\s*e)")
_COMMENT = re.compile(rb"//|#")
_BLANK = b" \t\r\n"
_NOT_NEWLINE = re.compile(rb"[^\r\n]")
_OPENS = re.compile(
    rb"^\s*(?:def|class|module|if|unless|while|until|case|begin|for)\b"
    rb"(?!.*(?:\bend\b|\) = |def \w+ = ))|\bdo\b(?:\s*\|[^|\n]*\|)?\s*$"
)
_GOES_ON = re.compile(rb"(?:end|else|elsif|when|in|rescue|ensure)\b|[})\].&]")


class _Open(NamedTuple):
    """A bracket that is not closed yet."""

    bracket: bytes
    at: int
    line: int  # where its line begins
    indent: int


def close_brackets(text: bytes, heads: list[Head], lost: list[Head], spec: LanguageSpec) -> bytes:
    """The text with brackets that are still open at a head closed before it."""
    if all(text.count(opening) == text.count(closing) for opening, closing in _CLOSING.items()):
        return text  # as for nearly all files that macros make unreadable
    mended, open_ = bytearray(text), list[_Open]()
    coming, before = deque(heads), -1
    line, end, indent = 0, -1, 0
    for token in _tokens("#" in spec.comment_prefixes).finditer(text):
        at, mark = token.start(), token[1]
        while coming and coming[0].at <= at:
            head = coming.popleft()
            left = []
            while open_ and open_[-1].indent >= head.indent:
                left.append(open_.pop())
            if left:
                _finish(mended, text, left, head, spec, before)
            before = head.at
        if mark is None:
            continue
        if at > end:
            line, end = text.rfind(b"\n", 0, at) + 1, text.find(b"\n", at) % (len(text) + 1)
            indent = _indent(text[line : min(end, line + _LINE_PREFIX)])
        if mark in _CLOSING:
            open_.append(_Open(mark, at, line, indent))
        elif mark == b"}":
            while open_ and open_.pop().bracket != b"{":
                pass
        elif open_ and mark == _CLOSING[open_[-1].bracket]:
            open_.pop()
    return bytes(mended)


@cache
def _tokens(hashes: bool) -> re.Pattern[bytes]:
    return re.compile((rb"#(?!\[)" if hashes else rb"//") + _TOKEN, re.DOTALL)


def _indent(line: bytes) -> int:
    return -1 if _UNINDENTED.search(line) else width(line)


def _finish(
    mended: bytearray, text: bytes, left: list[_Open], head: Head, spec: LanguageSpec, before: int
) -> None:
    """Close brackets in the blanks before a head, or blank the lines since the first bracket."""
    first = left[-1]
    block = block_start(text, head.at)
    gap = _end_of_text(text, block)
    if _COMMENT.search(text, text.rfind(b"\n", 0, gap) + 1, gap):
        gap = text.find(b"\n", gap) + 1
    closing = b"".join(_CLOSING[each.bracket] for each in left)
    start = text[first.line : first.at]
    if first.bracket == b"(" and spec.heads != "typed" and not _NO_HEAD.search(start):
        closing += b"{}"
    elif first.bracket == b"(" or _NO_BODY.search(start):
        closing += b";"
    # if a newline ends a statement, keep the last one
    room = block - 1 if spec.heads in ("keyword", "end") else _start_of_text(text, block)
    if room - gap >= len(closing):
        mended[gap : gap + len(closing)] = closing
    elif first.line > text.rfind(b"\n", 0, before + 1):
        mended[first.line : block] = _NOT_NEWLINE.sub(b" ", text[first.line : block])


def drop_blocks(text: bytes, heads: list[Head], lost: list[Head], spec: LanguageSpec) -> bytes:
    """The text without lines that open a block which no later `end` closes."""
    if spec.heads != "end":
        return text
    mended, after = bytearray(text), 0
    open_: list[tuple[int, int, int]] = []  # how deep a line stands, where it begins and ends
    for line in text.split(b"\n"):
        start, after = after, after + len(line) + 1
        words = line.lstrip()
        if not words or words[:1] == b"#":
            continue
        indent, goes_on = width(line), _GOES_ON.match(words) is not None
        while open_ and open_[-1][0] >= indent + goes_on:
            _, first, last = open_.pop()
            mended[first:last] = b" " * (last - first)
        if open_ and open_[-1][0] == indent and words.startswith(b"end"):
            open_.pop()
        if _OPENS.search(line[:_LINE_PREFIX]):
            open_.append((indent, start, start + len(line)))
    return bytes(mended)


def drop_lines(text: bytes, heads: list[Head], lost: list[Head], spec: LanguageSpec) -> bytes:
    """The text without the unfinished line before each head that is lost."""
    mended = bytearray(text)
    for head in lost:
        end = _end_of_text(text, block_start(text, head.at))
        start = text.rfind(b"\n", 0, end) + 1
        line = text[start:end]
        if line and width(line) == head.indent and not _FINISHED.search(line):
            mended[start:end] = b" " * len(line)
    return bytes(mended)


def block_start(text: bytes, head: int) -> int:
    """Where the decorators and comments directly above a head begin."""
    start = text.rfind(b"\n", 0, head) + 1
    for _ in range(_MOST_ABOVE):
        above = text.rfind(b"\n", 0, max(start - 1, 0)) + 1
        if start == 0 or not _ABOVE.match(text, above, start):
            break
        start = above
    return start


def _end_of_text(text: bytes, at: int) -> int:
    while at and text[at - 1] in _BLANK:
        at -= 1
    return at


def _start_of_text(text: bytes, at: int) -> int:
    while at < len(text) and text[at] in _BLANK:
        at += 1
    return at


MENDS: tuple[Mend, ...] = (close_brackets, drop_blocks, drop_lines)
