"""pyright and basedpyright."""

from __future__ import annotations

import re

from sonde.failures.diagnostics import diagnostic
from sonde.failures.report import Failure, FailureKind
from sonde.failures.tool import Tool

_DIAGNOSTIC = re.compile(
    r"^ *(?P<file>[^\s:][^\n:]{0,300}\.pyi?):(?P<line>\d{1,7}):(?P<column>\d{1,6}) - "
    r"(?P<severity>error|warning|information): (?P<why>[^\n]+?(?:\n[ \u00a0]{4,}[^\n]+?){0,10}?)"
    r"(?: \((?P<code>report[A-Za-z]{3,60})\))?$(?!\n[ \u00a0]{4,}\S)",
    re.M,
)


def read(text: str) -> list[Failure]:
    """Errors and warnings with all lines of their explanation."""
    return [diagnostic("pyright", FailureKind.TYPE, match) for match in _DIAGNOSTIC.finditer(text)]


TOOL = Tool(
    "pyright",
    (" - error: ", " - warning: "),
    read,
    closing=re.compile(r"^(?P<failed>\d+) errors?, \d+ warnings?", re.M),
)
