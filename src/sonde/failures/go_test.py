"""go test, plain, verbose and as JSON, and the diagnostics of the Go compiler and vet."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import NamedTuple

from sonde.failures.diagnostics import diagnostics
from sonde.failures.report import Failure, FailureKind
from sonde.failures.tool import (
    MAX_DETAILED,
    Tool,
    blocks,
    failed_test,
    formats,
    frames_in,
    line_pattern,
)
from sonde.model import Frame

_MARK = line_pattern(
    r" *(?:--- (?P<verdict>FAIL|PASS|SKIP): (?P<test>\S{1,400})(?: \([\d.]+s\))?$|"
    r"=== (?:RUN|CONT|NAME|PAUSE) +(?P<running>\S{1,400})$)|"
    r"(?:FAIL|ok  )\t(?P<package>\S+)[^\n]*$|(?:FAIL|PASS|exit status \d+)$",
    "--- FAIL: ",
    "--- PASS: ",
    "--- SKIP: ",
    "=== RUN ",
    "=== CONT ",
    "=== NAME ",
    "=== PAUSE ",
    "\nFAIL",
    "\nok  \t",
    "\nPASS\n",
    "\nexit status ",
)
_PASSED = re.compile(r"=== RUN   (\S{1,400})\n--- PASS: \1 \([\d.]{1,20}s\)\n")  # most of -v
_DIAGNOSTIC = line_pattern(
    r"(?:vet: )?(?P<file>[^\s:]{1,300}\.go):(?P<line>\d{1,7})(?::(?P<column>\d{1,6}))?: "
    r"(?P<why>[^\n]+(?:\n\t[^\n]+){0,6})$",
    ".go:",
)
_LOGGED = re.compile(r"^ *(?P<file>[\w.-]{1,200}\.go):(?P<line>\d{1,7}): ?(?P<why>[^\n]*)", re.M)
_TIMEOUT = line_pattern(
    r"panic: test timed out[^\n]*\n\trunning tests?:\n(?P<tests>(?:\t\t\S[^\n]*\n){1,50})",
    "\npanic: test timed out",
)
_CLOSED = line_pattern(r"FAIL\t", "\nFAIL\t")
_PANIC = re.compile(r"^(?:panic|fatal error): (?P<why>[^\n]+)", re.M)
_FRAMES = formats("go")


def read(text: str) -> list[Failure]:
    """Failing tests, panics and build failures of every package."""
    if '"Action":"' in text:
        text = "\n".join(_plain(text.split("\n")))
    found = diagnostics("go", FailureKind.COMPILE, text, _DIAGNOSTIC)
    if "--- FAIL: " in text or "panic: " in text or "fatal error: " in text:
        tests = enumerate(_tests(_PASSED.sub("", text)))
        found += [
            _failure(test if n < MAX_DETAILED else test._replace(output="")) for n, test in tests
        ]
    return found


def _plain(lines: Iterable[str]) -> Iterable[str]:
    """The output inside `go test -json`, package after package and test after test."""
    outputs: dict[str, dict[str, list[str]]] = {}
    for line in lines:
        if not line.startswith("{"):
            yield line
            continue
        try:
            event = json.loads(line)
        except (ValueError, RecursionError):
            continue  # the line a cut went through, or none of go's
        if isinstance(event, dict) and isinstance(event.get("Output"), str):
            package = str(event.get("Package") or event.get("ImportPath"))
            tests = outputs.setdefault(package, {})
            tests.setdefault(str(event.get("Test", "~")), []).append(event["Output"])
    for tests in outputs.values():
        # Output that belongs to no test closes its package.
        for test in sorted(tests, key=lambda name: name == "~"):
            yield "".join(tests[test])


class _Test(NamedTuple):
    name: str
    package: str
    output: str


def _tests(text: str) -> list[_Test]:
    """The failed tests with what each wrote, package after package."""
    found: list[_Test] = []
    outputs: dict[str, list[str]] = {}  # of this package, by test
    failed: list[str] = []
    current, position = "", 0
    for match in _MARK.matches(text):
        if current:
            outputs.setdefault(current, []).append(text[position : match.start()])
        position = match.end()
        current = match["test"] or match["running"] or ""
        if match["verdict"] == "FAIL":
            failed.append(current)
        if match["package"]:
            found += _of_package(failed, outputs, match["package"])
            outputs, failed = {}, []
    if current:
        outputs.setdefault(current, []).append(text[position:])
    return found + _of_package(failed, outputs, "") + _timed_out(text)


def _timed_out(text: str) -> list[_Test]:
    """The tests that ran when the time was up: the panic lists them."""
    found = []
    for match, body in blocks(text, _TIMEOUT, _CLOSED):
        names = [line.split()[0] for line in match["tests"].split("\n") if line.strip()]
        found += [_Test(name, "", match[0] + body) for name in names]
    return found


def _of_package(failed: list[str], outputs: dict[str, list[str]], package: str) -> list[_Test]:
    written = {test: "".join(parts) for test, parts in outputs.items()}
    # A panic that ends the process leaves the running test without a verdict.
    crashed = [test for test, output in written.items() if _PANIC.search(output)]
    tests = dict.fromkeys([*failed, *crashed])
    return [_Test(test, package, written.get(test, "")) for test in tests]


def _failure(test: _Test) -> Failure:
    panic = _PANIC.search(test.output)
    if panic:
        frames = frames_in(test.output[panic.start() :], _FRAMES)
        return failed_test("go", FailureKind.TEST_ERROR, test.name, panic["why"], frames)
    lines = [line.strip() for line in test.output.split("\n")]
    message = "\n".join(_LOGGED.sub(r"\g<why>", line) for line in lines if line)
    logged = list(_LOGGED.finditer(test.output))
    frames = ()
    if logged:  # what is logged last before the verdict is what failed it
        folder = f"{test.package}/" if test.package else ""
        frames = (Frame(folder + logged[-1]["file"], int(logged[-1]["line"])),)
    return failed_test("go", FailureKind.TEST_FAILURE, test.name, message, frames)


TOOL = Tool(
    "go",
    (
        ".go:",
        "--- FAIL: ",
        '"Action":"',
    ),
    read,
)
