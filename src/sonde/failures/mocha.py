"""Mocha, with the reporters that end in its list of failures."""

from __future__ import annotations

import re
from dataclasses import replace

from sonde.failures.report import Failure, FailureKind
from sonde.failures.tool import Tool, blocks, failed_test, formats, frames_in, line_pattern
from sonde.understand.paths import normal_path

_COUNT = line_pattern(r" +(?:(\d+) failing|\d+ passing|\d+ pending)\b", " failing", " passing")
_FAILING = line_pattern(r" +\d+ failing$", " failing")
_HEAD = line_pattern(
    r"  \d{1,6}\) (?P<title>[^\n]{1,400}(?:\n {5,40}\S[^\n]{0,400}){0,12}?:)\n(?=\n| {5,6}\S|\S)",
    ") ",
)
_PROGRESS = line_pattern(r" {2,40}\d{1,6}\) (?P<title>[^\n:]{1,400}[^\n:])$", ") ")
_FRAME = re.compile(r"^ +at ", re.M)
_TIMEOUT = re.compile(r"^Error: Timeout of [^\n]{1,300} \((?P<file>[^()\n]{1,300})\)$", re.M)
_FRAMES = formats("javascript")


def read(text: str) -> list[Failure]:
    """Failing tests by their full titles; by the progress lines where the list was cut off."""
    if "at Context." not in text and not _COUNT.matches(text):
        return []
    start = _FAILING.matches(text)
    listed = text[start[0].end() :] if start else text
    found = [_failure(match, body) for match, body in blocks(listed, _HEAD)]
    return found or [
        failed_test("mocha", FailureKind.TEST_FAILURE, match["title"], "")
        for match in _PROGRESS.matches(text)
    ]


def _failure(match: re.Match[str], body: str) -> Failure:
    titles = [line.strip() for line in match["title"].rstrip(":").split("\n")]
    frame = _FRAME.search(body)
    said = [line.rstrip() for line in body[: frame.start() if frame else len(body)].split("\n")]
    message = "\n".join(line.strip() for line in said if line)
    is_hook = " hook" in titles[-1] and titles[-1].startswith('"')
    kind = FailureKind.TEST_ERROR if is_hook else FailureKind.TEST_FAILURE
    timeout = _TIMEOUT.search(message)
    file = normal_path(timeout["file"]) if timeout else ""
    frames = tuple(  # Mocha calls each test's function as a method of its Context
        replace(each, function=each.function.removeprefix("Context"))
        for each in frames_in(body, _FRAMES)
    )
    return failed_test("mocha", kind, " ".join(titles), message, frames, file)


TOOL = Tool(
    "mocha",
    (
        "at Context.",
        " passing",
        " failing",
    ),
    read,
    _COUNT,
)
