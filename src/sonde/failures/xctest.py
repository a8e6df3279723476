"""XCTest, as `swift test` and xcodebuild run it."""

from __future__ import annotations

import re
from itertools import zip_longest

from sonde.failures.report import Failure, FailureKind, merge
from sonde.failures.tool import Tool, blocks, failed_test, formats, frames_in, line_pattern
from sonde.model import Frame
from sonde.understand.paths import normal_path

# -[Module.Class test] on Apple's systems, Class.test elsewhere, Class.test() in parallel runs
_TEST = r"(?P<test>-\[[^\]\n]{1,300}\]|[\w.]{1,300}(?:\(\))?)"
_CASE = line_pattern(
    rf"Test [Cc]ase '{_TEST}' (?P<verdict>started|passed|failed|skipped)",
    "\nTest Case '",
    "\nTest case '",
)
_REASON = line_pattern(
    rf"(?P<file>(?:[A-Za-z]:)?[^\n:]{{1,300}}):(?P<line>\d{{1,7}}): error: {_TEST} : ",
    ": error: ",
)
_STOP = line_pattern(
    rf"Test (?:[Cc]ase|Suite) '|[^\n]{{1,300}}:\d+: {_TEST} : Test skipped|\*\* TEST ",
    "\nTest Case '",
    "\nTest case '",
    "\nTest Suite '",
    " : Test skipped",
    "\n** TEST ",
)
_LIST = line_pattern(
    r"Failing tests:\n(?P<tests>(?:[ \t]+[^\n]{1,400}\n){1,1000})", "\nFailing tests:"
)
_LISTED = re.compile(rf"^\s+{_TEST}$", re.M)
_CRASH = re.compile(
    r"^[^\n]{0,300}(?:Fatal error: |Restarting after unexpected exit|unexpected signal code|"
    r"\*\*\* Terminating app|Program crashed: )[^\n]{0,400}",
    re.M,
)
_THROWN = re.compile(r"(?:failed: caught|threw) error")
_FRAMES = formats("file and line")


def read(text: str) -> list[Failure]:
    """Failing tests with their reasons, those that crashed, and those that are only named."""
    reasons: dict[str, list[tuple[re.Match[str], str]]] = {}
    for match, body in blocks(text, _REASON, _STOP):
        reasons.setdefault(_name(match), []).append((match, body))
    told = [_failure(test, own) for test, own in reasons.items()]
    return merge([*told, *_crashed(text), *_named(text)], _within_module)


def _name(match: re.Match[str]) -> str:
    return match["test"].removesuffix("()").strip("-[]").replace(" ", ".")


def _within_module(failure: Failure) -> object:
    """Class and method: the list of failing tests, and other systems, leave out the module."""
    return failure.test.split(".")[-2:][0], failure.test.rpartition(".")[2]


def _failure(test: str, reasons: list[tuple[re.Match[str], str]]) -> Failure:
    message = "\n".join(body.strip() for _, body in reasons)
    kind = FailureKind.TEST_ERROR if _THROWN.search(message) else FailureKind.TEST_FAILURE
    frames = tuple(
        Frame(normal_path(match["file"]), int(match["line"]))
        for match, _ in reasons
        if int(match["line"])  # an error that the test throws has no place
    )
    return failed_test("xctest", kind, test, message, frames)


def _crashed(text: str) -> list[Failure]:
    """The tests that began, were not judged, and left the signs of a crash."""
    found = []
    cases = _CASE.matches(text)
    for case, following in zip_longest(cases, cases[1:]):
        if case["verdict"] != "started" or (following and following["test"] == case["test"]):
            continue
        output = text[case.end() : following.start() if following else None]
        crash = _CRASH.search(output)
        if crash:
            frames = frames_in(crash[0], _FRAMES)
            found.append(
                failed_test("xctest", FailureKind.TEST_ERROR, _name(case), crash[0], frames)
            )
    return found


def _named(text: str) -> list[Failure]:
    failed = [case for case in _CASE.matches(text) if case["verdict"] == "failed"]
    listed = [each for found in _LIST.matches(text) for each in _LISTED.finditer(found["tests"])]
    return [
        failed_test("xctest", FailureKind.TEST_FAILURE, _name(match))
        for match in (*failed, *listed)
    ]


TOOL = Tool(
    "xctest",
    (
        "\nTest Case '",
        "\nTest case '",
        "\nTest Suite '",
        "\nFailing tests:",
    ),
    read,
    line_pattern(
        r"Test Suite '(?:All|Selected) tests' (?:passed|failed) |\*\* TEST [A-Z ]{0,30}\*\*",
        "\nTest Suite '",
        "\n** TEST ",
    ),
)
