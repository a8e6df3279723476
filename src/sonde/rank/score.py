"""The one scoring function: the weighted sum of all rules, kept apart as the explanation."""

from __future__ import annotations

from sonde.model import Ranked
from sonde.rank.rule import Field
from sonde.rank.rules import ALL


def rank(field: Field, without: frozenset[str] = frozenset()) -> list[Ranked]:
    """Candidates best first; equal scores by path, line and name."""
    rules = [rule for rule in ALL if rule.name not in without]
    columns = [rule.values(field) for rule in rules]
    ranked = []
    for at, record in enumerate(field.records):
        parts = tuple(
            (rule.name, rule.weight * column[at])
            for rule, column in zip(rules, columns, strict=True)
            if column[at]
        )
        fused = field.fused.get(record.id)
        ranked.append(
            Ranked(
                record,
                sum(value for _, value in parts),
                parts,
                fused.evidence if fused else (),
                field.walked.get(record.id, 0.0) if record.id not in field.seeds else 1.0,
            )
        )
    ranked.sort(key=lambda one: (-one.score, one.symbol.file, one.symbol.start_line, one.symbol.name))
    return ranked
