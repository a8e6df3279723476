"""A tool whose output can be read, and the parts that reading it is made of."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from sonde.failures.report import Failure, FailureKind, short
from sonde.failures.values import expected_and_actual
from sonde.model import Frame
from sonde.understand.trace_formats import FORMATS, TraceFormat
from sonde.understand.traces import read_frames

_TEST_FILE = re.compile(r"(?:^|[/_.-])(?:tests?|specs?|__tests__)(?=[/_.-])|(?:Tests?|Spec)\.\w+$")
_MAX_TRACED = 12_000  # characters of one failure; what is longer is a dump with a trace at its ends


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool. `signs` are literal texts without one of which `read` is not tried."""

    name: str
    signs: tuple[str, ...]
    read: Callable[[str], list[Failure]]
    # The line that closes every complete run. Its groups named failed… are the announced numbers.
    closing: re.Pattern[str] | None = None
    opening: re.Pattern[str] | None = None  # the line that opens every run, where there is one


def blocks(
    text: str, head: re.Pattern[str], stop: re.Pattern[str] | None = None
) -> Iterator[tuple[re.Match[str], str]]:
    """Each head with the text from it to the next head or stop."""
    heads = list(head.finditer(text))
    for number, match in enumerate(heads):
        end = heads[number + 1].start() if number + 1 < len(heads) else len(text)
        stopped = stop.search(text, match.end(), end) if stop else None
        yield match, text[match.end() : stopped.start() if stopped else end]


def formats(*names: str) -> tuple[TraceFormat, ...]:
    """The trace formats of these names, in the table's order."""
    return tuple(form for form in FORMATS if form.name in names)


def frames_in(body: str, forms: tuple[TraceFormat, ...]) -> tuple[Frame, ...]:
    """The frames of one failure."""
    if len(body) > _MAX_TRACED:
        half = _MAX_TRACED // 2
        body = body[:half] + "\n" + body[-half:]
    read = read_frames(body, forms)
    frames = read.frames[: read.ours]  # those of the language's runtime tell nothing
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
    message: str,
    frames: tuple[Frame, ...] = (),
    file: str = "",
) -> Failure:
    """A failing test; where its file or line is not told, the trace says it."""
    in_tests = [frame for frame in frames if frame.file and _TEST_FILE.search(frame.file)]
    place = next((frame for frame in (*in_tests, *frames) if frame.file), None)
    if file:
        place = next((frame for frame in frames if same_file(frame.file, file)), None)
    expected, actual = expected_and_actual(message)
    return Failure(
        tool,
        kind,
        short(test),
        file or (place.file if place else ""),
        place.line if place else 0,
        message=short(message),
        expected=expected,
        actual=actual,
        frames=frames,
    )


def same_file(one: str, other: str) -> bool:
    """Whether two spellings may name one file: absolute here, relative there."""
    return bool(one) and (one == other or one.endswith("/" + other) or other.endswith("/" + one))
