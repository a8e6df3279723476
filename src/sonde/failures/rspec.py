"""RSpec."""

from __future__ import annotations

import re

from sonde.failures.report import Failure, FailureKind
from sonde.failures.tool import Tool, blocks, failed_test, formats, frames_in, line_pattern
from sonde.model import Frame
from sonde.understand.paths import normal_path

# Below a pending example, whose failure is expected, stands its reason behind a #.
_HEAD = line_pattern(
    r" {2,}\d{1,6}\) (?P<test>[^\n]{1,600})\n(?= +[^\s#])|An error occurred "
    r"(?:while loading (?P<file>\S{1,300}?)\.?|in [^\n]{1,200})(?: - [^\n]{0,200})?$",
    ") ",
    "\nAn error occurred ",
)
_STOP = line_pattern(
    r"Finished in |Failed examples:|Pending:",
    "\nFinished in ",
    "\nFailed examples:",
    "\nPending:",
)
_LISTED = line_pattern(
    r"rspec (?P<place>\S{1,300}?)(?::(?P<line>\d{1,7})|\[[\d:]{1,40}\]) # (?P<test>[^\n]{1,600})$",
    "\nrspec ",
)
_SHARED = re.compile(r"^\s*(?:# |Shared Example Group: )", re.M)
_FRAMES = formats("ruby")
_MARKS = ("Failure/Error:", "Failed examples:", " examples, ", "rspec ./")


def read(text: str) -> list[Failure]:
    """Failing examples, and files that could not be loaded."""
    if not any(mark in text for mark in _MARKS):
        return []
    found = [
        _failure(match, body)
        for match, body in blocks(text, _HEAD, _STOP)
        if "Failure/Error:" in body or match["file"]
    ]
    known = {failure.test for failure in found}
    for match in _LISTED.matches(text):
        test = match["test"].strip()
        if test not in known:
            file = normal_path(match["place"])
            frame = Frame(file, int(match["line"] or 0))
            found.append(failed_test("rspec", FailureKind.TEST_FAILURE, test, "", (frame,), file))
    return found


def _failure(match: re.Match[str], body: str) -> Failure:
    frames = frames_in(body, _FRAMES)
    body = body[max(0, body.find("Failure/Error:")) :]
    trace = _SHARED.search(body)
    said = [line.strip() for line in body[: trace.start() if trace else len(body)].split("\n")]
    message = "\n".join(line.removeprefix("Failure/Error: ") for line in said if line)
    if match["test"]:
        return failed_test(
            "rspec", FailureKind.TEST_FAILURE, match["test"].strip(), message, frames
        )
    file = normal_path(match["file"] or "")
    return failed_test("rspec", FailureKind.TEST_ERROR, file, message, frames, file)


TOOL = Tool(
    "rspec",
    (
        "Failure/Error:",
        "\nrspec ./",
        " examples, ",
    ),
    read,
    line_pattern(
        r"\d+ examples?, (\d+) failures?(?:, \d+ pending)?(?:, (\d+) errors? occurred)?",
        " examples, ",
        "\n1 example, ",
    ),
)
