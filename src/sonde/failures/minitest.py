"""Minitest, by itself and under Rails."""

from __future__ import annotations

import re

from sonde.failures.report import Failure, FailureKind
from sonde.failures.tool import Tool, blocks, failed_test, formats, frames_in, line_pattern
from sonde.model import Frame
from sonde.understand.paths import normal_path

# Minitest numbers its list of failures; Rails writes each where it happens, without a number.
_HEAD = line_pattern(
    r"(?: {1,8}\d{1,6}\) )?(?P<word>Failure|Error):\n(?P<test>\S[^#\n]{0,400}#[^\n]{1,400}?)"
    r"(?: \[(?P<file>[^\]\n]{1,300}):(?P<line>\d{1,7})\])?:$",
    "Failure:\n",
    "Error:\n",
)
_STOP = line_pattern(
    r"\d+ (?:runs|tests), |Finished in |(?: {1,8}\d{1,6}\) )?Skipped:$|"
    r"(?:bin/)?(?:rails test|test) \S{1,300}:\d",
    " assertions, ",
    "\nFinished in ",
    "Skipped:\n",
    "rails test ",
    "bin/test ",
)
_PROGRESS = line_pattern(
    r"(?P<test>\S[^#\n]{0,400}#[^\n]{1,400}?) = [\d.]{1,20} s = (?P<word>[FE])$", " s = F", " s = E"
)
_CLOSING = line_pattern(
    r"\d+ (?:runs|tests), \d+ assertions, (\d+) failures, (\d+) errors, \d+ skips", " assertions, "
)
_TRACE = re.compile(r"^ {4,}\S[^\n]{0,300}:\d{1,7}:in ", re.M)
_FRAMES = formats("ruby")


def read(text: str) -> list[Failure]:
    """Failing tests; those that only `--verbose` names where the list of failures was cut off."""
    found = [_failure(match, body) for match, body in blocks(text, _HEAD, _STOP)]
    known = {failure.test for failure in found}
    return found + [
        failed_test("minitest", _kind(match["word"]), match["test"])
        for match in _PROGRESS.matches(text)
        if match["test"] not in known
    ]


def _kind(word: str) -> FailureKind:
    return FailureKind.TEST_FAILURE if word.startswith("F") else FailureKind.TEST_ERROR


def _failure(match: re.Match[str], body: str) -> Failure:
    trace = _TRACE.search(body)
    message = body[: trace.start() if trace else None]
    frames = frames_in(body, _FRAMES)
    if match["file"]:
        frames = (Frame(normal_path(match["file"]), int(match["line"])), *frames)
    return failed_test("minitest", _kind(match["word"]), match["test"], message, frames)


TOOL = Tool(
    "minitest",
    (
        "Failure:\n",
        "Error:\n",
        " s = F",
        " s = E",
        " assertions, ",
    ),
    read,
    _CLOSING,
)
