"""How much of the task the fields of a symbol say, and how much of its name the task says."""

from __future__ import annotations

from collections.abc import Callable

from sonde.rank.rule import Field, Rule
from sonde.retrieve.match import Match


def _of(part: str) -> Callable[[Field], list[float]]:
    at = Match._fields.index(part)
    return lambda field: [field.matches[record.id][at] for record in field.records]


RULES = (
    Rule("name-match", 0.21, _of("name")),
    Rule("owner-match", 0.34, _of("owner")),
    Rule("path-match", 0.20, _of("path")),
    Rule("doc-match", 0.32, _of("doc")),
    Rule("name-said", 0.09, _of("said")),
)
