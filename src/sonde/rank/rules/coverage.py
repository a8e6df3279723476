"""How much of the task the fields of a symbol say, and how much of its name the task says."""

from __future__ import annotations

from collections.abc import Callable

from sonde.rank.rule import Field, Rule
from sonde.retrieve.match import Match


def _of(part: Callable[[Match], float]) -> Callable[[Field], list[float]]:
    return lambda field: [part(field.matches[record.id]) for record in field.records]


RULES = (
    Rule("name-match", 0.5, _of(lambda match: match.name)),
    Rule("owner-match", 0.2, _of(lambda match: match.owner)),
    Rule("path-match", 0.2, _of(lambda match: match.path)),
    Rule("doc-match", 0.3, _of(lambda match: match.doc)),
    Rule("signature-match", 0.1, _of(lambda match: match.signature)),
    Rule("name-said", 0.2, _of(lambda match: match.said)),
)
