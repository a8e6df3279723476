"""What the extractor must know about a language: its grammar, queries and conventions.

A language is a folder under `languages/` with `__init__.py` that defines `SPEC`
and a `tags.scm` whose patterns each carry exactly one capture:

    @def.<kind>     a definition; its name is the field named in `name_fields` (default "name");
                    a field with several children (declarators) makes a definition of each
    @scope          a block that owns definitions without being one (impl, namespace, extension)
    @ref.<kind>     the node that names what is used: call, type, base, raise, field, name;
                    or one listed in `ref_names`, whose text up to that field is the receiver
    @ref.qualified_type  a type with its qualifier, when @ref.type captures its parts too
    @decorator      a decorator, annotation or attribute
    @import         a statement handed to `spec.imports`
    @bind           an assignment or declaration that tells a variable's type
    @doc            a string that documents the innermost definition around it

A base that is declared away from its type (Rust `impl Trait for Type`, Swift
extensions) is a BASE reference whose receiver is the type's name.

Where a spec names a field, "(a b)" means the first child of type a or b, and ""
the node itself: some grammars have no field there.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from sonde.model import Binding, Import, Kind, Reference

if TYPE_CHECKING:
    import tree_sitter

    from sonde.extract.markup import Hosted
    from sonde.extract.spans import Captures
    from sonde.extract.text_of import SourceText

    Node = tree_sitter.Node

Draft = dict[str, Any]  # the keyword arguments of a Symbol while it is being built


def _no_imports(node: Node, source: SourceText) -> Iterable[Import]:
    return ()


def _no_scope(node: Node, source: SourceText) -> str:
    return ""


def _public(name: str, header: str) -> str:
    return "public"


def modifier_visibility(name: str, header: str) -> str:
    """Visibility from the modifier words written before the name."""
    words = header.split()
    for word in ("private", "protected", "internal"):
        if word in words or any(part.startswith((word + "(", word + "[")) for part in words):
            return word
    return "public"


class StandIns(Protocol):
    """Names that stand for an expression within a part of a file."""

    words: frozenset[str]  # the vocabulary of such files: never calls into the project

    def meant(self, byte: int, receiver: str) -> str:
        """A receiver, its first name replaced by the expression it stands for at a position."""


@dataclass(frozen=True, slots=True)
class LanguageSpec:
    """Everything that is specific to one language."""

    name: str
    grammar: Callable[[], object]  # returns the capsule of the grammar wheel
    queries: tuple[str, ...] = ("tags.scm",)  # files, relative to the language's folder
    params_style: str = "colon"  # colon: "a: T = 1"; type_first: "T a = 1"; go: "a, b T"
    params_field: str = "parameters"
    returns_field: str = "return_type"
    body_field: str = "body"
    bases_fields: tuple[str, ...] = ()
    name_fields: Mapping[str, str] = field(default_factory=dict)  # node type → field of the name
    # node type → field holding the function or class that a definition names: "f = () => 1"
    value_fields: Mapping[str, str] = field(default_factory=dict)
    separators: tuple[str, ...] = (".",)  # between receiver and name
    root: str = ""  # prefix of a name that is looked up outside all namespaces and types
    ref_names: Mapping[str, str] = field(default_factory=dict)  # captured use → field of the name
    constructors: frozenset[str] = frozenset()
    constructor_named_as_type: bool = False
    arities: bool = False  # type parameters, by their number, tell definitions of one name apart
    overloads: bool = False  # a name may have several definitions, distinguished by arguments
    self_names: frozenset[str] = frozenset({"self", "this"})
    builtins: frozenset[str] = frozenset()  # types and functions of the language: never references
    # bytes as the grammar is to read them, for syntax that it does not know: same length
    respell: Callable[[bytes], bytes] | None = None
    # replacement for bytes with syntax errors: same length, nothing moved
    repair: Callable[[bytes], bytes] | None = None
    # what is repaired too as the grammar takes it for something else, without a syntax error
    misread: re.Pattern[bytes] | None = None
    # the code in a file of markup, which the spec of its language reads
    host: Callable[[bytes], Hosted] | None = None
    # name of the spec that reads a file instead of this one; "" for none
    dialect: Callable[[bytes], str] | None = None
    # what heads look like: "keyword" before the name, "end" after the body, "typed", "bare"
    heads: str = "keyword"
    wrappers: frozenset[str] = frozenset()  # parents that begin a definition (C++ templates)
    sigil: str = ""  # prefix of variables that parameter names omit (PHP's dollar)
    prototypes: frozenset[str] = frozenset()  # node types that declare what a body may define
    # where a base may be declared outside the head of its type: "inside" the type's body, or
    # "apart" from it, with the type's name as the receiver of the reference
    mixins: str = ""
    block_scoped: bool = False  # a variable lives up to the end of the block that declares it
    # beginnings of decorators inside of which nothing is called: `#[cfg(not(test))]`
    inert_decorators: re.Pattern[bytes] | None = None
    bare_calls: bool = False  # a method's name alone calls it (Ruby)
    # a bare name that is not a @local is defined somewhere (Ruby's methods, PHP's constants)
    free_names: bool = False
    # longest first; a comment right above a definition is its doc
    comment_prefixes: tuple[str, ...] = ("///", "//!", "/**", "/*!", "//", "/*")
    package_types: tuple[str, ...] = ()  # node types, children of the root, declaring the package
    package: Callable[[SourceText], str] | None = None  # if no single node declares it
    visibility: Callable[[str, str], str] = _public
    imports: Callable[[Node, SourceText], Iterable[Import]] = _no_imports
    # name a @scope gives to what it owns; "" makes it transparent (namespaces)
    scope_name: Callable[[Node, SourceText], str] = _no_scope
    # type that owns a definition written outside it (Go receivers); "" for none
    owner: Callable[[Node, SourceText], str] = _no_scope
    # name of a definition if no single field holds it (C declarators)
    definition_name: Callable[[Node, SourceText], Node | None] | None = None
    # last word on a draft symbol: change fields in place, return False to drop it
    refine: Callable[[Draft, Node, SourceText], bool] | None = None
    # end of a definition whose node extends into what follows
    ends: Callable[[Node], int] | None = None
    # start of a use that follows a dot or colon outside its node (tokens in Rust macros)
    begins: Callable[[bytes, int], int] | None = None
    # what names at the start of receivers stand for, by position (RSpec)
    stand_ins: Callable[[Captures, SourceText], StandIns | None] | None = None
    # references and bindings that one capture cannot express
    more_references: Callable[[Node, SourceText], Iterable[tuple[int, Reference]]] | None = None
    binding: Callable[[Node, SourceText], Iterable[tuple[str, str, bool]]] | None = None


KINDS: dict[str, Kind] = {kind.name.lower(): kind for kind in Kind}

_ALIASES = {"tsx": "typescript"}  # same spec module, other grammar


@cache
def load_spec(language: str) -> LanguageSpec | None:
    """The spec of a language; None if it has no folder."""
    folder = _ALIASES.get(language, language)
    try:
        module = importlib.import_module(f"sonde.extract.languages.{folder}")
    except ModuleNotFoundError:
        return None
    spec: LanguageSpec = getattr(module, "SPECS", {}).get(language) or module.SPEC
    return spec


@cache
def load_query(language: str) -> tuple[tree_sitter.Parser, tree_sitter.Query]:
    """Parser and compiled query of a language that has a spec."""
    import tree_sitter

    spec = load_spec(language)
    assert spec is not None
    grammar = tree_sitter.Language(spec.grammar())
    folder = Path(__file__).parent / "languages" / _ALIASES.get(language, language)
    text = "".join((folder / name).read_text("utf-8") for name in spec.queries)
    return tree_sitter.Parser(grammar), tree_sitter.Query(grammar, text)


__all__ = ["KINDS", "Binding", "Draft", "LanguageSpec", "load_query", "load_spec"]
