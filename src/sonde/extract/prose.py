"""Markdown, reStructuredText and plain text → sections; windows if there are no headings."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from sonde.extract import module_name
from sonde.extract.text_of import SourceText
from sonde.model import Chunk, FileFacts, Kind, Reference, RefKind, Symbol

_ATX = re.compile(rb"^(#{1,6})[ \t]+(.+?)[ \t]*#*[ \t]*$", re.MULTILINE)
_UNDERLINED = re.compile(
    rb"^(?P<title>\S[^\n]{0,200})\n(?P<rule>([=\-~^\"'*+#`:.])\3{2,})[ \t]*$", re.MULTILINE
)
_FENCE = re.compile(rb"^[ \t]*(```|~~~)", re.MULTILINE)
# begins with a plain character, which is searched for in C: a third of the time of "`{1,2}"
_QUOTED = re.compile(rb"``?([A-Za-z_][\w.:#]{2,80}?)(?:\(\))?``?")

# A window of 1,000 tokens with 200 of overlap, at the usual 4 bytes per token.
WINDOW_BYTES = 4000
OVERLAP_BYTES = 800


class _Heading(NamedTuple):
    start: int
    level: int
    title: str


def extract_prose(path: str, language: str, data: bytes) -> FileFacts:
    """A text file: one module symbol, one chunk per section, and the code names it quotes."""
    source = SourceText(data)
    headings = list(_headings(data, language))
    name = module_name(path)
    title = headings[0].title if headings else ""
    module = Symbol(name, name, Kind.MODULE, 1, source.line_count, 0, len(data), doc=title[:500])
    references = dict.fromkeys(
        _reference(match.group(1).decode(), source.line(match.start()))
        for match in _QUOTED.finditer(data)
    )
    return FileFacts(
        language=language,
        symbols=(module,),
        references=tuple(references),
        chunks=tuple(_sections(source, headings)),
    )


def _reference(text: str, line: int) -> Reference:
    text = text.replace("::", ".").replace("#", ".").rstrip(".:")
    receiver, _, name = text.rpartition(".")
    return Reference(RefKind.NAME, name, receiver, line, 0)


def _headings(data: bytes, language: str) -> Iterator[_Heading]:
    found: list[_Heading] = []
    if language == "markdown":
        fences = [match.start() for match in _FENCE.finditer(data)]
        for match in _ATX.finditer(data):
            # an odd number of fences before it: inside a code block
            if sum(1 for at in fences if at < match.start()) % 2 == 0:
                found.append(_Heading(match.start(), len(match.group(1)), _text(match.group(2))))
    if language in ("markdown", "rst"):
        levels: dict[bytes, int] = {b"=": 1, b"-": 2} if language == "markdown" else {}
        for match in _UNDERLINED.finditer(data):
            mark = match.group(3)
            if language == "markdown" and mark not in levels:
                continue
            if len(match.group("rule")) < len(match.group("title").strip()) and language == "rst":
                continue
            level = levels.setdefault(mark, len(levels) + 1)
            found.append(_Heading(match.start(), level, _text(match.group("title"))))
    yield from sorted(found)


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", "replace").strip()[:200]


def _sections(source: SourceText, headings: list[_Heading]) -> Iterator[Chunk]:
    end_of_file = len(source.data)
    starts = [heading.start for heading in headings]
    if not starts or starts[0] > 0:
        first = starts[0] if starts else end_of_file
        if source.data[:first].strip():
            yield from _windows(source, 0, first, "", "")
    trail: list[_Heading] = []
    for at, heading in enumerate(headings):
        end = starts[at + 1] if at + 1 < len(starts) else end_of_file
        while trail and trail[-1].level >= heading.level:
            trail.pop()
        above = " > ".join(h.title for h in trail)
        trail.append(heading)
        yield from _windows(source, heading.start, end, heading.title, above)


def _windows(source: SourceText, start: int, end: int, title: str, context: str) -> Iterator[Chunk]:
    """One chunk if it fits the window, otherwise overlapping ones cut at line ends."""
    kind = "section" if title else "window"
    while True:
        stop = end
        if end - start > WINDOW_BYTES:
            newline = source.data.rfind(b"\n", start + OVERLAP_BYTES, start + WINDOW_BYTES)
            stop = newline + 1 if newline > 0 else start + WINDOW_BYTES
        first, last = source.line(start), source.line(max(start, stop - 1))
        yield Chunk(kind, title, first, last, start, stop, context)
        if stop >= end:
            return
        line_start = source.line_start(source.line(stop - OVERLAP_BYTES))
        # A line longer than the window would otherwise be cut at every byte.
        start = line_start if line_start > start else stop - OVERLAP_BYTES
