"""cargo test."""

from __future__ import annotations

import re
from itertools import pairwise

from sonde.failures.report import Failure, FailureKind, merge
from sonde.failures.tool import Tool, blocks, failed_test, formats, frames_in

_PROGRAM = re.compile(r"^running \d+ tests?$", re.M)
_HEAD = re.compile(r"^---- (?P<test>[^\n]{1,400}) std(?:out|err) ----$", re.M)
_STOP = re.compile(r"^failures:$|^test result: ", re.M)
_LISTED = re.compile(
    r"^test (?P<test>[^\n]{1,400}?)(?: - should panic)? \.\.\. (?:[^\n]{0,200})?FAILED$|"
    r"^ +(?:FAIL|SIGABRT|TIMEOUT) \[ *[\d.]+s\] (?P<next>\S+ [^\n]{1,300})$",
    re.M,
)
_PANIC = re.compile(r"panicked at (?:'(?P<old>[^\n]{1,600})', )?[^\s:']{1,300}\.rs:\d+:\d+:?\n?")
_AFTER = re.compile(r"^(?:stack backtrace:|note: |$)", re.M)
_FRAMES = formats("rust backtrace", "rust panic", "file and line")


def read(text: str) -> list[Failure]:
    """Failing tests of each test program, with what each wrote."""
    programs = [match.start() for match in _PROGRAM.finditer(text)]
    edges = [0, *programs, len(text)]
    return [each for start, end in pairwise(edges) for each in _of_program(text[start:end])]


def _of_program(text: str) -> list[Failure]:
    told = [_failure(match["test"], body) for match, body in blocks(text, _HEAD, _STOP)]
    listed = [
        failed_test("cargo test", FailureKind.TEST_FAILURE, match["test"] or match["next"], "")
        for match in _LISTED.finditer(text)
    ]
    return merge([*told, *listed])


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
    ("test result: ", " ... FAILED", " stdout ----", "running "),
    read,
    closing=re.compile(r"^test result: \w+\. \d+ passed; (?P<failed>\d+) failed", re.M),
)
