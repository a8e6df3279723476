"""What the questions return. Plain values: no logic, no knowledge of how they are shown."""

from __future__ import annotations

import time

from sonde.frozen import frozen
from sonde.model import (
    CONFIDENCE,
    EdgeKind,
    Evidence,
    Pack,
    Provenance,
    Ranked,
    SymbolRecord,
    Unresolved,
)
from sonde.pack.errors import PackError
from sonde.store.errors import Problem

_DERIVED = ((EdgeKind.IMPLEMENTS, "implemented"), (EdgeKind.EXTENDS, "extended"))
_DERIVES = ((EdgeKind.EXTENDS, "extends"), (EdgeKind.IMPLEMENTS, "implements"))
_ROLES = {
    EdgeKind.DECORATES: "as decorator",
    EdgeKind.TYPE_HINT_OF: "as a type",
    EdgeKind.THROWS: "as an error",
    EdgeKind.ACCESSES_FIELD: "as a field",
}
_RELATIONS = (
    ("callers", "called by"),
    ("uses", "used by"),
    ("callees", "calls"),
    ("bases", ""),  # the card knows how
    ("overrides", "overrides"),
    ("overridden_by", "overridden by"),
    ("implementations", ""),
    ("tests", "tested by"),
)
_LAST_SECOND = 253_402_300_799  # of the year 9999; a commit may have any date


@frozen
class Refusal:
    """Why a question cannot be answered, in one line: what, where, and what to do."""

    message: str

    def __str__(self) -> str:
        return self.message


@frozen
class NotFound(Refusal):
    """A refusal due to what the index holds: with more files there might be an answer."""


@frozen
class NoSuchFile(NotFound):
    """The same for a path: who names a file means that it is there."""


Failure = Refusal | Problem | PackError
FAILURES = (Refusal, Problem, *PackError.__args__)


def message_of(failure: Failure) -> str:
    """The one line that tells a user what went wrong."""
    return failure.message if isinstance(failure, Problem) else str(failure)


@frozen
class Answer:
    """A pack and its text in the format asked for."""

    pack: Pack
    text: str
    notes: tuple[str, ...] = ()  # about the question: files unknown, lines that may have moved
    rests_on: tuple[str, ...] = ()  # files whose change invalidates the answer
    named: tuple[str, ...] = ()  # names spelled out in the task
    cached: bool = False


@frozen
class RankAnswer:
    """Symbols and files for a task, best first."""

    ranked: tuple[Ranked, ...]
    files: tuple[str, ...]
    ms: float
    statistics: tuple[tuple[str, float], ...] = ()
    stale: tuple[str, ...] = ()  # files that could not be refreshed, those of the answer first
    stale_count: int = 0  # of all of them
    indexed_share: float = 1.0


@frozen
class Related:
    """A symbol on the other end of an edge; `line` is where the relation is written."""

    symbol: SymbolRecord
    kind: EdgeKind
    line: int
    provenance: Provenance

    @property
    def confidence(self) -> float:
        """How sure the relation is, 0 to 1."""
        return CONFIDENCE[self.provenance]

    @property
    def resolved(self) -> bool:
        """Whether the relation was resolved to a single definition."""
        return self.provenance < Provenance.OVERLOAD

    @property
    def role(self) -> str:
        """As what a symbol is used that is not called."""
        return _ROLES.get(self.kind, "by name")

    @property
    def doubt(self) -> str:
        """Why the relation is not resolved; "" if it is."""
        if self.resolved:
            return ""
        overload = self.provenance is Provenance.OVERLOAD
        return "one of several overloads" if overload else "known by its name only"


@frozen
class Authored:
    """The last commit that changed a symbol or, where none is known, its file."""

    author: str
    sha: str
    time: int  # of the commit, in seconds since 1970
    subject: str
    whole_file: bool  # no known commit changed the symbol itself

    def __str__(self) -> str:
        day = time.strftime("%Y-%m-%d", time.gmtime(min(max(self.time, 0), _LAST_SECOND)))
        what = "file last changed" if self.whole_file else "last changed"
        return f"{what} by {self.author}, {day}, {self.sha[:7]} {self.subject!r}"


@frozen
class SymbolCard:
    """A symbol and its relations. Each list is capped; `totals` holds the full counts."""

    record: SymbolRecord
    callers: tuple[Related, ...] = ()
    uses: tuple[Related, ...] = ()  # by others, without calling it: passed, decorating, as a type
    callees: tuple[Related, ...] = ()
    bases: tuple[Related, ...] = ()  # what a type extends, implements or mixes in
    overrides: tuple[Related, ...] = ()
    overridden_by: tuple[Related, ...] = ()
    implementations: tuple[Related, ...] = ()
    tests: tuple[Related, ...] = ()
    members: tuple[SymbolRecord, ...] = ()
    unresolved: tuple[Unresolved, ...] = ()  # calls whose definition is not known
    routes: tuple[str, ...] = ()
    authored_by: Authored | None = None
    totals: tuple[tuple[str, int], ...] = ()

    @property
    def relations(self) -> list[tuple[str, str, tuple[Related, ...]]]:
        """Field, title and symbols of each relation that has any, in reading order."""
        found = [(field, title, getattr(self, field)) for field, title in _RELATIONS]
        return [(field, title or self.tie(field), those) for field, title, those in found if those]

    def tie(self, field: str) -> str:
        """What this type does with its `bases`, or what is done with it by `implementations`."""
        related, words = (
            (self.bases, _DERIVES) if field == "bases" else (self.implementations, _DERIVED)
        )
        kinds = {one.kind for one in related}
        found = [word for kind, word in words if kind in kinds]
        return " and ".join(found) if field == "bases" else f"{' or '.join(found)} by"


