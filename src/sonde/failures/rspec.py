"""RSpec."""

from __future__ import annotations

import re

from sonde.failures.report import Failure, FailureKind
from sonde.failures.tool import Tool, blocks, failed_test, formats, frames_in
from sonde.model import Frame
from sonde.understand.paths import normal_path

_HEAD = re.compile(
    r"^  +\d{1,6}\) (?P<test>[^\n]{1,600})\n(?= +"
    r"(?:Failure/Error:|Got \d+ failures|Expected pending|\S))|"
    r"^An error occurred (?:while loading (?P<file>\S{1,300}?)\.?|in [^\n]{1,200})"
    r"(?: - [^\n]{0,200})?$",
    re.M,
)
_STOP = re.compile(r"^Finished in |^Failed examples:|^Pending:|^Top \d+ slowest|^Randomized", re.M)
_LISTED = re.compile(
    r"^rspec (?P<place>\S{1,300}?)(?::(?P<line>\d{1,7})|\[[\d:]{1,40}\]) # (?P<test>[^\n]{1,600})$",
    re.M,
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
    for match in _LISTED.finditer(text):
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
    _MARKS,
    read,
    closing=re.compile(
        r"^\d+ examples?, (?P<failed>\d+) failures?(?:, \d+ pending)?(?:,"
        r" (?P<failed_too>\d+) errors? occurred)?",
        re.M,
    ),
)
