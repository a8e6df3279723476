"""The import statements of a file, for chunks that are read alone."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sonde.extract.text_of import SourceText
from sonde.model import FileFacts

_MOST = 12  # more would outweigh the chunk
_LONGEST = 30  # lines of one statement
_WIDEST = 300  # characters of it; a file may be one line
_WORD = re.compile(r"\w+")
_OPENING, _CLOSING = "({", ")}"


class ImportLines:
    """Statements by the names they bind; those that bind no name in particular always count."""

    def __init__(self, facts: FileFacts, source: SourceText) -> None:
        self._source = source
        self._bound: dict[int, set[str]] = {}  # names, by the statement's line
        for each in facts.imports:
            if each.module or each.level:
                self._bound.setdefault(each.line, set()).add(each.alias)
        self._texts: dict[int, str] = {}

    def used_in(self, text: str, start: int, end: int) -> list[str]:
        """The statements whose names a text has, unless they stand in it (lines start to end)."""
        words = set(_WORD.findall(text))
        lines = [
            line
            for line, names in self._bound.items()
            if not start <= line <= end and ("*" in names or names & words)
        ]
        return list(dict.fromkeys(map(self._statement, lines[:_MOST])))

    def _statement(self, line: int) -> str:
        if line not in self._texts:
            self._texts[line] = " ".join(self._words(line))[:_WIDEST]
        return self._texts[line]

    def _words(self, line: int) -> Iterator[str]:
        """The words of a statement, which goes on while a bracket is open."""
        depth = 0
        for each in self._source.lines[line - 1 : line - 1 + _LONGEST]:
            text = each.decode("utf-8", "replace")
            yield from text.split()
            depth += sum(map(text.count, _OPENING)) - sum(map(text.count, _CLOSING))
            if depth <= 0:
                return
