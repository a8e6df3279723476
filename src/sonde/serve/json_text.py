"""A member put into a JSON text or taken out of it, with every other byte left as it is."""

from __future__ import annotations

import json
import re
from typing import Any, NamedTuple

_BLANK = re.compile(r"[ \t\n\r]*")
_INDENTED = re.compile(r'^([ \t]+)"', re.MULTILINE)


class _Member(NamedTuple):
    """One `"key": value` of an object, by its places in the text."""

    key: str
    start: int
    value: int
    end: int


class JsonText:
    """A text that is known to be JSON with an object at its top."""

    def __init__(self, text: str) -> None:
        self.text = text
        found = _INDENTED.search(text)
        self._indent = found[1] if found else "  "

    def put(self, path: tuple[str, ...], value: Any) -> None:
        """Set a member of an object inside objects; those that are not there are made."""
        at, depth = _after_blanks(self.text, 0), 0
        for depth, key in enumerate(path):
            members, end = _members(self.text, at)
            known = [member for member in members if member.key == key]
            if not known:
                for missing in reversed(path[depth + 1 :]):
                    value = {missing: value}
                self._add(at, members, end, depth + 1, (key, value))
                return
            at = known[-1].value
        before = _lead(self.text, known[-1].start)
        self.text = self.text[:at] + self._written(value, before) + self.text[known[-1].end :]

    def _add(
        self, at: int, members: list[_Member], end: int, depth: int, member: tuple[str, Any]
    ) -> None:
        key, value = member
        if members:
            last, lead = members[-1].end, _lead(self.text, members[-1].start)
            added = f",{lead}{json.dumps(key)}: {self._written(value, lead)}"
            self.text = self.text[:last] + added + self.text[last:]
            return
        lead = "\n" + self._indent * depth
        inside = f"{lead}{json.dumps(key)}: {self._written(value, lead)}\n"
        self.text = self.text[: at + 1] + inside + self._indent * (depth - 1) + self.text[end:]

    def _written(self, value: Any, lead: str) -> str:
        """The value in the style of its neighbours: on lines of its own where they are."""
        if "\n" not in lead:
            return json.dumps(value, ensure_ascii=False)
        text = json.dumps(value, indent=self._indent, ensure_ascii=False)
        return text.replace("\n", "\n" + lead.rpartition("\n")[2])

    def take(self, path: tuple[str, ...]) -> None:
        """Remove a member, and the objects around it that are empty then."""
        objects = [_after_blanks(self.text, 0)]
        for key in path[:-1]:
            members, _ = _members(self.text, objects[-1])
            objects.append(next(each.value for each in reversed(members) if each.key == key))
        for at, key in zip(reversed(objects), reversed(path), strict=True):
            members, end = _members(self.text, at)
            place = max(n for n, member in enumerate(members) if member.key == key)
            if len(members) == 1:
                self.text = self.text[: at + 1] + self.text[end:]
                continue
            if place:
                cut = (members[place - 1].end, members[place].end)
            else:
                cut = (members[0].start, members[1].start)
            self.text = self.text[: cut[0]] + self.text[cut[1] :]
            return


def _members(text: str, at: int) -> tuple[list[_Member], int]:
    """The members of the object that begins at a place, and where its closing brace is."""
    decoder = json.JSONDecoder()
    found: list[_Member] = []
    at = _after_blanks(text, at + 1)
    while text[at] != "}":
        start = _after_blanks(text, at + 1) if text[at] == "," else at
        key, at = decoder.raw_decode(text, start)
        value = _after_blanks(text, _after_blanks(text, at) + 1)  # behind the colon
        _, end = decoder.raw_decode(text, value)
        found.append(_Member(key, start, value, end))
        at = _after_blanks(text, end)
    return found, at


def _after_blanks(text: str, at: int) -> int:
    found = _BLANK.match(text, at)
    return found.end() if found else at


def _lead(text: str, at: int) -> str:
    """The blanks before a place."""
    start = at
    while start and text[start - 1] in " \t\n\r":
        start -= 1
    return text[start:at]
