"""Regular expressions that are compiled on first use.

Compiling all of them added an eighth of a second to every start, and a task needs only a few.
"""

from __future__ import annotations

import re
from typing import Any, AnyStr, cast


class _Expression:
    """Stands in for a compiled pattern; the first use of any method compiles it."""

    def __init__(self, source: Any, flags: int) -> None:
        self._source = source
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        value = getattr(re.compile(self._source, self._flags), name)
        setattr(self, name, value)  # from now on as fast as the pattern itself
        return value


def expression(source: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """Like `re.compile`, but compiled on first use."""
    return cast("re.Pattern[AnyStr]", _Expression(source, flags))
