"""What a loop gives to its variable: an element of what it goes over."""

from __future__ import annotations

import re
from collections.abc import Iterator

_PLAIN = re.compile(r"\w+(?:\.\w+)*(?:\(\))?")  # what a loop goes over, where it can be followed


def gone_over(name: str, over: str) -> Iterator[tuple[str, str, bool]]:
    """The binding of a loop's variable, where what it goes over is a name, a member or a call."""
    over = over.removeprefix("&").removeprefix("mut ").replace("->", ".").strip()
    if name.isidentifier() and name != "_" and _PLAIN.fullmatch(over):
        yield name, f"{over}[]", True
