"""Complaints of compilers, type checkers and linters: a place, a severity, words and a code."""

from __future__ import annotations

import re

from sonde.failures.report import Failure, FailureKind, short
from sonde.failures.tool import number
from sonde.failures.values import expected_and_actual
from sonde.understand.paths import normal_path


def diagnostic(
    tool: str, kind: FailureKind, match: re.Match[str], more: str = "", file: str = ""
) -> Failure:
    """A diagnostic from groups named file, line, column, severity, why and code; any may lack.

    `more` are lines below it that tell what was expected; `file` a heading above it.
    """
    groups = match.groupdict()
    message = groups.get("why") or ""
    expected, actual = expected_and_actual(f"{message}\n{more}" if more else message)
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
