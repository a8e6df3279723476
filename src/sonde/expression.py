"""Regular expressions that are compiled when they are first used.

Compiling all of them took an eighth of a second of every start, and a task needs few.
"""

from __future__ import annotations

import re
from typing import Any, AnyStr, cast


class _Expression:
    """Stands for a compiled pattern; the first use of any method makes it one."""

    def __init__(self, source: Any, flags: int) -> None:
        self._source = source
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        value = getattr(re.compile(self._source, self._flags), name)
        setattr(self, name, value)  # from now on as quick as the pattern itself
        return value


def expression(source: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """What `re.compile` returns, but compiled with its first use."""
    return cast("re.Pattern[AnyStr]", _Expression(source, flags))
