"""ESLint: the stylish, unix and compact formats."""

from __future__ import annotations

import re

from sonde.failures.diagnostics import diagnostic, diagnostics
from sonde.failures.report import MAX_FAILURES, Failure, FailureKind
from sonde.failures.tool import Tool, line_pattern
from sonde.understand.paths import normal_path

_FILE = r"(?P<file>(?:[A-Za-z]:)?[^\s:][^\n:]{0,300}\.\w{1,8})"
_HEADING = re.compile(_FILE)
_STYLISH = line_pattern(
    r" +(?P<line>\d{1,7}):(?P<column>\d{1,6}) +(?P<severity>error|warning) +(?P<why>\S[^\n]*?)"
    r"(?: {2,}(?P<code>[@a-z][\w@/-]{1,100}))?$",
    "  error  ",
    "  warning  ",
)
_ONE_LINE = (
    line_pattern(
        rf"{_FILE}:(?P<line>\d{{1,7}}):(?P<column>\d{{1,6}}): (?P<why>[^\n]+?) "
        r"\[(?P<severity>Error|Warning)(?:/(?P<code>[^\]\n]{1,100}))?\]$",
        " [Error",
        " [Warning",
    ),
    line_pattern(
        rf"{_FILE}: line (?P<line>\d{{1,7}}), col (?P<column>\d{{1,6}}), "
        r"(?P<severity>Error|Warning) - (?P<why>[^\n]+?)(?: \((?P<code>[@a-z][^)\s]{1,100})\))?$",
        ", Error - ",
        ", Warning - ",
    ),
)


def read(text: str) -> list[Failure]:
    """Errors and warnings."""
    return [*diagnostics("eslint", FailureKind.LINT, text, *_ONE_LINE), *_stylish(text)]


def _stylish(text: str) -> list[Failure]:
    """Lines below the path of their file."""
    found, file, end = [], "", -1
    for match in _STYLISH.matches(text, MAX_FAILURES):
        if match.start() != end + 1:
            above = text[text.rfind("\n", 0, max(0, match.start() - 1)) + 1 : match.start() - 1]
            heading = _HEADING.fullmatch(above)
            file = normal_path(heading["file"]) if heading else ""
        found.append(diagnostic("eslint", FailureKind.LINT, match, file=file))
        end = match.end()
    return found


TOOL = Tool(
    "eslint",
    (
        "  error  ",
        "  warning  ",
        " [Error",
        " [Warning",
        ", Error - ",
        ", Warning - ",
    ),
    read,
    line_pattern(r"✖ \d+ problems? \((\d+) errors?|\d+ problems?$", "\n✖ ", " problem"),
)
