"""Arguments sent by clients: each is read by name and type, or refused in one line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sonde.serve.workspaces import Unknown

LONGEST_TEXT = 4_000_000  # characters; the largest body is 4 MiB
SMALLEST, LARGEST = 200, 200_000  # tokens of a budget
_MOST_TEXTS = 500


class BadArgument(Unknown):
    """An argument that cannot be used."""


class Arguments:
    """One call's arguments. `only` checks that there are no others."""

    def __init__(self, values: Any) -> None:
        if values is None:
            values = {}
        if not isinstance(values, Mapping):
            raise BadArgument("the arguments must be an object with names and values")
        self._values = values

    def only(self, *names: str) -> None:
        """Refuse unknown names."""
        for name in self._values:
            if name not in names:
                raise BadArgument(f"unknown argument {str(name)[:60]!r}: use {', '.join(names)}")

    def has(self, name: str) -> bool:
        """Whether the argument was given and is not null."""
        return self._values.get(name) is not None

    def text(self, name: str, default: str | None = None) -> str:
        """A text that is not empty."""
        value = self._values.get(name)
        if value is None and default is not None:
            return default
        if not isinstance(value, str) or not value.strip():
            raise BadArgument(f"{name} must be a text that is not empty")
        if len(value) > LONGEST_TEXT:
            raise BadArgument(f"{name} is longer than {LONGEST_TEXT} characters")
        # A lone surrogate can be written in JSON but not in UTF-8.
        return value.encode("utf-8", "replace").decode("utf-8")

    def optional_text(self, name: str) -> str | None:
        """A text that is not empty; None if it is not given."""
        return self.text(name) if self.has(name) else None

    def number(self, name: str, default: int, low: int, high: int) -> int:
        """A whole number within limits."""
        value = self._values.get(name)
        if value is None:
            return default
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            raise BadArgument(f"{name} must be a whole number from {low} to {high}")
        return value

    def budget(self, default: int) -> int:
        """The most tokens of the answer."""
        return self.number("budget", default, SMALLEST, LARGEST)

    def flag(self, name: str) -> bool:
        """True or false; false if it is not given."""
        value = self._values.get(name)
        if value is not None and not isinstance(value, bool):
            raise BadArgument(f"{name} must be true or false")
        return bool(value)

    def choice(self, name: str, known: Sequence[str]) -> str:
        """One of a few words; the first if it is not given."""
        value = self._values.get(name)
        if value is None:
            return known[0]
        if value not in known:
            raise BadArgument(f"{name} must be one of {', '.join(known)}")
        return str(value)

    def raw_text(self, name: str) -> str | None:
        """A text as it is, possibly empty; None if it is not given."""
        value = self._values.get(name)
        if value is None:
            return None
        if not isinstance(value, str) or len(value) > LONGEST_TEXT:
            raise BadArgument(f"{name} must be a text of at most {LONGEST_TEXT} characters")
        return value.encode("utf-8", "replace").decode("utf-8")

    def inner(self, name: str) -> Arguments:
        """An object with arguments of its own."""
        value = self._values.get(name)
        if not isinstance(value, Mapping):
            raise BadArgument(f"{name} must be an object")
        return Arguments(value)

    def list(self, name: str) -> list[Any]:
        """A list of anything."""
        value = self._values.get(name)
        if not isinstance(value, list):
            raise BadArgument(f"{name} must be a list")
        return value

    def texts(self, name: str) -> tuple[str, ...]:
        """A list of texts, possibly empty."""
        value = self._values.get(name)
        if value is None:
            return ()
        if isinstance(value, str):
            value = [value]
        if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
            raise BadArgument(f"{name} must be a list of texts")
        if len(value) > _MOST_TEXTS:
            raise BadArgument(f"{name} has more than {_MOST_TEXTS} entries")
        return tuple(each.encode("utf-8", "replace").decode("utf-8") for each in value)
