"""mypy, plain and pretty."""

from __future__ import annotations

from sonde.failures.diagnostics import diagnostic
from sonde.failures.report import MAX_FAILURES, Failure, FailureKind
from sonde.failures.tool import Tool, line_pattern

# Pretty output folds a message at the terminal's width: lines at the margin, up to the code in
# brackets, continue it; source lines are indented.
_FOLDED = r"(?:\n(?![^\n:]{1,300}\.pyi?:\d)[^\s\n][^\n]*?){0,6}?"
_CODE = r"\s{1,3}\[(?P<code>[a-z][a-z0-9-]{1,60})\]$"
_DIAGNOSTIC = line_pattern(
    r"(?P<file>[^\s:][^\n:]{0,300}\.pyi?):(?P<line>\d{1,7}):"
    r"(?:(?P<column>\d{1,6}):(?:\d{1,7}:\d{1,6}:)?)? (?P<severity>error|warning): "
    rf"(?:(?P<why>[^\n]+?{_FOLDED}){_CODE}|(?P<bare>[^\n]+)$)",
    ": error: ",
    ": warning: ",
)


def read(text: str) -> list[Failure]:
    """Errors; the notes that belong to them are left out."""
    found = []
    for match in _DIAGNOSTIC.matches(text, MAX_FAILURES):
        why = match["why"] or match["bare"]
        message = " ".join(line.strip() for line in why.split("\n"))
        found.append(diagnostic("mypy", FailureKind.TYPE, match, message=message))
    return found


TOOL = Tool(
    "mypy",
    (
        ": error: ",
        "\nSuccess: no issues",
    ),
    read,
    line_pattern(
        r"Found (\d+) errors? in \d+ files? \(|Success: no issues", "\nFound ", "\nSuccess: "
    ),
)
