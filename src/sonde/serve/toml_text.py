"""A server's table put into a TOML text or taken out of it; every other line stays."""

from __future__ import annotations

import json
import re
import tomllib
from typing import Any

_KEY = "mcp_servers"
_HEADER = re.compile(r"^\s*\[\[?\s*(?P<name>[^\]#]+?)\s*\]\]?\s*(?:#.*)?$")


def table(name: str, entry: dict[str, Any]) -> str:
    """The table of one server."""
    # JSON's strings and lists of strings are TOML's too.
    rows = [f"{key} = {json.dumps(value)}" for key, value in entry.items()]
    return "\n".join([f"[{_KEY}.{name}]", *rows]) + "\n"


def with_table(text: str, name: str, entry: dict[str, Any]) -> str:
    """The text with the server; other keys of its table stay. Raises ValueError if it cannot."""
    known = _read(text).get(_KEY, {}).get(name)
    if known is None:
        rest = text.rstrip("\n")
        after = (rest + "\n\n" if rest else "") + table(name, entry)
    elif all(known.get(key) == value for key, value in entry.items()):
        return text
    else:
        after = _changed(text, name, entry)
    return _checked(after, text, name, {**(known or {}), **entry})


def without_table(text: str, name: str) -> str:
    """The text without the server. Raises ValueError if it cannot."""
    if name not in _read(text).get(_KEY, {}):
        return text
    kept = "".join(line for line, ours in _lines(text, name) if not ours)
    return _checked(kept.rstrip("\n") + "\n" * bool(kept.strip()), text, name, None)


def _changed(text: str, name: str, entry: dict[str, Any]) -> str:
    """Our rows in place of the former ones, right below the header."""
    kept = []
    for line, ours in _lines(text, name):
        header = _HEADER.match(line)
        if ours and header and _named(header) == [_KEY, name]:
            rows = table(name, entry).split("\n", 1)[1]
            kept += [line if line.endswith("\n") else line + "\n", rows]
        elif not (ours and line.partition("=")[0].strip().strip("\"'") in entry):
            kept.append(line)
    return "".join(kept)


def _lines(text: str, name: str) -> list[tuple[str, bool]]:
    """Each line, and whether it belongs to the server; comments above the next table do not."""
    found: list[tuple[str, bool]] = []
    ours = False
    for line in text.splitlines(keepends=True):
        if header := _HEADER.match(line):
            next_ours = _named(header)[:2] == [_KEY, name]
            if ours and not next_ours:
                found = _given_back(found)
            ours = next_ours
        found.append((line, ours))
    return found


def _given_back(lines: list[tuple[str, bool]]) -> list[tuple[str, bool]]:
    """The blank and comment lines at the end are those of what follows."""
    end = len(lines)
    while end and lines[end - 1][0].lstrip().startswith("#"):
        end -= 1
    return [*lines[:end], *((line, False) for line, _ in lines[end:])]


def _named(header: re.Match[str]) -> list[str]:
    return [part.strip().strip("\"'") for part in header["name"].split(".")]


def _read(text: str) -> dict[str, Any]:
    whole = tomllib.loads(text)
    if not isinstance(whole.get(_KEY, {}), dict):
        raise ValueError(f"{_KEY} has another form than expected")
    return whole


def _checked(after: str, before: str, name: str, expected: dict[str, Any] | None) -> str:
    """The new text, if it says what the old one said but for our table."""
    try:
        new, old = _read(after), _read(before)
    except tomllib.TOMLDecodeError:
        raise ValueError(f"the server {name} is written there in another form") from None
    own = new.get(_KEY, {}).pop(name, None)
    old.get(_KEY, {}).pop(name, None)
    for whole in (new, old):
        if not whole.get(_KEY, True):
            del whole[_KEY]
    if own != expected or new != old:
        raise ValueError(f"the server {name} is written there in another form")
    return after
