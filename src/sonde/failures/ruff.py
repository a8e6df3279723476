"""ruff, full and concise, and flake8, whose form is the concise one."""

from __future__ import annotations

import re

from sonde.failures.diagnostics import diagnostic
from sonde.failures.report import Failure, FailureKind
from sonde.failures.tool import Tool

_CODE = r"(?P<code>[A-Z]{1,4}\d{2,4}|invalid-syntax|SyntaxError|unsafe-\w{2,20})"
_FILE = r"(?P<file>[^\s:][^\n:]{0,300}\.(?:pyi?|ipynb|toml))"
_PLACE = r"(?P<line>\d{1,7}):(?P<column>\d{1,6})"
_PATTERNS = (
    re.compile(rf"^{_FILE}:(?:cell \d+:)?{_PLACE}: {_CODE}:? (?:\[\*\] )?(?P<why>[^\n]+)$", re.M),
    re.compile(
        rf"^{_CODE}:? (?:\[\*\] )?(?P<why>[^\n]+)\n +--> {_FILE}:(?:cell \d+:)?{_PLACE}$", re.M
    ),
)


def read(text: str) -> list[Failure]:
    """Violations of rules and errors of syntax."""
    return [
        diagnostic("ruff", FailureKind.LINT, match)
        for pattern in _PATTERNS
        for match in pattern.finditer(text)
    ]


TOOL = Tool(
    "ruff",
    (".py:", ".pyi:", ".ipynb:"),
    read,
    closing=re.compile(r"^Found (?P<failed>\d+) errors?(?:\.| \()|^All checks passed!", re.M),
)
