"""rustc and clippy, as cargo shows them."""

from __future__ import annotations

from sonde.failures.diagnostics import diagnostic, diagnostics
from sonde.failures.report import Failure, FailureKind
from sonde.failures.tool import Tool, blocks, line_pattern

_PLACE = r"(?P<file>[^\s:][^\n:]{0,300}\.rs):(?P<line>\d{1,7}):(?P<column>\d{1,6})"
_LONG = line_pattern(
    r"(?P<severity>error|warning)(?:\[(?P<code>[\w:]{1,60})\])?: (?P<why>[^\n]+)\n"
    rf" +--> {_PLACE}$",
    " --> ",
    above=1,
)
_SHORT = line_pattern(
    rf"{_PLACE}: (?P<severity>error|warning)(?:\[(?P<code>[\w:]{{1,60}})\])?: (?P<why>[^\n]+)$",
    ".rs:",
)
_STOP = line_pattern(r"$", "\n\n")


def read(text: str) -> list[Failure]:
    """Errors and warnings that point to a line."""
    found = [
        diagnostic("rustc", FailureKind.COMPILE, match, details=body)
        for match, body in blocks(text, _LONG, _STOP)
    ]
    return [*found, *diagnostics("rustc", FailureKind.COMPILE, text, _SHORT)]


TOOL = Tool("rustc", (".rs:",), read)
