"""Documentation: comments right above a definition, and docstrings."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sonde.extract.text_of import SourceText

DOC_LIMIT = 500  # characters kept of a doc
_DOC_LINES = 60  # of a comment block; more than enough to fill a doc
_BLOCK_LINES = 200  # searched for the other end of a comment
_OPENING_LINES = 120  # searched for the comment that opens a file
_STRING_START = re.compile(r"^[rRbBuUfF]{0,2}(\"\"\"|'''|\"|')")
_SLASH_MARKS = re.compile(r"^[ \t]*(?://[/!]?|/\*[*!]?|\*(?!/))?[ \t]*|[ \t*]*\*/$", re.MULTILINE)
_HASH_MARKS = re.compile(r"^#*[ \t]*", re.MULTILINE)
_TAGS = re.compile(r"</?[a-zA-Z][^>\n]{0,80}>")
# Of `<see cref="T:Shop.Cart"/>` a reader sees what it names.
_NAMING_TAG = re.compile(
    r"<(?:see|seealso|paramref|typeparamref)\s+(?:cref|name|langword)=\"(?:[A-Z]:)?([^\"\n]{1,80})\"\s*/>"
)
_MAGIC_LINES = 2  # of a file that may tell an interpreter something
_MAGIC = re.compile(
    r"^\s*(?:-\*-.*|(?:frozen_string_literal|(?:en)?coding|typed|warn_indent):.*)$\n?",
    re.IGNORECASE | re.MULTILINE,
)
_LEGAL = re.compile(
    r"copyright|licen[sc]e|all rights reserved|SPDX|frozen_string_literal|^\s*-\*-", re.IGNORECASE
)


class Comments:
    """The comments of a file that have lines of their own, read only when a doc is needed.

    Reading lines costs a fifth of capturing every comment as a syntax node.
    """

    def __init__(self, source: SourceText, prefixes: tuple[str, ...]) -> None:
        self._lines = source.lines
        self._prefixes = tuple(p.encode() for p in prefixes if not p.startswith("/*"))
        self._marks = _HASH_MARKS if "#" in prefixes else _SLASH_MARKS

    def above(self, line: int) -> str:
        """The comment block that ends on the line before `line`."""
        first, last = self._block(line)
        if first == last:
            return ""
        kept = self._lines[first : min(last, first + _DOC_LINES)]
        block = b"\n".join(line.strip()[:DOC_LIMIT] for line in kept)
        doc = self._marks.sub("", block.decode("utf-8", "replace"))
        if first < _MAGIC_LINES:
            doc = _MAGIC.sub("", doc)
        return _clip(_TAGS.sub("", _NAMING_TAG.sub(r"\1", doc)) if "<" in doc else doc)

    def begins(self, line: int) -> int:
        """The first line of that block; `line` itself if there is none."""
        first, last = self._block(line)
        return first + 1 if first < last else line

    def _block(self, line: int) -> tuple[int, int]:
        """The block as a range of line indexes."""
        lines = self._lines
        first = last = min(line - 1, len(lines))
        while self._prefixes and first > 0:
            text = lines[first - 1].strip()
            if text.startswith(self._prefixes):
                first -= 1
            elif text.endswith(b"*/") and (opening := self._opening(first)) < first:
                first = opening
            else:
                break
        return first, last

    def of_file(self) -> str:
        """The first comment before any code, unless it is a licence."""
        if not self._prefixes:
            return ""
        end = 0  # of the block being read
        for at, line in enumerate(self._lines[:_OPENING_LINES]):
            text = line.strip()
            if at < end:
                continue
            if text.startswith(self._prefixes):
                end = at + 1
            elif text.startswith(b"/*"):
                end = self._closing(at)
            else:
                doc = self.above(end + 1) if end == at else ""
                if doc and not _LEGAL.search(doc) and not doc.startswith("!"):
                    return doc
                if text and not text.startswith((b"<?php", b"#!")):
                    break
        return ""

    def _opening(self, end: int) -> int:
        """Where the comment closed before line index `end` begins; `end` if it follows code."""
        for at in range(end - 1, max(-1, end - _BLOCK_LINES), -1):
            if b"/*" in self._lines[at]:
                return at if self._lines[at].lstrip().startswith(b"/*") else end
        return end

    def _closing(self, start: int) -> int:
        """Index after the line that closes the comment opened at line index `start`."""
        for at in range(start, min(len(self._lines), start + _BLOCK_LINES)):
            if b"*/" in self._lines[at]:
                return at + 1
        return start + 1


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
