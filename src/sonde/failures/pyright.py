"""pyright and basedpyright."""

from __future__ import annotations

from sonde.failures.diagnostics import diagnostics
from sonde.failures.report import Failure, FailureKind
from sonde.failures.tool import Tool, line_pattern

_DIAGNOSTIC = line_pattern(
    r" *(?P<file>[^\s:][^\n:]{0,300}\.pyi?):(?P<line>\d{1,7}):(?P<column>\d{1,6}) - "
    r"(?P<severity>error|warning|information): (?P<why>[^\n]+?(?:\n[ \u00a0]{4,}[^\n]+?){0,10}?)"
    r"(?: \((?P<code>report[A-Za-z]{3,60})\))?$(?!\n[ \u00a0]{4,}\S)",
    " - error: ",
    " - warning: ",
    " - information: ",
)


def read(text: str) -> list[Failure]:
    """Errors and warnings with all lines of their explanation."""
    return diagnostics("pyright", FailureKind.TYPE, text, _DIAGNOSTIC)


TOOL = Tool(
    "pyright",
    (
        " - error: ",
        " - warning: ",
        " errors, ",
    ),
    read,
    line_pattern(r"(\d+) errors?, \d+ warnings?", " errors, ", "\n1 error, "),
)