@frozen
class SymbolAnswer:
    """Cards for all symbols that a name can mean, or similar names if there are none."""

    name: str
    found: tuple[SymbolCard, ...]
    near: tuple[str, ...] = ()
    more: int = 0  # further symbols of that name without a card
    stale: tuple[str, ...] = ()  # files that could not be refreshed, those of the answer first
    stale_count: int = 0  # of all of them
    indexed_share: float = 1.0


@frozen
class TextLine:
    """A line of a file that matches."""

    file: str
    line: int
    text: str


@frozen
class SearchAnswer:
    """Symbols and lines that match a search, best first; `more` if the limit cut them off."""

    symbols: tuple[SymbolRecord, ...]
    lines: tuple[TextLine, ...]
    more: bool = False
    stale: tuple[str, ...] = ()  # files that could not be refreshed, those of the answer first
    stale_count: int = 0  # of all of them
    indexed_share: float = 1.0
    meant: tuple[SymbolRecord, ...] = ()  # near to the words for a chosen model, nearest first
    lacking: tuple[str, ...] = ()  # what the model could not add, a line each


@frozen
class FileChunk:
    """A piece of a file that can be read alone."""

    file: str
    language: str
    kind: str  # function, class, statements, section, window, key
    name: str  # symbol, heading or key path
    start_line: int
    end_line: int
    context: str  # imports it uses, signatures of what it stands in, and its own
    text: str  # members that are chunks themselves are a line each
    tokens: int  # of the text


@frozen
class ChunksAnswer:
    """Chunks of some files: of code by kind, of text and configuration by place."""

    chunks: tuple[FileChunk, ...]
    stale: tuple[str, ...] = ()  # files that could not be refreshed, those of the answer first
    stale_count: int = 0  # of all of them
    indexed_share: float = 1.0


@frozen
class Step:
    """One edge of a path, read from `source` to `target`."""

    source: SymbolRecord
    kind: EdgeKind
    target: SymbolRecord
    line: int
    provenance: Provenance
    forward: bool = True  # False: the edge is written at the target and points back


@frozen
class WhyAnswer:
    """How a symbol came to its rank for a task."""

    symbol: SymbolRecord
    rank: int  # 1-based, 0 if it is not a candidate
    candidates: int
    score: float
    contributions: tuple[tuple[str, float], ...]  # sum to the score
    evidence: tuple[Evidence, ...]  # channel, rank there, reason
    seed: float  # restart weight, 0 when the walk did not start here
    seeds: tuple[str, ...]  # where the walk started, strongest first
    walked: float  # share of the walk, 1 at its most visited symbol
    path: tuple[Step, ...]  # from a seed to the symbol
    section: str  # where the pack shows it, "" when it does not
    kept_out: str  # what kept it out of the pack, "" when it is in
    statistics: tuple[tuple[str, float], ...] = ()
    stale: tuple[str, ...] = ()  # files that could not be refreshed, those of the answer first
    stale_count: int = 0  # of all of them
    indexed_share: float = 1.0


@frozen
class Affected:
    """A symbol that a change may reach."""

    symbol: SymbolRecord
    depth: int
    confidence: float  # product along the path
    kind: EdgeKind  # of the edge that leads to it
    via: str  # qualified name of the symbol before it
    line: int


@frozen
class ImpactAnswer:
    """What a change to a symbol may reach, nearest and surest first."""

    targets: tuple[SymbolRecord, ...]
    affected: tuple[Affected, ...]
    tests: tuple[Affected, ...]
    routes: tuple[tuple[str, str], ...]  # route and the symbol that handles it
    unresolved: int  # calls elsewhere that might mean a target but were not resolved
    truncated: bool = False
    doubtful: tuple[Affected, ...] = ()  # the first of those that make such calls
    namesakes: tuple[tuple[str, int], ...] = ()  # names too frequent to follow; their definitions
    stale: tuple[str, ...] = ()  # files that could not be refreshed, those of the answer first
    stale_count: int = 0  # of all of them
    indexed_share: float = 1.0


@frozen
class TestCase:
    """A test worth running, and why."""

    __test__ = False  # pytest must not collect this class

    file: str
    node: str  # runner's own address: path::Class::test for pytest, the test's name elsewhere
    line: int
    language: str
    reason: str
    confidence: float


@frozen
class TestsAnswer:
    """Tests to run for a change, the commands that run them, and what cannot be known."""

    __test__ = False

    tests: tuple[TestCase, ...]
    files: tuple[str, ...]
    commands: tuple[str, ...]
    unknown: tuple[str, ...]
    stale: tuple[str, ...] = ()  # files that could not be refreshed, those of the answer first
    stale_count: int = 0  # of all of them
    indexed_share: float = 1.0


@frozen
class FlowAnswer:
    """Paths between two symbols, shortest first."""

    source: SymbolRecord
    target: SymbolRecord
    paths: tuple[tuple[Step, ...], ...]
    reversed: bool = False  # paths lead from target to source
    loose: bool = False  # no calls connect them; paths use other relations
    stale: tuple[str, ...] = ()  # files that could not be refreshed, those of the answer first
    stale_count: int = 0  # of all of them
    indexed_share: float = 1.0
