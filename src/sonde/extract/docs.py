"""Documentation: comments right above a definition, and docstrings."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sonde.extract.text_of import SourceText

DOC_LIMIT = 500  # characters kept of a doc
_MAX_BLOCKS = 60  # comments joined to one doc
_MAX_BLOCK_LINES = 200  # of one comment
_MAX_OPENING = 120  # lines in which the comment that opens a file is looked for
_STRING_START = re.compile(r"^[rRbBuUfF]{0,2}(\"\"\"|'''|\"|')")
_STARS = re.compile(r"^\s*\*+(?!/)\s?", re.MULTILINE)
_TAGS = re.compile(r"</?[a-zA-Z][^>\n]{0,80}>")
_LEGAL = re.compile(
    r"copyright|licen[sc]e|all rights reserved|SPDX|frozen_string_literal|^\s*-\*-", re.IGNORECASE
)


class Comments:
    """The comments of a file that stand on lines of their own, read where a doc is asked for.

    Reading lines costs a fifth of capturing every comment as a syntax node.
    """

    def __init__(self, source: SourceText, prefixes: tuple[str, ...]) -> None:
        self._source = source
        self._prefixes = prefixes
        self._line_prefixes = tuple(p.encode() for p in prefixes if not p.startswith("/*"))

    def above(self, line: int) -> str:
        """The comment block that ends on the line before `line`."""
        blocks: list[str] = []
        last = line - 1
        while last > 0 and len(blocks) < _MAX_BLOCKS:
            first = self._first_line(last)
            if not first:
                break
            blocks.append(self._clean(self._text(first, last)))
            last = first - 1
        return _clip("\n".join(reversed(blocks))) if blocks else ""

    def of_file(self) -> str:
        """The first comment before any code, unless it is a licence."""
        last = 0  # last line of the block being read
        for line in range(1, min(self._source.line_count, _MAX_OPENING) + 2):
            text = self._line(line)
            if text.startswith(self._line_prefixes) if self._line_prefixes else False:
                last = line
            elif text.startswith(b"/*") and self._line_prefixes:
                last = self._end_of_block(line)
            elif line > last:
                doc = self.above(last + 1) if last == line - 1 else ""
                if doc and not _LEGAL.search(doc) and not doc.startswith("!"):
                    return doc
                if text and not text.startswith((b"<?php", b"#!")):
                    break
        return ""

    def _first_line(self, last: int) -> int:
        """Where the comment that ends on a line begins, 0 when none ends there."""
        text = self._line(last)
        if not text:
            return 0
        if text.endswith(b"*/"):
            for first in range(last, max(0, last - _MAX_BLOCK_LINES), -1):
                opening = self._line(first)
                if b"/*" in opening:
                    return first if opening.startswith(b"/*") and self._line_prefixes else 0
            return 0
        return last if self._line_prefixes and text.startswith(self._line_prefixes) else 0

    def _end_of_block(self, first: int) -> int:
        for line in range(first, first + _MAX_BLOCK_LINES):
            if b"*/" in self._line(line):
                return line
        return first

    def _line(self, line: int) -> bytes:
        source = self._source
        return source.data[source.line_start(line) : source.line_start(line + 1)].strip()

    def _text(self, first: int, last: int) -> str:
        source = self._source
        return source.slice(source.line_start(first), source.line_start(last + 1)).strip()

    def _clean(self, text: str) -> str:
        for prefix in self._prefixes:
            if text.startswith(prefix):
                text = text[len(prefix) :]
                break
        if text.endswith("*/"):
            text = text[:-2]
        if "\n" in text:
            text = _STARS.sub("", text)
        if "<" in text:
            text = _TAGS.sub("", text)
        return text.strip(" \t\r\n*")


def clean_docstring(text: str) -> str:
    """A docstring without quotes and indentation."""
    match = _STRING_START.match(text)
    if match:
        quote = match.group(1)
        text = text[match.end() :]
        text = text[: -len(quote)] if text.endswith(quote) else text
    lines = text.strip().split("\n")
    return _clip("\n".join(line.strip() for line in lines))


def _clip(text: str) -> str:
    return text.strip()[:DOC_LIMIT]
