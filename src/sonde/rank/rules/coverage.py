"""How much of the task the fields of a symbol say, and how much of its name the task says."""

from __future__ import annotations

from collections.abc import Callable

from sonde.rank.rule import Field, Rule
from sonde.retrieve.match import Match


def _of(part: str) -> Callable[[Field], list[float]]:
    at = Match._fields.index(part)
    return lambda field: [field.matches[record.id][at] for record in field.records]


RULES = (
    Rule("name-match", 0.34, _of("name")),
    Rule("owner-match", 0.27, _of("owner")),
    Rule("path-match", 0.17, _of("path")),
    Rule("doc-match", 0.28, _of("doc")),
    Rule("name-said", 0.06, _of("said")),
)
