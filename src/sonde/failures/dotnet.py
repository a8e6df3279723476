"""dotnet test (xUnit, NUnit, MSTest) and the diagnostics of MSBuild's compilers."""

from __future__ import annotations

import re

from sonde.failures.diagnostics import diagnostics
from sonde.failures.report import Failure, FailureKind, merge
from sonde.failures.tool import Tool, blocks, failed_test, formats, frames_in, line_pattern

_HEAD = line_pattern(
    r" +(?:Failed|X) (?P<test>[A-Za-z_][^\n]{1,500}?)(?: \[[<\d][^\]\n]{1,40}\])?$|"
    r" *failed (?P<platform>[A-Za-z_][^\n]{1,500}?) \((?:\d{1,6}(?:ms|s|m|h) ?){1,3}\)$",
    "  Failed ",
    "  X ",
    "failed ",
)
_STOP = line_pattern(
    r" +(?:Passed|Skipped) \S|(?:Failed|Passed)! |Total tests: |Test Run |"
    r"Results File|Test summary: |\[xUnit",
    "  Passed ",
    "  Skipped ",
    "\nFailed! ",
    "\nPassed! ",
    "\nTotal tests: ",
    "\nTest Run ",
    "\nResults File",
    "\n[xUnit",
    "\nTest summary: ",
)
_XUNIT = line_pattern(r"\[xUnit\.net [\d:.]+\] +(?P<test>\S[^\n]{1,500}) \[FAIL\]$", " [FAIL]")
_LOGGED = line_pattern(
    r" *(?P<file>[^\n(]{1,300}\.\w{2,4})\((?P<line>\d{1,7})\): error TESTERROR: *\n? *"
    r"(?P<test>[^\n]{1,400}?) \([^)\n]{1,40}\): ",
    "error TESTERROR",
)
_LABEL = re.compile(r"^ *(?:Error Message|Stack Trace|Standard Output Messages):", re.M)
_TRACE = re.compile(r"^ *Stack Trace:|^ *Standard Output Messages:|^ +at \S", re.M)
_DIAGNOSTIC = line_pattern(
    r" *(?P<file>[^\n(]{1,300}\.(?:cs|fs|vb|csproj|razor|cshtml))"
    r"\((?P<line>\d{1,7})(?:,(?P<column>\d{1,6}))?[^)\n]{0,20}\): (?P<severity>error|warning) "
    r"(?P<code>[A-Z]{1,8}\d{1,6}): (?P<why>[^\n]+?)(?: \[[^\]\n]{1,300}\])?$",
    "): error ",
    "): warning ",
)
_FRAMES = formats("c#", "file and line")


def read(text: str) -> list[Failure]:
    """Failing tests, then the compiler's diagnostics."""
    found = [
        _failure(match["test"] or match["platform"], body)
        for match, body in blocks(text, _HEAD, _STOP)
        if match["platform"] or _LABEL.search(body) or not body.strip()
    ]
    found += [_failure(match["test"], body) for match, body in blocks(text, _LOGGED, _STOP)]
    found += [_failure(match["test"], "") for match in _XUNIT.matches(text)]
    return [*merge(found), *diagnostics("dotnet", FailureKind.COMPILE, text, _DIAGNOSTIC)]


def _failure(test: str, body: str) -> Failure:
    trace = _TRACE.search(body)
    lines = _LABEL.sub("", body[: trace.start() if trace else None]).split("\n")
    message = "\n".join(line.strip() for line in lines if line.strip())
    message = message.removeprefix("Error Message: ")
    frames = frames_in(body, _FRAMES)
    return failed_test("dotnet", FailureKind.TEST_FAILURE, test, message, frames)


TOOL = Tool(
    "dotnet",
    (
        "): error ",
        "): warning ",
        " [FAIL]",
        "\nfailed ",
        "  Failed ",
        "!  - Failed: ",
    ),
    read,
    line_pattern(
        r"(?:Failed|Passed)!  - Failed: +(\d+),| +Failed: (\d+)$|Test Run Successful|"
        r" +\d+ Error\(s\)$|Test summary: total: \d+, failed: (\d+)| +failed: (\d+)$",
        "\nFailed! ",
        "\nPassed! ",
        "  Failed: ",
        "\nTest Run Successful",
        " Error(s)",
        "\nTest summary: ",
        "\n  failed: ",
    ),
)
