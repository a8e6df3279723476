"""CODEOWNERS: which people or teams own which paths; the last matching rule wins."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from sonde.lately import remembered


class OwnerRule(NamedTuple):
    """One line of a CODEOWNERS file."""

    pattern: str
    owners: tuple[str, ...]
    line: int


def owner_rules(text: str) -> list[OwnerRule]:
    """The rules of a CODEOWNERS file, in order."""
    rules = []
    for number, line in enumerate(text.splitlines(), 1):
        words = line.split(" #")[0].replace("\\ ", "\0").split()
        if words and not words[0].startswith(("#", "[", "^[")):
            rules.append(OwnerRule(words[0].replace("\0", " "), tuple(words[1:]), number))
    return rules


@remembered(4096)
def _compiled(pattern: str) -> re.Pattern[str]:
    anchored = "/" in pattern.rstrip("/")
    body = pattern.strip("/")
    parts = []
    for piece in re.split(r"(\*\*/?|\*|\?)", body):
        if piece.startswith("**"):
            parts.append("(?:.*/)?" if piece.endswith("/") else ".*")
        elif piece == "*":
            parts.append("[^/]*")
        elif piece == "?":
            parts.append("[^/]")
        else:
            parts.append(re.escape(piece))
    # "docs/*" owns the files directly in docs, "docs/" and "docs" all that is below.
    tail = "$" if body.endswith("/*") or (body == "*" and anchored) else "(?:/.*)?$"
    return re.compile(("^" if anchored else "^(?:.*/)?") + "".join(parts) + tail, re.DOTALL)


def owners_of(path: str, rules: Sequence[OwnerRule]) -> tuple[str, ...]:
    """Who owns a path."""
    for rule in reversed(rules):
        if _compiled(rule.pattern).match(path):
            return rule.owners
    return ()
