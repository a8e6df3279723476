"""The TypeScript compiler, plain and pretty."""

from __future__ import annotations

from sonde.failures.diagnostics import diagnostics
from sonde.failures.report import Failure, FailureKind
from sonde.failures.tool import Tool, line_pattern

_SAYS = (
    r"(?P<severity>error|warning) (?P<code>TS\d{1,6}): "
    r"(?P<why>[^\n]+(?:\n {2,20}(?!\S{1,300}:\d+:\d+ - )[^\s\d][^\n]*){0,12})"
)
_PLACE = r"(?P<line>\d{1,7})[,:](?P<column>\d{1,6})"
_SIGNS = ("error TS", "warning TS")
_PATTERNS = (
    line_pattern(rf"(?P<file>[^\s(][^\n(]{{0,300}})\({_PLACE}\): {_SAYS}", *_SIGNS),
    line_pattern(rf"(?P<file>[^\s:][^\n:]{{0,300}}):{_PLACE} - {_SAYS}", *_SIGNS),
    line_pattern(_SAYS, "\nerror TS"),
)


def read(text: str) -> list[Failure]:
    """Errors with their place; those of the configuration have none."""
    return diagnostics("tsc", FailureKind.TYPE, text, *_PATTERNS)


TOOL = Tool("tsc", ("error TS",), read)
