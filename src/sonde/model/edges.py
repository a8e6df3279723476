"""What files say of each other."""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

from sonde.model.facts import RefKind


class EdgeKind(IntEnum):
    """How two symbols are related; stored as one byte."""

    CALLS = 0
    IMPORTS = 1
    REFERENCES = 2
    CONTAINS = 3
    MEMBER_OF = 4
    EXTENDS = 5
    IMPLEMENTS = 6
    OVERRIDES = 7
    INHERITS = 8
    TYPE_HINT_OF = 9
    DECORATES = 10
    THROWS = 11
    ACCESSES_FIELD = 12
    HANDLES_ROUTE = 13
    READS_ENV = 14
    EXECUTES_PROCESS = 15
    TESTS = 16
    TESTED_BY = 17
    CO_TESTED_WITH = 18
    SIMILAR_TO = 19
    DOCUMENTS = 20
    DEPENDS_ON = 21
    OWNED_BY = 22


# Each kind as a verb that reads from the source of an edge to its target.
VERBS = {kind: kind.name.lower().replace("_", " ") for kind in EdgeKind} | {
    EdgeKind.CO_TESTED_WITH: "tested together with",
    EdgeKind.SIMILAR_TO: "similar to",
    EdgeKind.TYPE_HINT_OF: "names the type",
    EdgeKind.ACCESSES_FIELD: "uses the field",
    EdgeKind.DECORATES: "is decorated by",
    EdgeKind.TESTED_BY: "is tested by",
    EdgeKind.MEMBER_OF: "is a member of",
}


class Provenance(IntEnum):
    """How we know about an edge. Each has one confidence, in `CONFIDENCE`."""

    SYNTAX = 0  # written in the file: containment, a definition in the same scope
    IMPORT = 1  # followed through imports to the definition
    SELF = 2  # self, this, super
    DECLARED = 3  # declared type of a parameter, field or local
    INFERRED = 4  # constructor assignment or return type
    HIERARCHY = 5  # found on a base type
    NAMING = 6  # naming habit, such as test_x for x
    SIMILARITY = 7
    OVERLOAD = 8  # one of several overloads that all take what the call gives; not resolved
    AMBIGUOUS = 9  # one of at most five same-named candidates; never shown as resolved


CONFIDENCE: dict[Provenance, float] = {
    Provenance.SYNTAX: 1.0,
    Provenance.IMPORT: 0.95,
    Provenance.SELF: 0.95,
    Provenance.DECLARED: 0.9,
    Provenance.INFERRED: 0.85,
    Provenance.HIERARCHY: 0.85,
    Provenance.NAMING: 0.6,
    Provenance.SIMILARITY: 0.4,
    Provenance.OVERLOAD: 0.5,
    Provenance.AMBIGUOUS: 0.1,
}


class Edge(NamedTuple):
    """One relation between two symbols of the index."""

    source: int
    target: int
    kind: EdgeKind
    line: int
    provenance: Provenance


class Unresolved(NamedTuple):
    """A use whose definition is not known, with at most five symbols of that name."""

    source: int
    kind: RefKind
    name: str
    receiver: str
    line: int
    candidates: tuple[int, ...]
