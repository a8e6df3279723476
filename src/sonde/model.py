"""The values that travel between stages.

Every stage takes some of these and returns others; nothing here does work or knows a stage. All
are immutable. Those that exist by the hundred thousand per repository are named tuples, because
building a frozen dataclass costs four times as much.
"""

from __future__ import annotations

from dataclasses import field
from enum import IntEnum, StrEnum
from typing import NamedTuple

from sonde.frozen import frozen

# --------------------------------------------------------------------------- discover


class FileKind(StrEnum):
    """What a file is for; decides whether and how it is indexed."""

    SOURCE = "source"
    TEST = "test"
    GENERATED = "generated"
    MINIFIED = "minified"
    VENDORED = "vendored"
    TEXT = "text"
    CONFIG = "config"
    BINARY = "binary"
    TOO_LARGE = "too large"


class SkipReason(StrEnum):
    """Why a file is not in the index: a closed list in words a user understands."""

    BINARY = "binary content"
    TOO_LARGE = "larger than the size limit"
    MINIFIED = "minified or one enormous line"
    DATA_BLOB = "data rather than code"
    UNKNOWN_LANGUAGE = "no known language"
    BAD_ENCODING = "text in an encoding we cannot read"
    OUTSIDE_ROOT = "link that leaves the workspace"
    LINK_LOOP = "link to a folder that contains it"
    UNREADABLE = "could not be read"
    SPECIAL_FILE = "not a regular file"
    BAD_NAME = "file name that is not valid UTF-8"
    VENDORED = "third-party code"
    TOO_DEEP = "nested too deeply"
    PARSER_TIMEOUT = "took longer than the time limit to parse"
    PARSER_CRASH = "crashed its parser"


@frozen
class SourceFile:
    """A file worth indexing, as the walk saw it."""

    path: str  # relative to the workspace root, "/" on every platform
    language: str  # "" for plain text
    kind: FileKind
    size: int
    mtime_ns: int


@frozen
class SkippedFile:
    """A file left out, and why."""

    path: str
    reason: SkipReason
    detail: str = ""
    size: int = 0  # set with mtime_ns if the reason was found by reading, so it is not read again
    mtime_ns: int = 0


@frozen
class Discovery:
    """Everything that a walk found, sorted by path."""

    files: tuple[SourceFile, ...]
    skipped: tuple[SkippedFile, ...]


# --------------------------------------------------------------------------- extract


class Kind(StrEnum):
    """What a symbol is."""

    MODULE = "module"
    NAMESPACE = "namespace"  # a Ruby module: a scope that may also be mixed in
    CLASS = "class"
    STRUCT = "struct"
    INTERFACE = "interface"
    TRAIT = "trait"
    PROTOCOL = "protocol"
    ENUM = "enum"
    FUNCTION = "function"
    METHOD = "method"
    CONSTRUCTOR = "constructor"
    PROPERTY = "property"
    FIELD = "field"
    CONSTANT = "constant"
    VARIABLE = "variable"
    TYPE_ALIAS = "type alias"
    MACRO = "macro"


TYPE_KINDS = frozenset(
    {
        Kind.CLASS,
        Kind.STRUCT,
        Kind.INTERFACE,
        Kind.TRAIT,
        Kind.PROTOCOL,
        Kind.ENUM,
        Kind.NAMESPACE,
        Kind.TYPE_ALIAS,
    }
)
CALLABLE_KINDS = frozenset({Kind.FUNCTION, Kind.METHOD, Kind.CONSTRUCTOR, Kind.MACRO})


class Param(NamedTuple):
    """One parameter as declared; type and default are source text or empty."""

    name: str
    type: str = ""
    default: str = ""
    mark: str = ""  # calls may leave it out: "?", or repeat it: "..."; else their label (Swift)


