"""A tool whose output can be read, and the building blocks for reading it."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from sonde.failures.report import Failure, FailureKind, short
from sonde.failures.signs import may_hold
from sonde.failures.values import expected_and_actual
from sonde.model import Frame
from sonde.understand.trace_formats import FORMATS, TraceFormat
from sonde.understand.traces import read_frames

_OWN_NAME = re.compile(r"\w+$")
_TEST_FILE = re.compile(r"(?:^|[/_.-])(?:tests?|specs?|__tests__)(?=[/_.-])|(?:Tests?|Spec)\.\w+$")
MAX_DETAILED = 100  # failures whose messages and traces are read; of others only the names
MAX_HEADS = 5_000  # more come from a loop that prints; each costs some 40 µs
_MAX_TRACED = 12_000  # characters of one failure; what is longer is a dump with a trace at its ends


@dataclass(frozen=True, slots=True)
class LinePattern:
    """A pattern that begins at a line's start, and literals of which that line has one.

    Looking for the literals is ten times faster than trying the pattern on every line. A sign that
    begins with a line break stands at the line's start. `above` says how many lines above the
    sign's own line the pattern begins.
    """

    pattern: re.Pattern[str]
    signs: tuple[str, ...]
    above: int = 0

    def matches(self, text: str, limit: int = 0) -> list[re.Match[str]]:
        """The matches that do not overlap, in order: all, or the first ones."""
        found: list[re.Match[str]] = []
        end = 0
        for start in self._starts(text) if text else ():
            match = self.pattern.match(text, start) if start >= end else None
            if match:
                found.append(match)
                end = match.end()
                if len(found) == limit:
                    break
        return found

    def _starts(self, text: str) -> list[int]:
        starts: set[int] = set()
        for sign in self.signs:
            if not may_hold(text, sign):
                continue
            at_start = sign.startswith("\n")
            if at_start and text.startswith(sign[1:]):
                starts.add(0)
            at = text.find(sign)
            while at >= 0:
                start = at + 1 if at_start else text.rfind("\n", 0, at) + 1
                for _ in range(self.above):
                    start = text.rfind("\n", 0, max(0, start - 1)) + 1
                starts.add(start)
                at = text.find(sign, at + 1)
        return sorted(starts)


def line_pattern(pattern: str, *signs: str, above: int = 0) -> LinePattern:
    """A pattern without its leading anchor, with its signs."""
    return LinePattern(re.compile(pattern, re.M), signs, above)


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool: texts of which all its output has one, its reader, and how a run ends."""

    name: str
    signs: tuple[str, ...]
    read: Callable[[str], list[Failure]]
    closing: LinePattern | None = None  # its groups are the numbers of failures it announces


def blocks(
    text: str, heads: LinePattern, stops: LinePattern | None = None
) -> Iterator[tuple[re.Match[str], str]]:
    """Each head with the text from it to the next head or stop; only the first have a text."""
    found = heads.matches(text, MAX_HEADS)
    ends = [match.start() for match in stops.matches(text)] if found and stops else []
    nexts = [*(match.start() for match in found[1:]), len(text)]
    for number, (match, following) in enumerate(zip(found, nexts, strict=False)):
        if number >= MAX_DETAILED:
            yield match, ""
            continue
        at = bisect_left(ends, match.end())
        stop = ends[at] if at < len(ends) else following
        yield match, text[match.end() : min(stop, following)]


def formats(*names: str) -> tuple[TraceFormat, ...]:
    """The trace formats of these names, in the table's order."""
    return tuple(form for form in FORMATS if form.name in names)


def frames_in(body: str, forms: tuple[TraceFormat, ...]) -> tuple[Frame, ...]:
    """The frames of one failure."""
    if not body:
        return ()  # one of thousands, of which only the name is read
    if len(body) > _MAX_TRACED:
        half = _MAX_TRACED // 2
        body = body[:half] + "\n" + body[-half:]
    read = read_frames(body, forms)
    frames = read.frames[: read.ours]  # those of the language's runtime say nothing
    named = {(frame.file, frame.line) for frame in frames if frame.function}
    return tuple(
        frame for frame in frames if frame.function or (frame.file, frame.line) not in named
    )


def number(text: str | None) -> int:
    """A line or column; 0 for none."""
    return int(text) if text else 0


def failed_test(
    tool: str,
    kind: FailureKind,
    test: str,
    message: str = "",
    frames: tuple[Frame, ...] = (),
    file: str = "",
) -> Failure:
    """A failing test; a file or line that is not given comes from the trace."""
    if not file and frames:
        own = _OWN_NAME.search(test)
        named = [each for each in frames if own and each.function.split(".")[-1] == own[0]]
        in_tests = [each for each in frames if _TEST_FILE.search(each.file)]
        file = next((each.file for each in (*named, *in_tests, *frames) if each.file), "")
    place = next((each for each in frames if file and same_file(each.file, file)), None)
    expected, actual = expected_and_actual(message) if message else ("", "")
    return Failure(
        tool,
        kind,
        short(test),
        file,
        place.line if place else 0,
        message=short(message),
        expected=expected,
        actual=actual,
        frames=frames,
    )


def same_file(one: str, other: str) -> bool:
    """Whether two paths may name one file, one absolute and the other relative."""
    return bool(one) and (one == other or one.endswith("/" + other) or other.endswith("/" + one))
