"""PHPUnit, with and without --testdox."""

from __future__ import annotations

import re

from sonde.failures.report import Failure, FailureKind
from sonde.failures.tool import Tool, blocks, failed_test, line_pattern
from sonde.model import Frame
from sonde.understand.paths import normal_path

_HEAD = line_pattern(
    r"\d{1,6}\) (?P<test>\\?[A-Za-z_][\w\\]{1,300}::[^\n]{1,400})$|"
    r" [✘✖] (?P<dox>[^\n]{1,400}?)(?: \[[\d.]+ ms\])?$|"
    r"(?P<section>There (?:was|were) \d+ [a-z ]{1,60}:)$",
    "::",
    "\n ✘ ",
    "\n ✖ ",
    "\nThere w",
)
_STOP = line_pattern(
    r"ERRORS!|FAILURES!|WARNINGS!|OK,|Tests: \d|--$|Time: | [✔✘☢∅] ",
    "\nERRORS!",
    "\nFAILURES!",
    "\nWARNINGS!",
    "\nOK,",
    "\nTests: ",
    "\n--\n",
    "\nTime: ",
    "\n ✔ ",
    "\n ✘ ",
    "\n ☢ ",
    "\n ∅ ",
)
_PLACE = line_pattern(r"(?P<file>(?:[A-Za-z]:)?[^\s:]{1,300}\.php):(?P<line>\d{1,7})$", ".php:")
_BAR = re.compile(r"^ +[│┐├┴┊╵╷]+ ?", re.M)
_OURS = ("FAILURES!", "ERRORS!", "PHPUnit", ".php:")


def read(text: str) -> list[Failure]:
    """Failing tests; those listed as errors did not run to their end."""
    if not any(mark in text for mark in _OURS):
        return []
    found, what = [], "failure"
    for match, body in blocks(text, _HEAD, _STOP):
        if match["section"]:
            what = match["section"]
        elif not re.search(r"skipped|incomplete|risky|warning|deprecat|notice", what):
            found.append(_failure(match, body, "error" in what))
    return found


def _failure(match: re.Match[str], body: str, is_error: bool) -> Failure:
    body = _BAR.sub("", body) if match["dox"] else body
    places = _PLACE.matches(body)
    frames = tuple(Frame(normal_path(m["file"]), int(m["line"])) for m in places)
    kind = FailureKind.TEST_ERROR if is_error else FailureKind.TEST_FAILURE
    message = body[: places[0].start() if places else len(body)]
    test = (match["test"] or match["dox"]).strip()
    return failed_test("phpunit", kind, test, message, frames, frames[-1].file if frames else "")


TOOL = Tool(
    "phpunit",
    (
        ".php:",
        "PHPUnit ",
        ", Assertions: ",
    ),
    read,
    line_pattern(
        r"Tests: \d+, Assertions: \d+(?:, Errors: (\d+))?(?:, Failures: (\d+))?|OK \(\d+ test",
        "\nTests: ",
        "\nOK (",
    ),
)
