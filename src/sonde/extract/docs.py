"""Documentation: comments right above a definition, and docstrings."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sonde.extract.spec import Node
    from sonde.extract.text_of import SourceText

DOC_LIMIT = 500  # characters kept of a doc
_STRING_START = re.compile(r"^[rRbBuUfF]{0,2}(\"\"\"|'''|\"|')")
_STARS = re.compile(r"^\s*\*+(?!/)\s?", re.MULTILINE)
_TAGS = re.compile(r"</?[a-zA-Z][^>\n]{0,80}>")
_LEGAL = re.compile(
    r"copyright|licen[sc]e|all rights reserved|SPDX|frozen_string_literal|^\s*-\*-", re.IGNORECASE
)


class Comments:
    """The comments of a file that stand on lines of their own."""

    def __init__(self, nodes: list[Node], source: SourceText, prefixes: tuple[str, ...]) -> None:
        self._source = source
        self._prefixes = prefixes
        self._by_end: dict[int, tuple[int, int, int]] = {}
        for node in nodes:
            start, end = node.start_byte, node.end_byte
            # some grammars let a line comment swallow its newline
            while end > start and source.data[end - 1] in b"\r\n":
                end -= 1
            first, last = source.line(start), source.line(max(start, end - 1))
            if not source.data[source.line_start(first) : start].strip():
                self._by_end[last] = (first, start, end)

    def above(self, line: int) -> str:
        """The comment block that ends on the line before `line`."""
        blocks: list[str] = []
        at = line - 1
        while (found := self._by_end.get(at)) is not None and len(blocks) < 60:
            first, start, end = found
            blocks.append(self._clean(self._source.slice(start, end)))
            at = first - 1
        return _clip("\n".join(reversed(blocks)))

    def of_file(self) -> str:
        """The comment that opens a file, unless it is a licence."""
        for last, (first, _, _) in sorted(self._by_end.items()):
            if first > 3:
                break
            end = last
            while end + 1 in self._by_end:
                end += 1
            text = self.above(end + 1)
            if not _LEGAL.search(text) and not text.startswith("!"):
                return text
        return ""

    def _clean(self, text: str) -> str:
        for prefix in self._prefixes:
            if text.startswith(prefix):
                text = text[len(prefix) :]
                break
        if text.endswith("*/"):
            text = text[:-2]
        if "\n" in text:
            text = _STARS.sub("", text)
        return _TAGS.sub("", text).strip(" \t\r\n*")


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
