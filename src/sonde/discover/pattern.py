"""One line of an ignore file, as git reads it.

Wildcards never cross a slash except `**`, so every pattern splits into a test of
the folder and a test of the last name. The folder is tested once per folder; only
the name test is left for each entry.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

_SPECIAL = re.compile(r"[*?\[\\]")
_POSIX_CLASSES = {
    "alnum": "0-9A-Za-z",
    "alpha": "A-Za-z",
    "blank": " \\t",
    "cntrl": "\\x00-\\x1f\\x7f",
    "digit": "0-9",
    "graph": "!-~",
    "lower": "a-z",
    "print": " -~",
    "punct": "!-/:-@\\[-`{-~",
    "space": " \\t-\\r",
    "upper": "A-Z",
    "xdigit": "0-9A-Fa-f",
}


class Pattern(NamedTuple):
    """A parsed pattern; `folder` is None when any folder will do."""

    negated: bool
    folders_only: bool
    folder: tuple[str, ...] | None
    name: str


def as_bytes_text(text: str) -> str:
    """Text with one character per byte: git's `?` and `[…]` match one byte of a name."""
    return text if text.isascii() else os.fsencode(text).decode("latin-1")


def parse_pattern(line: str) -> Pattern | None:
    """Parse one line of bytes text; None for blanks, comments and patterns that cannot match."""
    line = line.removesuffix("\r")
    if not line or line.startswith("#"):
        return None
    text = _without_trailing_spaces(line)
    negated = text.startswith("!")
    text = text[1:] if negated else text
    folders_only = text.endswith("/")
    text = text[:-1] if folders_only else text
    if not text:
        return None
    if "/" not in text:
        return Pattern(negated, folders_only, None, text)
    segments = list(_segments(text.removeprefix("/")))
    if "" in segments:
        return None
    if segments[-1] == "**":
        folder, name = tuple(segments), "*"
    else:
        folder, name = tuple(segments[:-1]), segments[-1]
    return Pattern(negated, folders_only, None if folder == ("**",) else folder, name)


def literal_text(glob: str) -> str | None:
    """The only text a glob can match, or None when it has wildcards."""
    if _SPECIAL.search(glob) is None:
        return glob
    if re.search(r"[*?\[]", glob) or re.search(r"(?<!\\)(\\\\)*\\\Z", glob):
        return None
    return re.sub(r"\\(.)", r"\1", glob, flags=re.DOTALL)


@lru_cache(maxsize=4096)
def translate(glob: str) -> str | None:
    """Regular expression for one name, None when the glob can match nothing.

    Each stretch between two stars is an atomic group that stops at its first match:
    that is enough for a glob, and keeps `*a*a*a*b` from backtracking without end.
    """
    stretches: list[list[str]] = [[]]
    position = 0
    while position < len(glob):
        char = glob[position]
        position += 1
        if char == "*":
            stretches.append([])
        elif char == "?":
            stretches[-1].append(".")
        elif char == "[":
            parsed = _character_class(glob, position)
            if parsed is None:
                return None
            stretches[-1].append(parsed[0])
            position = parsed[1]
        elif char == "\\":
            if position == len(glob):
                return None
            stretches[-1].append(re.escape(glob[position]))
            position += 1
        else:
            stretches[-1].append(re.escape(char))
    head, *rest = ["".join(stretch) for stretch in stretches]
    if not rest:
        return f"(?s:{head})"
    middle = "".join(f"(?>.*?{stretch})" for stretch in rest[:-1] if stretch)
    return f"(?s:{head}{middle}.*{rest[-1]})"


def folder_matches(segments: tuple[str, ...], parts: list[str]) -> bool:
    """Whether a folder's path fits a pattern's folder part; `**` is any number of parts."""
    at = star = resume = 0
    seen_star = False
    for_part = 0
    while for_part < len(parts):
        if at < len(segments) and segments[at] == "**":
            seen_star, star, resume = True, at, for_part
            at += 1
        elif at < len(segments) and _segment_matches(segments[at], parts[for_part]):
            at += 1
            for_part += 1
        elif seen_star:
            resume += 1
            at, for_part = star + 1, resume
        else:
            return False
    return all(segment == "**" for segment in segments[at:])


def _segment_matches(segment: str, part: str) -> bool:
    if _SPECIAL.search(segment) is None:
        return segment == part
    expression = translate(segment)
    return expression is not None and re.fullmatch(expression, part) is not None


def _without_trailing_spaces(text: str) -> str:
    stripped = text.rstrip(" ")
    backslashes = len(stripped) - len(stripped.rstrip("\\"))
    escaped_space = backslashes % 2 == 1 and len(stripped) < len(text)
    return stripped + " " if escaped_space else stripped


def _segments(text: str) -> Iterator[str]:
    """Split at slashes, except inside a character class, which no slash can leave."""
    start = position = 0
    while position < len(text):
        char = text[position]
        position += 1
        if char == "/":
            yield text[start : position - 1]
            start = position
        elif char == "\\":
            if text[position : position + 1] == "/":
                yield text[start : position - 1]
                start = position + 1
            position += 1
        elif char == "[":
            parsed = _character_class(text, position)
            position = parsed[1] if parsed else position
    yield text[start:]


def _character_class(glob: str, start: int) -> tuple[str, int] | None:
    """The class whose `[` stands before `start`, and the position after its `]`."""
    position = start
    negated = glob[position : position + 1] in ("!", "^")
    position += negated
    items: list[str] = []
    previous = ""  # what a following "-" would start a range from
    first = True
    while first or glob[position : position + 1] != "]":
        first = False
        char = glob[position : position + 1]
        following = glob[position + 1 : position + 2]
        if char == "\\":
            position, char = position + 1, following
            items.append(re.escape(char))
            previous = char
        elif char == "-" and previous and following not in ("", "]"):
            position += 1
            if following == "\\":
                position += 1
                following = glob[position : position + 1]
            if previous <= following:
                items.append(f"{re.escape(previous)}-{re.escape(following)}")
            previous = ""
            char = following
        elif char == "[" and following == ":" and (end := glob.find("]", position + 2)) != -1:
            if glob[end - 1] == ":" and end - 1 >= position + 2:
                named = _POSIX_CLASSES.get(glob[position + 2 : end - 1])
                if named is None:
                    return None
                items.append(named)
                position, previous = end, ""
            else:
                items.append(re.escape(char))
                previous = char
        else:
            items.append(re.escape(char))
            previous = char
        if not char:
            return None
        position += 1
    if not items:
        return ("." if negated else "(?!)"), position + 1
    return f"[{'^' if negated else ''}{''.join(items)}]", position + 1