class Symbol(NamedTuple):
    """One definition in a file. `parent` is an index into the file's symbols, -1 for none."""

    name: str  # last part: "connect"
    qualname: str  # qualified inside its file, always with dots: "DatabaseClient.connect"
    kind: Kind
    start_line: int  # 1-based, decorators and annotations included
    end_line: int
    start_byte: int
    end_byte: int
    parent: int = -1
    signature: str = ""  # as written, one line, without the body
    doc: str = ""  # first 500 characters
    decorators: tuple[str, ...] = ()
    visibility: str = "public"  # public, protected, private, internal
    params: tuple[Param, ...] = ()
    # return type of a callable; declared type of a field or constant; for a type its parameters and
    # what it gives to those of its bases: "<T:Row>Base<T,Id>"
    returns: str = ""
    # base types as written, without generics; for a method, those of the anonymous type that it
    # belongs to (`new Base() { … }`); for a field, the accessors that annotations generate for it
    bases: tuple[str, ...] = ()
    owner: str = ""  # type that owns a member written outside its body (Go, Rust, C++, extensions)
    static: bool = False  # set if a type may have two members of one name; also for Scala objects
    declared: bool = False  # has no body, as another definition of the name does (TypeScript, C)


class RefKind(IntEnum):
    """What a reference does with the name."""

    CALL = 0
    TYPE = 1  # annotation, generic argument, cast, declared type
    BASE = 2
    DECORATOR = 3
    FIELD = 4  # attribute read or written, not called
    RAISE = 5
    ENV = 6  # name is the environment variable
    PROCESS = 7  # name is the program started
    NAME = 8  # a definition passed around by name


class Reference(NamedTuple):
    """A use of a name. `scope` is the index of the enclosing symbol in the file, or of the block
    in it that has a variable which the use mentions."""

    kind: RefKind
    name: str
    receiver: str  # text before the last dot or arrow, "" if none: "self.client"
    line: int
    scope: int
    # labels of a call's arguments: "()", "(_,at,{})"; "" where not counted. Where types are told
    # apart by the number of their type arguments, it follows: "(_)<2>"
    args: str = ""


class Import(NamedTuple):
    """One imported name. `module` is as written; `level` counts leading dots of a relative import.

    name ""  : the module itself is bound (to alias or its own name)
    name "*" : everything public is bound
    """

    module: str
    name: str
    alias: str  # the name it is bound to here
    level: int
    line: int
    reexport: bool = False  # visible to importers of this file (export … from, pub use)


class Binding(NamedTuple):
    """What a variable holds, if the source says so: x: T, x = T(), x = make(), for x in xs."""

    scope: int  # symbol or block that binds it; a class for fields ("self.x" is name "x")
    name: str
    type: str  # type as written, or callee text
    # `type` is a call whose result is bound, "xs[]" of a loop, "=x.y" of a member, or says which
    # parameter of which argument of a call it is: "#0/1 rows.each"
    called: bool


class Route(NamedTuple):
    """An HTTP route and the text naming its handler ("" when it is the enclosing symbol)."""

    method: str
    path: str
    handler: str
    line: int
    scope: int


@frozen
class Chunk:
    """A retrievable piece of a text or configuration file."""

    kind: str  # section, window, key
    title: str  # heading or key path
    start_line: int
    end_line: int
    start_byte: int
    end_byte: int
    context: str = ""  # the headings above


@frozen
class Diagnostic:
    """Something that extraction could not understand."""

    line: int
    message: str


@frozen
class FileFacts:
    """All facts that one file yields by itself. symbols[0] is the module, spanning the file."""

    language: str
    package: str = ""  # declared package or namespace ("com.acme.db", "Acme\\Db" as "Acme.Db")
    symbols: tuple[Symbol, ...] = ()
    references: tuple[Reference, ...] = ()
    imports: tuple[Import, ...] = ()
    bindings: tuple[Binding, ...] = ()
    routes: tuple[Route, ...] = ()
    chunks: tuple[Chunk, ...] = ()  # text and configuration only; code is chunked on demand
    diagnostics: tuple[Diagnostic, ...] = ()
    # Parts of functions with variables of their own. The scope of the n-th is the number of symbols
    # plus n, and this is the scope around it; what its bindings say is meant there.
    blocks: tuple[int, ...] = ()
    in_blocks: tuple[tuple[int, int], ...] = ()  # symbols defined in a block, and the block


# --------------------------------------------------------------------------- link


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


# --------------------------------------------------------------------------- store


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


# --------------------------------------------------------------------------- understand


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


# --------------------------------------------------------------------------- retrieve and rank


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


# --------------------------------------------------------------------------- pack


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
    stale: tuple[str, ...] = field(default=())  # files not refreshed, those shown here first
    stale_count: int = 0  # of all of them
    indexed_share: float = 1.0
