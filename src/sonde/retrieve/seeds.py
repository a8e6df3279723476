"""Where the walk starts: the best fused candidates, cohesive and type-first on large graphs."""

from __future__ import annotations

from sonde.model import TYPE_KINDS, FileKind, Query
from sonde.retrieve.fusion import Fused, by_score
from sonde.retrieve.view import View

# Seed 002: more seeds as the graph grows, since more of it is disconnected.
_SEED_COUNTS = ((40_000, 25), (10_000, 20), (0, 15))
_TYPES_FIRST_ABOVE = 40_000
_PATH_WEIGHT = 0.3
_POOL = 40


def choose_seeds(
    query: Query, fused: dict[int, Fused], view: View, without: frozenset[str]
) -> dict[int, float]:
    """Seed ids with restart weights, 1.0 for the first down to 0.4 for the last."""
    size = view.index.graph.size
    count = next(count for least, count in _SEED_COUNTS if size >= least)
    pool = [one for one in by_score(fused) if _worth(one, query, view)][:_POOL]
    if "types-first" not in without and size > _TYPES_FIRST_ABOVE:
        kinds = {r.id: r.kind for r in view.records([one.id for one in pool])}
        pool.sort(key=lambda one: kinds[one.id] not in TYPE_KINDS)
    chosen = pool[:count]
    step = 0.6 / max(len(chosen), 1)
    seeds = {one.id: 1.0 - step * place for place, one in enumerate(chosen)}
    if "paths" not in without:
        for one in pool:
            if any(proof.channel == "paths" for proof in one.evidence):
                seeds.setdefault(one.id, _PATH_WEIGHT)
    return seeds


def _worth(one: Fused, query: Query, view: View) -> bool:
    (record,) = view.records([one.id])
    return query.about_tests or record.file_kind is not FileKind.TEST
