"""Variables that are another name of a type: `Row = shop.Entry`."""

from __future__ import annotations

import re

from sonde.extract.spec import Draft
from sonde.model import RENAMED

_NAME = re.compile(r"(?:::)?(?:[\w$]+(?:\.|::)){0,5}_*[A-Z][\w$]*")


def another_name(value: str) -> str:
    """`=shop.Entry` for a value that is only a name, written like a type's; "" for any other."""
    if len(value) > 120 or _NAME.fullmatch(value) is None:
        return ""
    return RENAMED + value.removeprefix("::").replace("::", ".")


def settle(first: Draft, later: Draft) -> None:
    """Of a variable that may be the name of either of two types none is known."""
    if later["returns"][:1] == RENAMED and later["returns"] != first["returns"]:
        first["returns"] = ""
