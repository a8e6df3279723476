"""go test, plain, verbose and as JSON, and what the Go compiler and vet complain of."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable

from sonde.failures.report import Failure, FailureKind, short
from sonde.failures.tool import Tool, failed_test, formats, frames_in, number
from sonde.failures.values import expected_and_actual
from sonde.understand.paths import normal_path

_MARK = re.compile(
    r"^ *(?:--- (?P<verdict>FAIL|PASS|SKIP): (?P<test>\S{1,400})(?: \([\d.]+s\))?$|"
    r"=== (?:RUN|CONT|NAME|PAUSE) +(?P<running>\S{1,400})$)|"
    r"^(?:FAIL|ok  )\t(?P<package>\S+)[^\n]*$|^(?:FAIL|PASS|exit status \d+)$",
    re.M,
)
_DIAGNOSTIC = re.compile(
    r"^(?:vet: )?(?P<file>[^\s:]{1,300}\.go):(?P<line>\d{1,7})(?::(?P<column>\d{1,6}))?:"
    r" (?P<why>[^\n]+(?:\n\t[^\n]+){0,6})$",
    re.M,
)
_LOGGED = re.compile(r"^ *(?P<file>[\w.-]{1,200}\.go):(?P<line>\d{1,7}): ?(?P<why>[^\n]*)", re.M)
_PANIC = re.compile(r"^(?:panic|fatal error): (?P<why>[^\n]+)", re.M)
_FRAMES = formats("go")


def read(text: str) -> list[Failure]:
    """Failing tests, panics and build failures of every package."""
    if '"Action":"' in text:
        text = "\n".join(_plain(text.split("\n")))
    diagnostics = [_diagnostic(match) for match in _DIAGNOSTIC.finditer(text)]
    return [*diagnostics, *_tests(text)]


def _plain(lines: Iterable[str]) -> Iterable[str]:
    """The output inside `go test -json`, package after package and test after test."""
    outputs: dict[str, dict[str, list[str]]] = {}
    for line in lines:
        if not line.startswith("{"):
            yield line
            continue
        try:
            event = json.loads(line)
        except ValueError:
            continue  # the line a cut went through
        if isinstance(event, dict) and isinstance(event.get("Output"), str):
            package = str(event.get("Package") or event.get("ImportPath"))
            tests = outputs.setdefault(package, {})
            tests.setdefault(str(event.get("Test", "~")), []).append(event["Output"])
    for tests in outputs.values():
        # What belongs to no test closes its package.
        for test in sorted(tests, key=lambda name: name == "~"):
            yield "".join(tests[test])


def _diagnostic(match: re.Match[str]) -> Failure:
    why = match["why"]
    expected, actual = expected_and_actual(why)
    return Failure(
        "go",
        FailureKind.COMPILE,
        file=normal_path(match["file"]),
        line=number(match["line"]),
        column=number(match["column"]),
        message=short(why),
        expected=expected,
        actual=actual,
    )


def _tests(text: str) -> list[Failure]:
    found: list[Failure] = []
    open_tests: dict[str, str] = {}  # what tests of this package wrote, by test
    failed: list[str] = []
    current, position = "", 0
    for match in _MARK.finditer(text):
        if current:
            open_tests[current] = open_tests.get(current, "") + text[position : match.start()]
        position = match.end()
        if match["verdict"]:
            current = match["test"]
            if match["verdict"] == "FAIL":
                failed.append(current)
        elif match["running"]:
            current = match["running"]
        else:
            current = ""
            if match["package"]:
                found += _of_package(failed, open_tests, match["package"])
                open_tests, failed = {}, []
    if current:
        open_tests[current] = open_tests.get(current, "") + text[position:]
    return found + _of_package(failed, open_tests, "")


def _of_package(failed: list[str], outputs: dict[str, str], package: str) -> list[Failure]:
    # A panic that ends the process leaves the running test without a verdict.
    crashed = [test for test in outputs if test not in failed and _PANIC.search(outputs[test])]
    return [
        _test(test, outputs.get(test, ""), package) for test in dict.fromkeys([*failed, *crashed])
    ]


def _test(test: str, output: str, package: str) -> Failure:
    folder = f"{package}/" if package else ""
    panic = _PANIC.search(output)
    if panic:
        frames = frames_in(output[panic.start() :], _FRAMES)
        return failed_test("go", FailureKind.TEST_ERROR, test, panic["why"], frames)
    logged = list(_LOGGED.finditer(output))
    lines = [line.strip() for line in output.split("\n")]
    message = "\n".join(_LOGGED.sub(r"\g<why>", line) for line in lines if line)
    failure = failed_test("go", FailureKind.TEST_FAILURE, test, message)
    if not logged:
        return failure
    # What is logged last before the verdict is what failed it.
    where = logged[-1]
    expected, actual = expected_and_actual(where["why"])
    return Failure(
        "go",
        FailureKind.TEST_FAILURE,
        test,
        folder + where["file"],
        number(where["line"]),
        message=failure.message,
        expected=expected or failure.expected,
        actual=actual or failure.actual,
    )


TOOL = Tool(
    "go",
    ("--- FAIL: ", "FAIL\t", ".go:", '"Action":"', "\nok  \t"),
    read,
)
