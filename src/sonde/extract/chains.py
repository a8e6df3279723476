"""Long chains of calls, `a.b(…).c(…)`, without their arguments."""

from __future__ import annotations

import re

LONGEST = 2000  # characters of a chain that are read; longer ones are tables
_KEPT = 300  # characters without arguments
_SPACE = re.compile(r"\s+")
# text in which brackets and commas mean nothing; a Rust quote may begin a lifetime
_DEAF = re.compile(
    r'"""[\s\S]*?"""|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n()]|\\.)*\'|`[^`]*`|//[^\n]*|/\*[\s\S]*?\*/'
)
_OPENING, _CLOSING = "([{", ")]}"
_TYPE_GIVEN = re.compile(r"[\w.]+(?:\.class|::class(?:\.java)?)")


def condensed(text: str) -> str:
    """A chain with "_" for each argument except types, which are kept; "" if it is still too long
    or not a chain: unmatched brackets mean some unusual literal."""
    text = _SPACE.sub(" ", _DEAF.sub(_silent, text)).strip()
    kept: list[str] = []
    depth = start = 0
    for at, char in enumerate(text):
        if char in _OPENING:
            if not depth:
                kept.append(text[start : at + 1])
                start = at + 1
            depth += 1
        elif char in _CLOSING:
            depth -= 1
            if depth < 0:
                return ""
            if not depth:
                kept.append(_arguments(text[start:at], text[start - 1]) + char)
                start = at + 1
    found = "".join([*kept, text[start:]])
    return found if not depth and len(found) <= _KEPT else ""


def _silent(match: re.Match[str]) -> str:
    return "" if match[0].startswith(("//", "/*")) else '""'


def _arguments(inner: str, opening: str) -> str:
    """The replacement for the text between two brackets: "_" per argument, nothing for a block."""
    if opening != "(":
        return inner if opening == "[" and len(inner) < 20 else ""
    given = [""]
    depth = 0
    for char in inner:
        depth += (char in _OPENING) - (char in _CLOSING)
        if char == "," and not depth:
            given.append("")
        else:
            given[-1] += char
    parts = [each.strip() for each in given if each.strip()]  # a comma may end the last line
    return ",".join(each if _TYPE_GIVEN.fullmatch(each) else "_" for each in parts)
