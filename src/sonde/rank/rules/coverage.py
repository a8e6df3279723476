"""How much of the task the fields of a symbol say, and how much of its name the task says."""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter

from sonde.rank.rule import Field, Rule


def _of(part: str) -> Callable[[Field], list[float]]:
    share = attrgetter(part)
    return lambda field: [share(field.matches[record.id]) for record in field.records]


RULES = (
    Rule("name-match", 0.21, _of("name")),
    Rule("owner-match", 0.34, _of("owner")),
    Rule("path-match", 0.20, _of("path")),
    Rule("doc-match", 0.32, _of("doc")),
    Rule("name-said", 0.09, _of("said")),
    Rule("text-match", 0.44, lambda field: field.matcher.anywhere.shares(field.rows)),
)
