"""javac, alone and under Maven or Gradle, and kotlinc and scalac in Maven's form."""

from __future__ import annotations

from dataclasses import replace

from sonde.failures.diagnostics import diagnostic
from sonde.failures.report import MAX_FAILURES, Failure, FailureKind
from sonde.failures.tool import Tool, line_pattern

_DETAIL = r"(?:symbol|location|required|found|reason): [^\n]+\n?"
_PLAIN = line_pattern(
    r"(?P<file>(?:[A-Za-z]:)?[^\s:][^\n:]{0,300}\.java):(?P<line>\d{1,7}): "
    r"(?P<severity>error|warning): (?:\[(?P<code>[\w-]{1,60})\] )?(?P<why>[^\n]+)$"
    rf"(?P<source>\n[^\n]*\n(?P<caret> *)\^\n?)?(?P<detail>(?:^  {_DETAIL}){{0,6}})",
    ".java:",
)
_MAVEN = line_pattern(
    r"\[(?P<severity>ERROR|WARNING)\] (?P<file>[^\s:\[][^\n:\[]{0,300}\.(?:java|kt|scala|groovy))"
    r":\[(?P<line>\d{1,7}),(?P<column>\d{1,6})\] (?:error: )?(?P<why>[^\n]+)\n?"
    rf"(?P<detail>(?:^(?:\[ERROR\])? {{2,3}}{_DETAIL}){{0,6}})",
    ".java:[",
    ".kt:[",
    ".scala:[",
    ".groovy:[",
)


def read(text: str) -> list[Failure]:
    """Errors and warnings; the column is where the caret stands."""
    found = []
    for pattern in (_PLAIN, _MAVEN):
        for match in pattern.matches(text, MAX_FAILURES):
            failure = diagnostic("javac", FailureKind.COMPILE, match)
            details = [line.strip() for line in match["detail"].replace("[ERROR]", "").split("\n")]
            message = "\n".join([failure.message, *(line for line in details if line)])
            column = failure.column or (
                len(match["caret"]) + 1 if match.groupdict().get("source") else 0
            )
            found.append(replace(failure, message=message, column=column))
    return found


TOOL = Tool(
    "javac",
    (
        ".java:",
        ".kt:[",
        ".scala:[",
    ),
    read,
)
