"""mypy, plain and pretty."""

from __future__ import annotations

import re

from sonde.failures.diagnostics import diagnostic
from sonde.failures.report import Failure, FailureKind
from sonde.failures.tool import Tool

_PLACE = r"[^\s:][^\n:]{0,300}\.pyi?:\d{1,7}:(?:\d{1,6}:){0,3} (?:error|warning): "
_DIAGNOSTIC = re.compile(
    r"^(?P<file>[^\s:][^\n:]{0,300}\.pyi?):(?P<line>\d{1,7}):"
    r"(?:(?P<column>\d{1,6}):(?:\d{1,7}:\d{1,6}:)?)? (?P<severity>error|warning): "
    r"(?P<why>[^\n]+?)(?: {1,2}\[(?P<code>[a-z][a-z0-9-]{1,60})\])?$",
    re.M,
)
# Pretty output folds a message at the terminal's width: what follows at the margin, up to the
# code in brackets, goes on with it; source lines are indented.
_FOLDED = re.compile(
    rf"^({_PLACE}[^\n]+(?<!\]))((?:\n(?!{_PLACE})[^\s\n][^\n]*){{0,8}}?\n"
    r"(?:[^\s\n][^\n]* )?\[[a-z][a-z0-9-]{1,60}\]$)",
    re.M,
)


def read(text: str) -> list[Failure]:
    """Errors; the notes that belong to them are left out."""
    if "\n[" in text or "    ^" in text:
        text = _FOLDED.sub(lambda match: match[1] + match[2].replace("\n", " "), text)
    return [diagnostic("mypy", FailureKind.TYPE, match) for match in _DIAGNOSTIC.finditer(text)]


TOOL = Tool(
    "mypy",
    (": error: ",),
    read,
    closing=re.compile(r"^Found (?P<failed>\d+) errors? in \d+ files?|^Success: no issues", re.M),
)
