"""The TypeScript compiler, plain and pretty."""

from __future__ import annotations

import re

from sonde.failures.diagnostics import diagnostic
from sonde.failures.report import Failure, FailureKind
from sonde.failures.tool import Tool

_SAYS = (
    r"(?P<severity>error|warning) (?P<code>TS\d{1,6}): "
    r"(?P<why>[^\n]+(?:\n {2,20}(?!\S{1,300}:\d+:\d+ - )[^\s\d][^\n]*){0,12})"
)
_PATTERNS = (
    re.compile(
        rf"^(?P<file>[^\s(][^\n(]{{0,300}})\((?P<line>\d{{1,7}}),(?P<column>\d{{1,6}})\): {_SAYS}",
        re.M,
    ),
    re.compile(
        rf"^(?P<file>[^\s:][^\n:]{{0,300}}):(?P<line>\d{{1,7}}):(?P<column>\d{{1,6}}) - {_SAYS}",
        re.M,
    ),
    re.compile(rf"^{_SAYS}", re.M),
)


def read(text: str) -> list[Failure]:
    """Errors with their place; those of the configuration have none."""
    return [
        diagnostic("tsc", FailureKind.TYPE, match)
        for pattern in _PATTERNS
        for match in pattern.finditer(text)
    ]


TOOL = Tool("tsc", ("error TS", "warning TS"), read)
