"""Where the walk starts: the candidates with the most merit of their own."""

from __future__ import annotations

import numpy

from sonde.model import TYPE_KINDS
from sonde.rank.rule import Field
from sonde.retrieve.columns import of_kind

TYPES_FIRST = "types-first"
PATH_SEEDS = "path-seeds"

# The larger the graph, the more of it is disconnected, so the more seeds the walk needs.
_SEED_COUNTS = ((40_000, 25), (10_000, 20), (0, 15))
_TYPES_FIRST_ABOVE = 40_000  # nodes: types lead to their members, so dense graphs start there
_TYPE_BONUS = 1.15
_PATH_WEIGHT = 0.3


def choose_seeds(field: Field, without: frozenset[str]) -> dict[int, float]:
    """Seed ids with their restart weights."""
    size = field.view.index.graph.size
    count = next(count for least, count in _SEED_COUNTS if size >= least)
    types_first = TYPES_FIRST not in without and size > _TYPES_FIRST_ABOVE

    standing = field.merits
    if types_first:
        types = of_kind(field.view, field.rows, TYPE_KINDS) == 1.0
        standing = numpy.where(types, standing * _TYPE_BONUS, standing)
    merits: list[float] = standing.tolist()
    order = sorted(range(len(merits)), key=merits.__getitem__, reverse=True)[:count]
    best = merits[order[0]] if order else 0.0
    if best <= 0.0:
        return {}
    seeds = {
        field.records[at].id: (merits[at] / best) ** 2 for at in order if merits[at] > 0.2 * best
    }
    if PATH_SEEDS not in without:
        paths = field.channels.get("paths", {})
        leading = {id for id, share in paths.items() if share > 0.5}
        for id in [id for id in field.ids if id in leading] if leading else ():
            if len(seeds) < count + 10:
                seeds.setdefault(id, _PATH_WEIGHT)
    return seeds
