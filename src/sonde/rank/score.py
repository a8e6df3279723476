"""The one scoring function: the weighted sum of all rules, kept apart as the explanation."""

from __future__ import annotations

from collections.abc import Sequence

from sonde.model import Ranked
from sonde.rank import diversity
from sonde.rank.rule import Field, Rule
from sonde.rank.rules import COMPANY, OWN

Column = tuple[str, list[float]]  # a rule's name and its contribution to each candidate


def columns(field: Field, rules: Sequence[Rule], without: frozenset[str]) -> list[Column]:
    """What each rule contributes to each candidate."""
    return [
        (rule.name, [rule.weight * value for value in rule.values(field)])
        for rule in rules
        if rule.name not in without
    ]


def own_columns(field: Field, without: frozenset[str]) -> list[Column]:
    """Contributions of the rules that judge a candidate by itself."""
    return columns(field, OWN, without)


def totals(parts: Sequence[Column], count: int) -> list[float]:
    """The sum over all rules for each candidate."""
    return [sum(each) for each in zip(*(values for _, values in parts), strict=True)] or [
        0.0
    ] * count


def rank(field: Field, own: Sequence[Column], without: frozenset[str]) -> list[Ranked]:
    """Candidates best first; equal scores by path, line and name."""
    parts = [*own, *columns(field, COMPANY, without)]
    scores = totals(parts, len(field.records))
    ranked = [_ranked(field, at, score, parts) for at, score in enumerate(scores)]
    ranked.sort(
        key=lambda one: (-one.score, one.symbol.file, one.symbol.start_line, one.symbol.qualname)
    )
    return ranked if diversity.RULE in without else diversity.spread(ranked)


def _ranked(field: Field, at: int, score: float, parts: Sequence[Column]) -> Ranked:
    record = field.records[at]
    fused = field.fused.get(record.id)
    return Ranked(
        record,
        score,
        tuple((name, values[at]) for name, values in parts if values[at]),
        fused.evidence if fused else (),
        1.0 if record.id in field.seeds else field.walked.get(record.id, 0.0),
    )
