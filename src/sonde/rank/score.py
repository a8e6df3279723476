"""The one scoring function: the weighted sum of all rules, kept apart as the explanation."""

from __future__ import annotations

from collections.abc import Sequence

from sonde.model import Ranked
from sonde.rank import diversity
from sonde.rank.rule import Field, Rule
from sonde.rank.rules import COMPANY, OWN


def own_scores(field: Field, without: frozenset[str] = frozenset()) -> dict[int, float]:
    """What each candidate deserves by itself."""
    totals = [0.0] * len(field.records)
    for rule in OWN:
        if rule.name not in without:
            for at, value in enumerate(rule.values(field)):
                totals[at] += rule.weight * value
    return {record.id: total for record, total in zip(field.records, totals, strict=True)}


def rank(field: Field, without: frozenset[str] = frozenset()) -> list[Ranked]:
    """Candidates best first; equal scores by path, line and name."""
    rules = [rule for rule in (*OWN, *COMPANY) if rule.name not in without]
    columns = [rule.values(field) for rule in rules]
    ranked = [_ranked(field, at, rules, columns) for at in range(len(field.records))]
    ranked.sort(
        key=lambda one: (-one.score, one.symbol.file, one.symbol.start_line, one.symbol.qualname)
    )
    return ranked if diversity.RULE in without else diversity.spread(ranked)


def _ranked(
    field: Field, at: int, rules: Sequence[Rule], columns: Sequence[Sequence[float]]
) -> Ranked:
    record = field.records[at]
    parts = tuple(
        (rule.name, rule.weight * column[at])
        for rule, column in zip(rules, columns, strict=True)
        if column[at]
    )
    fused = field.fused.get(record.id)
    return Ranked(
        record,
        sum(value for _, value in parts),
        parts,
        fused.evidence if fused else (),
        1.0 if record.id in field.seeds else field.walked.get(record.id, 0.0),
    )
