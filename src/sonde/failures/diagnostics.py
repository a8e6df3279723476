"""Diagnostics of compilers, type checkers and linters: place, severity, message and code."""

from __future__ import annotations

import re

from sonde.failures.report import MAX_FAILURES, Failure, FailureKind, short
from sonde.failures.tool import LinePattern, number
from sonde.failures.values import expected_and_actual
from sonde.understand.paths import normal_path


def diagnostic(
    tool: str,
    kind: FailureKind,
    match: re.Match[str],
    *,
    message: str = "",
    details: str = "",
    file: str = "",
) -> Failure:
    """A diagnostic from groups named file, line, column, severity, why and code; any may be absent.

    `message` replaces the group, `details` are lines below that say what was expected,
    `file` is a heading above.
    """
    groups = match.groupdict()
    message = message or groups.get("why") or ""
    expected, actual = expected_and_actual(f"{message}\n{details}" if details else message)
    return Failure(
        tool,
        kind,
        file=file or normal_path((groups.get("file") or "").strip()),
        line=number(groups.get("line")),
        column=number(groups.get("column")),
        message=short(message),
        code=(groups.get("code") or "").strip(),
        expected=expected,
        actual=actual,
        is_warning=(groups.get("severity") or "").lower() in ("warning", "information", "remark"),
    )


def diagnostics(tool: str, kind: FailureKind, text: str, *patterns: LinePattern) -> list[Failure]:
    """The diagnostics that any of the patterns finds, pattern after pattern."""
    return [
        diagnostic(tool, kind, match)
        for pattern in patterns
        for match in pattern.matches(text, MAX_FAILURES)
    ]
