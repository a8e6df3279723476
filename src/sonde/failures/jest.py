"""Jest."""

from __future__ import annotations

import re

from sonde.failures.report import Failure, FailureKind, merge
from sonde.failures.tool import (
    MAX_DETAILED,
    MAX_HEADS,
    Tool,
    failed_test,
    formats,
    frames_in,
    line_pattern,
)
from sonde.understand.paths import normal_path

_HEAD = line_pattern(
    r" ?(?:FAIL|PASS) +(?:[^\s/]{1,60} )?(?P<file>[^\s>]{1,300}\.\w{2,4})(?: \([\d.]+ ?m?s\))?$|"
    r"  ● (?P<test>[^\n]{1,600})$|(?P<stop>Test Suites: |Summary of all failing tests)",
    "\nFAIL ",
    "\n FAIL ",
    "\nPASS ",
    "\n PASS ",
    "\n  ● ",
    "\nTest Suites: ",
    "\nSummary of all",
)
_NOT_TESTS = re.compile(r"Console$|(?:Deprecation|Validation) (?:Warning|Error)")
_SOURCE = line_pattern(r" +(?:> +)?\d+ \| | +at ", " | ", "  at ")
_FRAMES = formats("javascript")


def read(text: str) -> list[Failure]:
    """Failing tests, each reported under its file."""
    if "  ● " not in text:
        return []
    heads = _HEAD.matches(text, MAX_HEADS)
    found: list[Failure] = []
    file = ""
    for number, match in enumerate(heads):
        if match["file"]:
            file = normal_path(match["file"])
        if not match["test"] or _NOT_TESTS.match(match["test"]):
            continue
        end = heads[number + 1].start() if number + 1 < len(heads) else len(text)
        body = text[match.end() : end] if len(found) < MAX_DETAILED else ""
        found.append(_failure(match["test"].strip(), file, body))
    # `Summary of all failing tests` repeats each of them.
    return merge(found, lambda failure: (failure.file, failure.test))


def _failure(test: str, file: str, body: str) -> Failure:
    sources = _SOURCE.matches(body)
    said = [line.strip() for line in body[: sources[0].start() if sources else None].split("\n")]
    message = "\n".join(line for line in said if line)
    frames = frames_in(body, _FRAMES)
    if test == "Test suite failed to run":
        return failed_test("jest", FailureKind.TEST_ERROR, file, message, frames, file)
    return failed_test("jest", FailureKind.TEST_FAILURE, test, message, frames, file)


TOOL = Tool(
    "jest",
    (
        "  ● ",
        "\nTests:  ",
    ),
    read,
    line_pattern(r"Tests: +(?:(\d+) failed, )?[^\n]{0,200}\d+ total", "\nTests: "),
)
