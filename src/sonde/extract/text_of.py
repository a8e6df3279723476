"""A file's bytes with cheap access to lines and node texts."""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import tree_sitter

_WITH_NEWLINE = (1).__add__  # in C, as files have hundreds of lines


class SourceText:
    """Bytes of one file; offsets are bytes, lines start at 1."""

    __slots__ = ("_text", "data", "line_starts", "lines")

    def __init__(self, data: bytes) -> None:
        self.data = data
        # if every byte is a character, slicing text is three times as fast as decoding a slice
        self._text = data.decode("ascii") if data.isascii() else None
        self.lines = data.split(b"\n")
        lengths = map(_WITH_NEWLINE, map(len, self.lines))
        self.line_starts = list(accumulate(lengths, initial=0))

    def line(self, byte: int) -> int:
        """Line number of a byte offset."""
        return bisect_right(self.line_starts, byte)

    def line_start(self, line: int) -> int:
        """Offset of the first byte of a line."""
        return self.line_starts[min(line, len(self.line_starts)) - 1]

    @property
    def line_count(self) -> int:
        """Number of lines; a final newline does not start another."""
        lines = len(self.line_starts) - 1
        return max(1, lines - 1 if self.data.endswith(b"\n") else lines)

    def slice(self, start: int, end: int) -> str:
        """Text between two offsets; invalid UTF-8 becomes replacement characters."""
        if self._text is not None:
            return self._text[start:end]
        return self.data[start:end].decode("utf-8", "replace")

    def of(self, node: tree_sitter.Node) -> str:
        """Text of a syntax node."""
        return self.slice(node.start_byte, node.end_byte)

    def field(self, node: tree_sitter.Node, name: str) -> str:
        """Text of a node's field; "" if absent."""
        child = child_of(node, name)
        return self.of(child) if child is not None else ""


def child_of(node: tree_sitter.Node, name: str) -> tree_sitter.Node | None:
    """The child in a field, or the first child of a type if the name is "(type …)"."""
    if not name:
        return node
    if name[0] != "(":
        return node.child_by_field_name(name)
    types = name[1:-1].split()
    return next((child for child in node.children if child.type in types), None)
