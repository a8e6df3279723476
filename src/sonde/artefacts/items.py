"""Items of a Markdown or plain text file: list entries and paragraphs under their headings."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

_HEADING = re.compile(r"^(#{1,6})\s+(.+?)\s*#*$")
_UNDERLINE = re.compile(r"^(?:={3,}|-{3,}|~{3,})\s*$")
_BULLET = re.compile(r"^(\s*)(?:[-*+]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?(.*)$")
_FENCE = re.compile(r"^\s*(```+|~~~+)")
_NOT_PROSE = re.compile(r"^\s*(?:\||<|\[!\[|!\[|\.\. |:\w+:|---$)")
_LINK = re.compile(r"!?\[([^\]\n]*)\]\([^)\n]*\)")
_EMPHASIS = re.compile(r"(\*\*|__)(?=\S)(.+?)(?<=\S)\1")
_FRONT_MATTER = re.compile(r"\A---\n.*?\n---\n", re.S)
_COMMENT = "<!--", "-->"
LONGEST = 400  # characters; a rule that needs more is a chapter
# Characters as written, with links and emphasis. More is no prose, and its brackets and stars would
# keep the expressions busy for minutes.
_WRITTEN = 4_000


class Item(NamedTuple):
    """A list entry or paragraph on one line, with the headings above it."""

    text: str
    line: int
    headings: tuple[str, ...]
    listed: bool


class _Open(NamedTuple):
    words: list[str]
    line: int
    listed: bool


def items(text: str) -> Iterator[Item]:
    """All items in order, without code blocks, tables and pictures."""
    text = text.replace("\r\n", "\n")
    if front := _FRONT_MATTER.match(text):
        text = _blank_lines(front[0]) + text[front.end() :]
    text = _without_comments(text)
    headings: list[tuple[int, str]] = []
    open_item: _Open | None = None
    fence = ""
    lines = text.split("\n")
    for number, line in enumerate(lines, 1):
        line = line if len(line) <= _WRITTEN else ""
        mark = _FENCE.match(line)
        if fence:
            fence = "" if mark and mark[1].startswith(fence) else fence
            continue
        below = lines[number] if number < len(lines) else ""
        heading = _heading(line, below)
        bullet = _BULLET.match(line)
        ends = mark or heading or bullet or not line.strip() or _NOT_PROSE.match(line)
        if ends and open_item is not None:
            yield from _closed(open_item, headings)
            open_item = None
        if mark:
            fence = mark[1]
        elif heading:
            level, title = heading
            headings = [each for each in headings if each[0] < level] + [(level, title)]
        elif bullet:
            open_item = _Open([bullet[2]], number, True)
        elif line.strip() and not _NOT_PROSE.match(line) and not _UNDERLINE.match(line):
            if open_item is None:
                open_item = _Open([], number, False)
            open_item.words.append(line.strip())
    if open_item is not None:
        yield from _closed(open_item, headings)


def _without_comments(text: str) -> str:
    opening, closing = _COMMENT
    kept = []
    at = 0
    while (start := text.find(opening, at)) >= 0 and (end := text.find(closing, start)) >= 0:
        kept += [text[at:start], _blank_lines(text[start:end])]
        at = end + len(closing)
    return "".join([*kept, text[at:]])


def _blank_lines(text: str) -> str:
    """As many lines as a text that is left out, so that the others keep their numbers."""
    return "\n" * text.count("\n")


def _heading(line: str, below: str) -> tuple[int, str] | None:
    match = _HEADING.match(line)
    if match:
        return len(match[1]), plain(match[2])
    if line.strip() and _UNDERLINE.match(below) and not _BULLET.match(line):
        return (1 if below.startswith("=") else 2), plain(line.strip())
    return None


def _closed(item: _Open, headings: list[tuple[int, str]]) -> Iterator[Item]:
    written = " ".join(item.words)
    text = plain(written) if len(written) <= _WRITTEN else ""
    if text and len(text) <= LONGEST:
        yield Item(text, item.line, tuple(title for _, title in headings), item.listed)


def plain(text: str) -> str:
    """The text without links and emphasis; code keeps its backticks."""
    return " ".join(_EMPHASIS.sub(r"\2", _LINK.sub(r"\1", text)).split())
