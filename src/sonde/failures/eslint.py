"""ESLint: the stylish, unix and compact formats."""

from __future__ import annotations

import re

from sonde.failures.diagnostics import diagnostic
from sonde.failures.report import Failure, FailureKind
from sonde.failures.tool import Tool
from sonde.understand.paths import normal_path

_FILE = r"(?P<file>(?:[A-Za-z]:)?[^\s:][^\n:]{0,300}\.\w{1,8})"
_STYLISH = re.compile(
    r"^(?P<file>(?:[A-Za-z]:)?[/\\.\w@][^\n:]{0,300}\.\w{1,8})$|"
    r"^ +(?P<line>\d{1,7}):(?P<column>\d{1,6}) +(?P<severity>error|warning) +(?P<why>\S[^\n]*?)"
    r"(?: {2,}(?P<code>[@a-z][\w@/-]{1,100}))?$",
    re.M,
)
_ONE_LINE = (
    re.compile(
        rf"^{_FILE}:(?P<line>\d{{1,7}}):(?P<column>\d{{1,6}}): (?P<why>[^\n]+?) "
        r"\[(?P<severity>Error|Warning)(?:/(?P<code>[^\]\n]{1,100}))?\]$",
        re.M,
    ),
    re.compile(
        rf"^{_FILE}: line (?P<line>\d{{1,7}}), col (?P<column>\d{{1,6}}),"
        rf" (?P<severity>Error|Warning) - "
        r"(?P<why>[^\n]+?)(?: \((?P<code>[@a-z][^)\s]{1,100})\))?$",
        re.M,
    ),
)


def read(text: str) -> list[Failure]:
    """Errors and warnings."""
    found = [
        diagnostic("eslint", FailureKind.LINT, match)
        for pattern in _ONE_LINE
        for match in pattern.finditer(text)
    ]
    return [*found, *_stylish(text)]


def _stylish(text: str) -> list[Failure]:
    found, file = [], ""
    for match in _STYLISH.finditer(text):
        if match["file"]:
            file = normal_path(match["file"])
        else:
            found.append(diagnostic("eslint", FailureKind.LINT, match, file=file))
    return found


TOOL = Tool(
    "eslint",
    ("  error  ", "  warning  ", "[Error", "[Warning", ", Error - ", ", Warning - "),
    read,
    closing=re.compile(r"^✖ \d+ problems? \((?P<failed>\d+) errors?|^\d+ problems?$", re.M),
)
