"""GoogleTest, its programs run by themselves or by ctest."""

from __future__ import annotations

import re
from itertools import zip_longest
from typing import NamedTuple

from sonde.failures.report import Failure, FailureKind
from sonde.failures.tool import MAX_DETAILED, Tool, failed_test, line_pattern
from sonde.model import Frame
from sonde.understand.paths import normal_path

_Key = tuple[str, int]  # a test or suite, and the number of its program
_TEST = r"[^\s,.:]{1,300}\.[^\s,]{1,300}"
_MARK = line_pattern(
    rf"(?:\[ RUN      \] (?P<running>{_TEST})|"
    r"\[-{10}\](?: \d+ tests? from (?P<suite>[^\s,]{1,300}))?|"
    r"\[={10}\](?P<program> Running )?|"
    rf"(?P<verdict>\[  FAILED  \] (?P<failed>{_TEST})|"
    r"\[  FAILED  \] (?P<unready>[^\s,.:]{1,300}): SetUpTest|"
    r"\[(?:       OK |  PASSED  |  SKIPPED |  FAILED  )\]))[^\n]{0,2000}",
    "\n[ RUN      ] ",
    "\n[----------]",
    "\n[==========]",
    "\n[  FAILED  ] ",
    "\n[       OK ] ",
    "\n[  PASSED  ] ",
    "\n[  SKIPPED ] ",
)
_NUMBERED = re.compile(r"^\d{1,6}: ?", re.M)  # ctest -V writes a test's number before each line
_OF_CTEST = re.compile(r"^\d{1,6}: \[[ =-]", re.M)
_PLACE = re.compile(
    r"^(?P<file>(?:[A-Za-z]:)?[^\s:()][^\n:()]{0,300})"
    r"(?::(?P<line>\d{1,7})|\((?P<msvc>\d{1,7})\)): (?:Failure\n|error: )?",
    re.M,
)
_THROWN = re.compile(r"^unknown file: (?:Failure\n|error: )", re.M)
_FAILURE = re.compile(r"^(?:[^\n]{1,400}(?:: Failure$|\): error: )|unknown file: error: )", re.M)
_CRASH = re.compile(
    r"^[^\n]{0,300}(?:\*\*\*Exception: |\*\*\*Timeout|Segmentation fault|Aborted|core dumped|"
    r"terminate called|Sanitizer: |\*\*\* SIG|[Aa]ssertion [^\n]{1,300} failed)[^\n]{0,300}",
    re.M,
)


class _Test(NamedTuple):
    name: str
    program: int  # a test's name is its own only within one program
    is_error: bool = False


def read(text: str) -> list[Failure]:
    """Failing tests of each program, with what each wrote."""
    if "[ RUN      ] " not in text and "[  FAILED  ] " not in text:
        return []
    if _OF_CTEST.search(text):
        text = _NUMBERED.sub("", text)
    tests, outputs = _failed(text)
    # Each program lists those that failed once more, below its tests.
    return [
        _failure(test, outputs.get(test[:2], "") if number < MAX_DETAILED else "")
        for number, test in enumerate(tests.values())
    ]


def _failed(text: str) -> tuple[dict[_Key, _Test], dict[_Key, str]]:
    """The failed tests, and what each test and suite wrote."""
    tests: dict[_Key, _Test] = {}
    outputs: dict[_Key, str] = {}
    program, suite = 0, ""
    marks = _MARK.matches(text)
    before = text[: marks[0].start()] if marks else ""
    for match, following in zip_longest(marks, marks[1:]):
        program += bool(match["program"])
        if not match["running"] and not match["verdict"]:
            suite = match["suite"] or ""
        written = text[match.end() : following.start() if following else None]
        name = match["failed"] or match["unready"]
        if match["running"] and not (following and following["verdict"]):
            name = match["running"] if _is_failing(written) else ""
        if match["failed"] and _FAILURE.search(before):
            outputs.setdefault((name, program), before)  # --gtest_brief says only how a test ends
        if name:
            is_error = bool(match["unready"] or (match["running"] and _CRASH.search(written)))
            tests.setdefault((name, program), _Test(name, program, is_error))
        key = match["running"] or suite, program  # what follows a verdict is the suite's
        outputs[key] = outputs.get(key, "") + written
        before = written
    return tests, outputs


def _is_failing(written: str) -> bool:
    """Whether a test that nothing judged had failed, or ended its program."""
    return bool(_FAILURE.search(written) or _CRASH.search(written))


def _failure(test: _Test, output: str) -> Failure:
    crash = _CRASH.search(output) if test.is_error else None
    start = _FAILURE.search(output) or crash
    told = output[start.start() if start else 0 : crash.end() if crash else None]
    frames = tuple(
        Frame(normal_path(match["file"]), int(match["line"] or match["msvc"]))
        for match in _PLACE.finditer(told)
    )
    is_error = test.is_error or _THROWN.search(told) is not None
    kind = FailureKind.TEST_ERROR if is_error else FailureKind.TEST_FAILURE
    message = _PLACE.sub("", _THROWN.sub("", told)) if start else ""
    return failed_test("googletest", kind, test.name, message, frames)


TOOL = Tool(
    "googletest",
    (
        "[ RUN      ] ",
        "[  FAILED  ] ",
        "[==========] ",
    ),
    read,
    line_pattern(
        r"(?:\d{1,6}: )?(?:\[={10}\] \d+ tests? from \d+ test (?:suite|case)s? ran\.|"
        r"\[  FAILED  \] (\d+) tests?, listed below:)",
        " ran. (",
        " listed below:",
    ),
)
