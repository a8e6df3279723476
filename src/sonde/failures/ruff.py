"""ruff, full and concise, and flake8, whose form is the concise one."""

from __future__ import annotations

from sonde.failures.diagnostics import diagnostics
from sonde.failures.report import Failure, FailureKind
from sonde.failures.tool import Tool, line_pattern

_CODE = r"(?P<code>[A-Z]{1,4}\d{2,4}|invalid-syntax|SyntaxError|unsafe-\w{2,20})"
_FILE = r"(?P<file>[^\s:][^\n:]{0,300}\.(?:pyi?|ipynb|toml))"
_PLACE = r"(?P<line>\d{1,7}):(?P<column>\d{1,6})"
_PATTERNS = (
    line_pattern(
        rf"{_FILE}:(?:cell \d+:)?{_PLACE}: {_CODE}:? (?:\[\*\] )?(?P<why>[^\n]+)$",
        ".py:",
        ".pyi:",
        ".ipynb:",
        ".toml:",
    ),
    line_pattern(
        rf"{_CODE}:? (?:\[\*\] )?(?P<why>[^\n]+)\n +--> {_FILE}:(?:cell \d+:)?{_PLACE}$",
        " --> ",
        above=1,
    ),
)


def read(text: str) -> list[Failure]:
    """Violations of rules and errors of syntax."""
    return diagnostics("ruff", FailureKind.LINT, text, *_PATTERNS)


TOOL = Tool(
    "ruff",
    (
        ".py:",
        ".pyi:",
        ".ipynb:",
        "All checks passed!",
    ),
    read,
    line_pattern(
        r"Found (\d+) errors?(?:\.(?! Watching)| \()|All checks passed!",
        "\nFound ",
        "\nAll checks ",
    ),
)
