"""What one file says by itself."""

from __future__ import annotations

from enum import IntEnum, StrEnum
from typing import NamedTuple

from sonde.frozen import frozen


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
RENAMED = "="  # before what a variable holds: the type itself, not an instance of it
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
    # return type of a callable; declared type of a field or constant; what an alias stands for (a
    # variable that is one has it behind `RENAMED`); for any other type its parameters and what it
    # gives to those of its bases: "<T:Row>Base<T,Id>"
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
    OPERATOR = 9  # a call that a sign stands for: `rows[i]`, `a + b`


class Reference(NamedTuple):
    """A use of a name. `scope` is the index of the enclosing symbol in the file, or of the block
    in it that has a variable which the use mentions."""

    kind: RefKind
    name: str
    receiver: str  # text before the last dot or arrow, "" if none: "self.client"
    line: int
    scope: int
    # labels of a call's arguments: "()", "(_,at,{})"; "" where not counted. Where definitions are
    # told apart by the number of their type arguments, it follows: "(_)<2>". For a base the type
    # that gets it, if it is not the one around: `Foo.include Bar`
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
    # `type` is a call whose result is bound, "make(_,_)" if its arguments are counted, "xs[]" of a
    # loop, "=x.y" of a member, or says which parameter of which argument of a call it is:
    # "#0/1 rows.each"
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
    """All facts that one file yields by itself. symbols[0] is the module, spanning the file, or the
    component that the file is."""

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
