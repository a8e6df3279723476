"""cargo test."""

from __future__ import annotations

import re
from bisect import bisect_right

from sonde.failures.report import Failure, FailureKind, merge
from sonde.failures.tool import Tool, blocks, failed_test, formats, frames_in, line_pattern

_PROGRAM = line_pattern(r"running \d+ tests?$", "\nrunning ")
_HEAD = line_pattern(r"---- (?P<test>[^\n]{1,400}) std(?:out|err) ----$", "\n---- ")
_STOP = line_pattern(r"failures:$|test result: ", "\nfailures:\n", "\ntest result: ")
_LISTED = line_pattern(
    r"test (?P<test>[^\n]{1,400}?)(?: - should panic)? \.\.\. (?:[^\n]{0,200})?FAILED$|"
    r" +(?:FAIL|SIGABRT|TIMEOUT) \[ *[\d.]+s\] (?P<next>\S+ [^\n]{1,300})$",
    "FAILED",
    " FAIL [",
    " SIGABRT [",
    " TIMEOUT [",
)
_PANIC = re.compile(r"panicked at (?:'(?P<old>[^\n]{1,600})', )?[^\s:']{1,300}\.rs:\d+:\d+:?\n?")
_AFTER = re.compile(r"^(?:stack backtrace:|note: |$)", re.M)
_FRAMES = formats("rust backtrace", "rust panic", "file and line")


def read(text: str) -> list[Failure]:
    """Failing tests of each test program, with what each wrote."""
    told = [
        (match.start(), _failure(match["test"], body)) for match, body in blocks(text, _HEAD, _STOP)
    ]
    listed = [
        (
            match.start(),
            failed_test("cargo test", FailureKind.TEST_FAILURE, match["test"] or match["next"]),
        )
        for match in _LISTED.matches(text)
    ]
    # A test's name is its own only within one program.
    programs = [match.start() for match in _PROGRAM.matches(text)]
    by_program: dict[int, list[Failure]] = {}
    for start, failure in (*told, *listed):
        by_program.setdefault(bisect_right(programs, start), []).append(failure)
    return [failure for number in sorted(by_program) for failure in merge(by_program[number])]


def _failure(test: str, body: str) -> Failure:
    panic = _PANIC.search(body)
    message = body.strip()
    if panic:
        after = _AFTER.search(body, panic.end())
        message = panic["old"] or body[panic.end() : after.start() if after else len(body)]
    return failed_test(
        "cargo test", FailureKind.TEST_FAILURE, test, message, frames_in(body, _FRAMES)
    )


TOOL = Tool(
    "cargo test",
    (
        "test result: ",
        " ... FAILED",
        " stdout ----",
    ),
    read,
    line_pattern(r"test result: \w+\. \d+ passed; (\d+) failed", "\ntest result: "),
)
