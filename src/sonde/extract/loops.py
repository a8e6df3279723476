"""Variables that stand for something else: an element of what a loop iterates, or a member."""

from __future__ import annotations

import re
from collections.abc import Iterator

UNTOLD = "?"  # the type of a variable that only hides others of its name
_MEMBER = re.compile(r"\w+(?:\(\))?(?:\.\w+(?:\(\))?)*\.\w+")
_ELEMENT = re.compile(r"\w+(?:\(\))?(?:\.\w+(?:\(\))?)*\[[^\[\]:]{1,40}\]")
_PLAIN = re.compile(r"\w+(?:\.\w+)*(?:(?:<[\w.<>, ]{1,80}>)?\(\))?")  # can be followed


def gone_over(name: str, over: str) -> Iterator[tuple[str, str, bool]]:
    """The binding of a loop variable, if the loop iterates a name, a member or a call."""
    over = over.removeprefix("&").removeprefix("mut ").replace("->", ".").strip()
    if name.isidentifier() and name != "_" and _PLAIN.fullmatch(over):
        yield name, f"{over}[]", True


def member_of(name: str, value: str) -> Iterator[tuple[str, str, bool]]:
    """The binding of a variable to a member or an element: `row := ctx.Row`, `row = rows[0]`."""
    value = value.lstrip("&*$").removeprefix("mut ").replace("?.", ".").replace("->", ".")
    if not name.isidentifier() or name == "_":
        return
    if _MEMBER.fullmatch(value) or _ELEMENT.fullmatch(value):
        yield name, f"={value}", True
