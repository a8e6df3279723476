"""Where the restart walk went, and what HITS says of the region it reached."""

from __future__ import annotations

import math

from sonde.rank.rule import Field, Rule

# Seed 002: centrality helps what the task named and hurts what it did not.
_SEED_AUTHORITY, _OTHER_AUTHORITY, _SEED_HUB = 0.05, 0.2, 0.1


def _walk(field: Field) -> list[float]:
    return [math.sqrt(field.walked.get(record.id, 0.0)) for record in field.records]


def _authority(field: Field) -> list[float]:
    values = []
    for record in field.records:
        authority, hub = field.hits.get(record.id, (0.0, 0.0))
        if record.id in field.seeds:
            value = authority if authority > _SEED_AUTHORITY else 0.0
            value += 0.4 * hub if hub > _SEED_HUB else 0.0
        else:
            value = -0.6 * authority if authority > _OTHER_AUTHORITY else 0.0
        values.append(value)
    return values


RULES = (
    Rule("walk", 0.43, _walk),
    Rule("authority", 0.02, _authority),
)
