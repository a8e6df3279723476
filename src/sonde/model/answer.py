"""From a task to its answer: the query, what was found for it, the pack."""

from __future__ import annotations

from enum import IntEnum, StrEnum
from typing import NamedTuple

from sonde.frozen import frozen
from sonde.model.facts import Kind, Param
from sonde.model.files import FileKind


@frozen
class SymbolRecord:
    """A symbol as the index holds it: the definition plus its place in the workspace."""

    id: int
    file: str
    language: str
    file_kind: FileKind
    name: str
    qualname: str
    kind: Kind
    start_line: int
    end_line: int
    start_byte: int
    end_byte: int
    parent: int  # symbol id, 0 for none
    signature: str
    doc: str
    visibility: str
    decorators: tuple[str, ...] = ()
    returns: str = ""
    params: tuple[Param, ...] = ()

    @property
    def summary(self) -> str:
        """First line of the doc."""
        return self.doc.split("\n", 1)[0].strip()

    def holds(self, other: SymbolRecord) -> bool:
        """Whether the text of another symbol is part of this one's."""
        return (
            self.id != other.id
            and self.file == other.file
            and self.start_byte <= other.start_byte
            and other.end_byte <= self.end_byte
        )


class Intent(StrEnum):
    """What the user wants to do."""

    DEFINITION_LOOKUP = "DEFINITION_LOOKUP"
    USAGE_EXPLORATION = "USAGE_EXPLORATION"
    IMPLEMENTATION = "IMPLEMENTATION"
    BUG_FIX = "BUG_FIX"
    REFACTOR = "REFACTOR"
    TEST_WRITING = "TEST_WRITING"


@frozen
class Frame:
    """One line of a stack trace or a tool's complaint."""

    file: str
    line: int = 0
    function: str = ""


@frozen
class Query:
    """A task text, understood. Tuples are in order of importance."""

    text: str
    intent: Intent
    confidence: float
    exact: tuple[str, ...] = ()  # names in backticks or quotes that are identifiers
    compounds: tuple[str, ...] = ()  # identifiers written in the text, dotted names, calls
    generated: tuple[str, ...] = ()  # identifiers a plain phrase may stand for
    components: tuple[str, ...] = ()  # single words, split and stemmed
    paths: tuple[str, ...] = ()
    frames: tuple[Frame, ...] = ()  # innermost project frame first
    errors: tuple[str, ...] = ()  # error and exception types
    literals: tuple[str, ...] = ()  # quoted strings and messages worth a text search
    about_tests: bool = False
    weights: tuple[tuple[str, float], ...] = ()  # each component with its weight
    title: str = ""  # of a text that says more
    issues: tuple[str, ...] = ()  # that the text mentions, by number or key; pull requests too
    commits: tuple[str, ...] = ()  # by their hashes, whole or shortened


class Evidence(NamedTuple):
    """Why a symbol is a candidate: the channel, its rank there, and the reason in words."""

    channel: str
    rank: int
    score: float
    reason: str


@frozen
class Ranked:
    """A candidate with its final score and the contributions that sum to it."""

    symbol: SymbolRecord
    score: float
    contributions: tuple[tuple[str, float], ...] = ()
    evidence: tuple[Evidence, ...] = ()
    proximity: float = 1.0  # 1 for a direct hit, lower the further the walk had to go


class Fidelity(IntEnum):
    """How much of a symbol a pack shows."""

    OUTLINE = -1
    COMPACT = 0
    STANDARD = 1
    FULL = 2


@frozen
class Item:
    """One thing in a pack: a card or a piece of source, and why it is there."""

    symbol: SymbolRecord
    fidelity: Fidelity
    text: str
    tokens: int
    score: float
    reason: str
    members: tuple[str, ...] = ()


@frozen
class Section:
    """Items that serve one purpose: definitions, snippets, imports, tests, callers."""

    name: str
    items: tuple[Item, ...]
    lines: tuple[str, ...] = ()  # what is not a symbol: import lines


@frozen
class PackEdge:
    """A relation between two symbols that are both in the pack."""

    source: str
    kind: str
    target: str


@frozen
class Pack:
    """The answer: sections within a hard budget, and how it came about."""

    task: str
    intent: Intent
    confidence: float  # of the intent
    budget: int
    tokens: int
    sections: tuple[Section, ...]
    edges: tuple[PackEdge, ...] = ()
    omitted: str = ""  # one line: what was left out and the flag that would include it
    root: str = ""  # content address
    certainty: float = 0.0  # of the whole answer
    statistics: tuple[tuple[str, float], ...] = ()
    stale: tuple[str, ...] = ()  # files not refreshed, those shown here first
    stale_count: int = 0  # of all of them
    indexed_share: float = 1.0
