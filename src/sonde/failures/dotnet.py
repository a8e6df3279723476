"""dotnet test (xUnit, NUnit, MSTest) and the diagnostics of MSBuild's compilers."""

from __future__ import annotations

import re

from sonde.failures.diagnostics import diagnostic
from sonde.failures.report import Failure, FailureKind, merge
from sonde.failures.tool import Tool, blocks, failed_test, formats, frames_in

_HEAD = re.compile(
    r"^ +(?:Failed|X) (?P<test>[A-Za-z_][^\n]{1,500}?)(?: \[[<\d][^\]\n]{1,40}\])?$", re.M
)
_STOP = re.compile(
    r"^ +(?:Passed|Skipped|Failed|X) \S|^(?:Failed|Passed)!  - |^Total tests: |^Test Run "
    r"|^Results File|^\[xUnit",
    re.M,
)
_XUNIT = re.compile(r"^\[xUnit\.net [\d:.]+\] +(?P<test>\S[^\n]{1,500}) \[FAIL\]$", re.M)
_LOGGED = re.compile(
    r"^ *(?P<file>[^\n(]{1,300}\.\w{2,4})\((?P<line>\d{1,7})\): error TESTERROR: *\n? *"
    r"(?P<test>[^\n]{1,400}?) "
    r"\([^)\n]{1,40}\): (?:Error Message: )?(?P<why>[^\n]*(?:\n {2,}(?!at )[^\n]*){0,20})",
    re.M,
)
_PARTS = re.compile(r"^ +(?:Error Message|Stack Trace|Standard Output Messages):$", re.M)
_DIAGNOSTIC = re.compile(
    r"^ *(?P<file>[^\n(]{1,300}\.(?:cs|fs|vb|csproj|razor|cshtml))\((?P<line>\d{1,7})(?:,"
    r"(?P<column>\d{1,6}))?[^)\n]{0,20}\): "
    r"(?P<severity>error|warning) (?P<code>(?!TESTERROR)[A-Z]{1,8}\d{1,6}): (?P<why>[^\n]+?)"
    r"(?: \[[^\]\n]{1,300}\])?$",
    re.M,
)
_FRAMES = formats("c#")


def read(text: str) -> list[Failure]:
    """Failing tests, then what the compiler complained of."""
    found = [
        _failure(match["test"], body)
        for match, body in blocks(text, _HEAD, _STOP)
        if _PARTS.search(body) or not body.strip()
    ]
    found += [
        failed_test("dotnet", FailureKind.TEST_FAILURE, m["test"], m["why"], (), m["file"].strip())
        for m in _LOGGED.finditer(text)
    ]
    found += [_failure(match["test"], "") for match in _XUNIT.finditer(text)]
    compiled = [diagnostic("dotnet", FailureKind.COMPILE, m) for m in _DIAGNOSTIC.finditer(text)]
    return [*merge(found), *compiled]


def _failure(test: str, body: str) -> Failure:
    parts = _PARTS.split(body)
    lines = [line.strip() for line in (parts[1] if len(parts) > 1 else "").split("\n")]
    message = "\n".join(line for line in lines if line)
    frames = frames_in(body, _FRAMES)
    return failed_test("dotnet", FailureKind.TEST_FAILURE, test, message, frames)


TOOL = Tool(
    "dotnet",
    ("Failed!", "  Failed ", "[FAIL]", ": error ", ": warning ", "TESTERROR"),
    read,
    closing=re.compile(
        r"^(?:Failed|Passed)!  - Failed: +(?P<failed>\d+),|^ +Failed: (?P<failed_list>\d+)$"
        r"|^Test Run Successful|"
        r"^ +\d+ Error\(s\)$|^Test summary: total: \d+, failed: (?P<failed_new>\d+)",
        re.M,
    ),
)
