"""Variables that stand for something else: an element of what a loop goes over, a member."""

from __future__ import annotations

import re
from collections.abc import Iterator

UNTOLD = "?"  # the type of a variable that only hides what else is called like it
_MEMBER = re.compile(r"\w+(?:\(\))?(?:\.\w+(?:\(\))?)*\.\w+")
_ELEMENT = re.compile(r"\w+(?:\(\))?(?:\.\w+(?:\(\))?)*\[[^\[\]:]{1,40}\]")
_PLAIN = re.compile(r"\w+(?:\.\w+)*(?:\(\))?")  # what a loop goes over, where it can be followed


def gone_over(name: str, over: str) -> Iterator[tuple[str, str, bool]]:
    """The binding of a loop's variable, where what it goes over is a name, a member or a call."""
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
