"""rustc and clippy, as cargo shows them."""

from __future__ import annotations

import re

from sonde.failures.diagnostics import diagnostic
from sonde.failures.report import Failure, FailureKind
from sonde.failures.tool import Tool, blocks

_PLACE = r"(?P<file>[^\s:][^\n:]{0,300}\.rs):(?P<line>\d{1,7}):(?P<column>\d{1,6})"
_LONG = re.compile(
    r"^(?P<severity>error|warning)(?:\[(?P<code>[\w:]{1,60})\])?: (?P<why>[^\n]+)\n"
    rf" +--> {_PLACE}$",
    re.M,
)
_SHORT = re.compile(
    rf"^{_PLACE}: (?P<severity>error|warning)(?:\[(?P<code>[\w:]{{1,60}})\])?: (?P<why>[^\n]+)$",
    re.M,
)
_STOP = re.compile(r"^$", re.M)


def read(text: str) -> list[Failure]:
    """Errors and warnings that point to a line."""
    found = [
        diagnostic("rustc", FailureKind.COMPILE, match, more=body)
        for match, body in blocks(text, _LONG, _STOP)
    ]
    return [*found, *(diagnostic("rustc", FailureKind.COMPILE, m) for m in _SHORT.finditer(text))]


TOOL = Tool("rustc", ("error", "warning"), read)
