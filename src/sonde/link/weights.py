"""How much of a walk's flow each kind of edge carries, and how much doubt reduces it."""

from __future__ import annotations

from sonde.model import EdgeKind, Provenance

WALK_WEIGHTS: dict[EdgeKind, float] = {
    EdgeKind.CALLS: 1.0,
    EdgeKind.IMPORTS: 0.5,
    EdgeKind.REFERENCES: 0.4,
    EdgeKind.CONTAINS: 0.8,
    EdgeKind.MEMBER_OF: 0.6,
    EdgeKind.EXTENDS: 0.7,
    EdgeKind.IMPLEMENTS: 0.8,
    EdgeKind.OVERRIDES: 0.8,
    EdgeKind.INHERITS: 0.3,
    EdgeKind.TYPE_HINT_OF: 0.5,
    EdgeKind.DECORATES: 0.3,
    EdgeKind.THROWS: 0.4,
    EdgeKind.ACCESSES_FIELD: 0.6,
    EdgeKind.HANDLES_ROUTE: 0.7,
    EdgeKind.READS_ENV: 0.4,
    EdgeKind.EXECUTES_PROCESS: 0.5,
    EdgeKind.TESTS: 0.6,
    EdgeKind.TESTED_BY: 0.5,
    EdgeKind.CO_TESTED_WITH: 0.5,
    EdgeKind.SIMILAR_TO: 0.15,
    EdgeKind.DOCUMENTS: 0.2,
    EdgeKind.DEPENDS_ON: 0.5,
    EdgeKind.OWNED_BY: 0.0,
}

# Weighting walks by confidence did not help where it was tried, so every resolved edge counts in
# full; only unresolved ones carry next to nothing.
PROVENANCE_FACTORS: dict[Provenance, float] = {
    Provenance.SYNTAX: 1.0,
    Provenance.IMPORT: 1.0,
    Provenance.SELF: 1.0,
    Provenance.DECLARED: 1.0,
    Provenance.INFERRED: 1.0,
    Provenance.HIERARCHY: 1.0,
    Provenance.NAMING: 0.8,
    Provenance.SIMILARITY: 1.0,  # the kind's own weight is already small
    Provenance.OVERLOAD: 0.5,
    Provenance.AMBIGUOUS: 0.05,
}
