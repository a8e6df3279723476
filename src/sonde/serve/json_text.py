"""A member put into a JSON text or taken out of it, with every other byte left as it is.

Comments and trailing commas, which some clients write into their files, are accepted.
"""

from __future__ import annotations

import json
import re
from typing import Any, NamedTuple

_BLANK = re.compile(r"(?:[ \t\n\r]+|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_SCALAR = re.compile(r"[^\s,\]}/]+")
_STRING = re.compile(r'"(?:[^"\\\n]|\\.)*"')
_REMARK = re.compile(r'("(?:[^"\\\n]|\\.)*")|//[^\n]*|/\*.*?\*/', re.DOTALL)
_TRAILING = re.compile(r'("(?:[^"\\\n]|\\.)*")|,(?=\s*[}\]])')
_INDENTED = re.compile(r'^([ \t]+)"', re.MULTILINE)


def read_json(text: str) -> Any:
    """The value of a JSON text with or without comments; a ValueError when it is neither."""
    bare = _REMARK.sub(lambda match: match[1] or " ", text)
    return json.loads(_TRAILING.sub(lambda match: match[1] or "", bare))


class _Member(NamedTuple):
    """One `"key": value` of an object, by its places in the text."""

    key: str
    start: int
    value: int
    end: int


class JsonText:
    """A text that `read_json` reads, with an object at the top."""

    def __init__(self, text: str) -> None:
        self.text = text
        found = _INDENTED.search(text)
        self._indent = found[1] if found else "  "

    def put(self, path: tuple[str, ...], value: Any) -> None:
        """Set a member of a nested object; missing objects are created."""
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
        inside = f"{lead}{json.dumps(key)}: {self._written(value, lead)}"
        kept = self.text[at + 1 : end]
        if kept.strip():  # comments: what we add goes behind them
            self.text = self.text[: at + 1] + kept.rstrip() + inside + _tail(kept) + self.text[end:]
        else:
            close = "\n" + self._indent * (depth - 1)
            self.text = self.text[: at + 1] + inside + close + self.text[end:]

    def _written(self, value: Any, lead: str) -> str:
        """The value in the style of its neighbours: on lines of its own where they are."""
        if "\n" not in lead:
            return json.dumps(value, ensure_ascii=False)
        text = json.dumps(value, indent=self._indent, ensure_ascii=False)
        return text.replace("\n", "\n" + lead.rpartition("\n")[2])

    def take(self, path: tuple[str, ...]) -> None:
        """Remove a member, and the objects around it that become empty."""
        objects = [_after_blanks(self.text, 0)]
        for key in path[:-1]:
            members, _ = _members(self.text, objects[-1])
            objects.append(next(each.value for each in reversed(members) if each.key == key))
        for at, key in zip(reversed(objects), reversed(path), strict=True):
            members, end = _members(self.text, at)
            place = max(n for n, member in enumerate(members) if member.key == key)
            if len(members) > 1:
                self._cut(members, place, members[place - 1].end if place else at + 1)
                return
            kept, after = _comma(self.text, members[0].end)
            before = self.text[at + 1 : members[0].start].rstrip() + kept
            left = _joined(before, self.text[after:end] or "}").removesuffix("}")
            if left.strip():  # comments stay, and the object around them
                self.text = self.text[: at + 1] + left + self.text[end:]
                return
            self.text = self.text[: at + 1] + self.text[end:]

    def _cut(self, members: list[_Member], place: int, before: int) -> None:
        """Take out one of several members, with the comma that is left over."""
        own, lead = members[place], _lead(self.text, members[place].start)
        start = own.start - len(lead)
        if place == len(members) - 1:
            comma = _after_blanks(self.text, before)
            between = self.text[before:comma] + self.text[comma + 1 : start]
            self.text = self.text[:before] + _joined(between, self.text[own.end :])
            return
        kept, after = _comma(self.text, own.end)
        if not place and "\n" not in lead:  # `{ours, other}` on one line
            start, after = own.start, _spaces(self.text, after)
        between = self.text[before:start] + kept
        self.text = self.text[:before] + _joined(between, self.text[after:])


def _members(text: str, at: int) -> tuple[list[_Member], int]:
    """The members of the object that begins at a place, and where its closing brace is."""
    found: list[_Member] = []
    at = _after_blanks(text, at + 1)
    while text[at] != "}":
        key = _end(text, at)
        value = _after_blanks(text, _after_blanks(text, key) + 1)  # behind the colon
        end = _end(text, value)
        found.append(_Member(json.loads(text[at:key]), at, value, end))
        at = _after_blanks(text, end)
        if text[at] == ",":
            at = _after_blanks(text, at + 1)
    return found, at


def _end(text: str, at: int) -> int:
    """Where the value that begins at a place ends."""
    if text[at] in "{[":
        depth = 0
        while True:
            at = _after_blanks(text, at)
            if text[at] == '"':
                at = _end(text, at)
                continue
            depth += (text[at] in "{[") - (text[at] in "}]")
            at += 1
            if not depth:
                return at
    found = (_STRING if text[at] == '"' else _SCALAR).match(text, at)
    return found.end() if found else at + 1


def _comma(text: str, at: int) -> tuple[str, int]:
    """Comments before the comma that follows a place, and where it ends, if there is one."""
    after = _after_blanks(text, at)
    if text[after] != ",":
        return "", at
    between = text[at:after]
    return between if between.strip() else "", after + 1


def _after_blanks(text: str, at: int) -> int:
    found = _BLANK.match(text, at)
    return found.end() if found else at


def _spaces(text: str, at: int) -> int:
    while text[at] in " \t":
        at += 1
    return at


def _joined(between: str, after: str) -> str:
    """Blanks, comments and what follows; a comment to the end of its line must not swallow it."""
    open_end = "//" in between.rpartition("\n")[2] and not after.lstrip(" \t").startswith("\n")
    return between + "\n" * open_end + after


def _tail(kept: str) -> str:
    """The blanks at the end of a text, or a line end where a comment needs one."""
    return kept[len(kept.rstrip()) :] or "\n"


def _lead(text: str, at: int) -> str:
    """The blanks before a place."""
    start = at
    while start and text[start - 1] in " \t\n\r":
        start -= 1
    return text[start:at]
