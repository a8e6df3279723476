"""Where the restart walk went, and what HITS says of the region it reached."""

from __future__ import annotations

import numpy

from sonde.rank.rule import Field, Rule, Values

# Centrality counts for a symbol that the task named, and against one that it did not.
_SEED_AUTHORITY, _OTHER_AUTHORITY, _SEED_HUB = 0.05, 0.2, 0.1


def _walk(field: Field) -> Values:
    return numpy.sqrt(field.values_of(field.walked))


def _authority(field: Field) -> Values:
    values = numpy.zeros(len(field.records))
    for at, id in enumerate(field.ids):
        if id not in field.hits:
            continue
        authority, hub = field.hits[id]
        if id in field.seeds:
            values[at] = authority if authority > _SEED_AUTHORITY else 0.0
            values[at] += 0.4 * hub if hub > _SEED_HUB else 0.0
        elif authority > _OTHER_AUTHORITY:
            values[at] = -0.6 * authority
    return values


RULES = (
    Rule("walk", 0.43, _walk),
    Rule("authority", 0.02, _authority),
)
