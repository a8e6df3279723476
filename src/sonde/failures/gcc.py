"""gcc, clang and their linkers."""

from __future__ import annotations

from sonde.failures.diagnostics import diagnostics
from sonde.failures.report import Failure, FailureKind
from sonde.failures.tool import Tool, line_pattern

_FILE = (
    r"(?P<file>(?:[A-Za-z]:)?[^\s:][^\n:]{0,300}"
    r"\.(?:c|h|cc|cpp|cxx|c\+\+|hpp|hh|hxx|inl|ipp|tpp|m|mm|cu|cuh|S|s|swift|def|inc))"
)
_DIAGNOSTIC = line_pattern(
    rf"{_FILE}:(?P<line>\d{{1,7}}):(?:(?P<column>\d{{1,6}}):)? "
    r"(?P<severity>fatal error|error|warning): "
    r"(?!(?:-\[[^\]\n]{1,300}\]|[\w.]{1,300}) : )"  # a failing test of XCTest
    r"(?P<why>[^\n]+?)(?: \[(?P<code>-[Wf][\w=+-]{1,100})\])?$",
    ": error: ",
    ": warning: ",
    ": fatal error: ",
)
_UNDEFINED = line_pattern(
    rf"(?:[^\n]{{0,200}}ld[^\s:]{{0,40}}: )?{_FILE}:(?:(?P<line>\d{{1,7}})|\([^)\n]{{1,80}}\)): "
    r"(?P<why>(?:undefined reference to|multiple definition of) [^\n]+)$",
    "undefined reference to",
    "multiple definition of",
)


def read(text: str) -> list[Failure]:
    """Errors and warnings; notes belong to them and are left out."""
    return diagnostics("gcc/clang", FailureKind.COMPILE, text, _DIAGNOSTIC, _UNDEFINED)


TOOL = Tool(
    "gcc/clang",
    (
        ": error: ",
        ": warning: ",
        ": fatal error: ",
        "undefined reference to",
        "multiple definition of",
    ),
    read,
)
