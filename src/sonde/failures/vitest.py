"""Vitest."""

from __future__ import annotations

import re

from sonde.failures.report import Failure, FailureKind
from sonde.failures.tool import Tool, blocks, failed_test, formats, frames_in, line_pattern
from sonde.understand.paths import normal_path

_HEAD = line_pattern(
    r" FAIL  (?:\|[^|\n]{1,80}\| )?(?P<file>[^\s>]{1,300}\.\w{2,4})"
    r"(?: > (?P<test>[^\n]{1,600})| \[ [^\n]{1,300} \])?$",
    "\n FAIL  ",
)
_STOP = line_pattern(r"⎯{5}| Test Files  | +Tests  ", "\n⎯⎯⎯⎯⎯", "\n Test Files  ", "  Tests  ")
_LISTED = line_pattern(
    r" +(?:[×✗]|FAIL) (?P<file>[^\s>]{1,300}\.\w{2,4}) > (?P<test>[^\n]{1,600}?)(?: \d+ ?ms)?$",
    " × ",
    " ✗ ",
)
_TRACE = re.compile(r"^ ❯ |^    at ", re.M)
_MARKS = ("⎯⎯", " ❯ ", " Test Files  ", " RUN  v")  # Jest in colour writes FAIL as Vitest does
_FRAMES = formats("vitest", "javascript")


def read(text: str) -> list[Failure]:
    """Failing tests and suites; several heads over one error share it."""
    if not any(mark in text for mark in _MARKS):
        return []
    found: list[Failure] = []
    shared: list[re.Match[str]] = []  # heads that follow each other, above one error
    for match, body in blocks(text, _HEAD, _STOP):
        shared.append(match)
        if body.strip():
            found += [_failure(head, body) for head in shared]
            shared = []
    told = {failure.test for failure in found}
    listed = [match for match in _LISTED.matches(text) if _name(match) not in told]
    return found + [_failure(match, "") for match in (*shared, *listed)]


def _name(match: re.Match[str]) -> str:
    return f"{match['file']} > {match['test']}" if match["test"] else match["file"]


def _failure(match: re.Match[str], body: str) -> Failure:
    trace = _TRACE.search(body)
    message = body[: trace.start() if trace else None]
    kind = FailureKind.TEST_FAILURE if match["test"] else FailureKind.TEST_ERROR
    file = normal_path(match["file"])
    return failed_test("vitest", kind, _name(match), message, frames_in(body, _FRAMES), file)


TOOL = Tool(
    "vitest",
    (
        " FAIL  ",
        " Test Files  ",
        " × ",
    ),
    read,
    line_pattern(r" +Tests  (?:(\d+) failed|\d+ passed|no tests)", "  Tests  "),
)
