"""The values that travel between stages.

Every stage takes some of these and returns others; nothing here does work or knows a stage. All
are immutable. Those that exist by the hundred thousand per repository are named tuples, because
building a frozen dataclass costs four times as much.
"""

from sonde.model.answer import (
    Evidence,
    Fidelity,
    Frame,
    Intent,
    Item,
    Pack,
    PackEdge,
    Query,
    Ranked,
    Section,
    SymbolRecord,
)
from sonde.model.edges import CONFIDENCE, VERBS, Edge, EdgeKind, Provenance, Unresolved
from sonde.model.facts import (
    CALLABLE_KINDS,
    RENAMED,
    TYPE_KINDS,
    Binding,
    Chunk,
    Diagnostic,
    FileFacts,
    Import,
    Kind,
    Param,
    Reference,
    RefKind,
    Route,
    Symbol,
)
from sonde.model.files import (
    Discovery,
    FileKind,
    SkippedFile,
    SkipReason,
    SourceFile,
)

__all__ = [
    "CALLABLE_KINDS",
    "CONFIDENCE",
    "RENAMED",
    "TYPE_KINDS",
    "VERBS",
    "Binding",
    "Chunk",
    "Diagnostic",
    "Discovery",
    "Edge",
    "EdgeKind",
    "Evidence",
    "Fidelity",
    "FileFacts",
    "FileKind",
    "Frame",
    "Import",
    "Intent",
    "Item",
    "Kind",
    "Pack",
    "PackEdge",
    "Param",
    "Provenance",
    "Query",
    "Ranked",
    "RefKind",
    "Reference",
    "Route",
    "Section",
    "SkipReason",
    "SkippedFile",
    "SourceFile",
    "Symbol",
    "SymbolRecord",
    "Unresolved",
]
