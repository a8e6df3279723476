"""gcc, clang and their linkers."""

from __future__ import annotations

import re

from sonde.failures.diagnostics import diagnostic
from sonde.failures.report import Failure, FailureKind
from sonde.failures.tool import Tool

_FILE = (
    r"(?P<file>(?:[A-Za-z]:)?[^\s:][^\n:]{0,300}"
    r"\.(?:c|h|cc|cpp|cxx|c\+\+|hpp|hh|hxx|inl|ipp|tpp|m|mm|cu|cuh|S|s|swift|def|inc))"
)
_DIAGNOSTIC = re.compile(
    rf"^{_FILE}:(?P<line>\d{{1,7}}):(?:(?P<column>\d{{1,6}}):)? "
    r"(?P<severity>fatal error|error|warning): (?P<why>[^\n]+?)(?: \["
    r"(?P<code>-W[\w=+-]{1,100})\])?$",
    re.M,
)
_UNDEFINED = re.compile(
    rf"^(?:[^\n]{{0,200}}ld[^\s:]{{0,40}}: )?{_FILE}:(?:(?P<line>\d{{1,7}})|\([^)\n]{{1,80}}\)): "
    r"(?P<why>(?:undefined reference to|multiple definition of) [^\n]+)$",
    re.M,
)


def read(text: str) -> list[Failure]:
    """Errors and warnings; notes belong to them and are left out."""
    return [
        diagnostic("gcc/clang", FailureKind.COMPILE, match)
        for pattern in (_DIAGNOSTIC, _UNDEFINED)
        for match in pattern.finditer(text)
    ]


TOOL = Tool(
    "gcc/clang",
    (": error: ", ": warning: ", ": fatal error: ", "undefined reference", "multiple definition"),
    read,
)
