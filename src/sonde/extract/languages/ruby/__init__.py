"""Ruby: modules are part of names, calls define attributes, mixins are bases."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from sonde.extract.languages.ruby.macros import (
    defines,
    defining_word,
    named_by_call,
    refine_call,
)
from sonde.extract.languages.ruby.results import result
from sonde.extract.languages.ruby.specs import read_specs
from sonde.extract.languages.ruby.unnamed import BODIES, unnamed_base
from sonde.extract.languages.ruby.visibility import visibility
from sonde.extract.loops import UNTOLD
from sonde.extract.renamed import another_name
from sonde.extract.spec import Draft, LanguageSpec
from sonde.model import Import, Kind, Param, Reference, RefKind

if TYPE_CHECKING:
    from sonde.extract.spec import Node
    from sonde.extract.text_of import SourceText

_REQUIRES = frozenset({"require", "require_relative", "load", "autoload", "require_dependency"})
_TYPE_MAKERS = ("Struct.new", "Class.new", "Module.new", "Data.define")
_KEYWORD_CALLS = (
    "include extend prepend raise private protected public attr_reader attr_writer attr_accessor "
    "require require_relative module_function private_class_method private_constant"
)
_PARENT = re.compile(r"^Class\.new[ (]\s*((?:::)?[A-Z][\w:]*)")
_CONSTANT = re.compile(r"[A-Z]\w*(?:::\w+)*")
# mixins and raised types: what follows the word at the start of a statement
_MIXIN = re.compile(
    rb"^[ \t]*(?:include|extend|prepend)[ (]+([A-Z][\w:]*(?:\s*,\s*[A-Z][\w:]*)*)", re.MULTILINE
)
_MIXED_APART = re.compile(
    rb"^[ \t]*(?:::)?([A-Z]\w*(?:::[A-Z]\w*)*)\.(?:(?:public_send|__send__|send)[ (]+:)?"
    rb"(?:include|extend|prepend)(?:[ (]+|,[ ]*)([A-Z][\w:]*(?:\s*,\s*[A-Z][\w:]*)*)",
    re.MULTILINE,
)
_RAISE = re.compile(rb"^[^#\n\"']{0,200}?\braise[ (]+([A-Z][\w:]*)", re.MULTILINE)


def _grammar() -> object:
    import tree_sitter_ruby

    return tree_sitter_ruby.language()


def _definition_name(node: Node, source: SourceText) -> Node | None:
    if node.type == "call":
        return named_by_call(node, source)
    if node.type == "simple_symbol":
        return node if defines(node, source) else None
    return node.child_by_field_name("left" if node.type.endswith("assignment") else "name")


def _owner(node: Node, source: SourceText) -> str:
    # `def Foo.bar` at the left margin; inside the class it repeats what is known
    if node.type == "singleton_method" and node.start_point[1] == 0:
        owner = source.field(node, "object")
        return owner if owner[:1].isupper() else ""
    return ""


def _refine(draft: Draft, node: Node, source: SourceText) -> bool:
    kind = draft["kind"]
    if kind is Kind.PROPERTY:
        draft["signature"] = f"{defining_word(node, source)} :{draft['name']}"
        draft["visibility"] = visibility(node, draft["name"], source)
    elif node.type == "call":
        return refine_call(draft, node, source)
    elif kind in (Kind.CONSTANT, Kind.FIELD):
        right = source.field(node, "right")
        if kind is Kind.CONSTANT and right.startswith(_TYPE_MAKERS):
            draft["kind"] = Kind.CLASS
            draft["signature"] = draft["signature"].partition(" do")[0]
            draft["bases"] = tuple(_PARENT.findall(right)[:1])
        if kind is Kind.CONSTANT:
            draft["visibility"] = visibility(node, draft["name"], source)
        draft["returns"] = _made(right) or (another_name(right) if kind is Kind.CONSTANT else "")
        draft["signature"] = draft["signature"].removesuffix(" ||")  # `@x ||=` and a line break
    elif kind in (Kind.CLASS, Kind.NAMESPACE):
        # a comment before the body documents what follows it
        draft["signature"] = re.split(r" #|;", draft["signature"], maxsplit=1)[0]
        if node.child_by_field_name("body") is None:
            draft["signature"] = draft["signature"].removesuffix(" end")
        draft["bases"] = tuple(
            base for base in draft["bases"] if _CONSTANT.fullmatch(base.replace(".new", ""))
        )
    else:
        if base := unnamed_base(node, source):
            draft["kind"], draft["bases"] = Kind.METHOD, (base,)
        draft["static"] = node.type == "singleton_method" or _of_the_class(node, source)
        draft["visibility"] = visibility(node, draft["name"], source)
        draft["returns"] = result(node, source)
        draft["signature"] = draft["signature"].partition(";")[0]
        if node.child_by_field_name("body") is None:
            draft["signature"] = draft["signature"].removesuffix(" end")
        # "key: 1" is a keyword with its default, not with its type
        draft["params"] = tuple(Param(p.name, "", p.default or p.type) for p in draft["params"])
    return True


def _of_the_class(node: Node, source: SourceText) -> bool:
    """Whether a definition is in `class << self`, perhaps in a condition there."""
    if source.data.find(b"<<", 0, node.start_byte) < 0:
        return False  # most files: a parent is slow to find, the slower the deeper a node is
    around = node.parent
    while around is not None and around.type not in BODIES:
        around = around.parent
    return around is not None and around.type == "singleton_class"


def _made(right: str) -> str:
    """What the right-hand side creates: "Parser" for "Parser.new(x)", else "call()"."""
    head = re.split(r"[\s({]", right, maxsplit=1)[0]
    if head.endswith(".new"):
        return head.removesuffix(".new")
    return head + "()" if "(" in right and head.replace(".", "").isidentifier() else ""


def _imports(node: Node, source: SourceText) -> Iterable[Import]:
    method = source.field(node, "method")
    if method not in _REQUIRES:
        return
    path = source.field(node, "arguments").strip("()").rpartition(",")[2].strip().strip("'\"")
    if path and "#{" not in path:
        level = 1 if method == "require_relative" else 0
        alias = path.rpartition("/")[2].removesuffix(".rb")
        yield Import(path.removesuffix(".rb"), "", alias, level, source.line(node.start_byte))


def _more(node: Node, source: SourceText) -> Iterable[tuple[int, Reference]]:
    """Mixins as bases, also by a call from elsewhere, and raised types, of the whole file."""
    for pattern, kind in ((_MIXIN, RefKind.BASE), (_RAISE, RefKind.RAISE)):
        for match in pattern.finditer(source.data):
            if kind is RefKind.BASE and _of_unnamed(node, match.start(1), source):
                continue
            for text in match.group(1).decode("utf-8", "replace").split(","):
                receiver, _, name = text.strip().removesuffix("::new").rpartition("::")
                yield match.start(1), Reference(kind, name, receiver, 0, 0)
    for match in _MIXED_APART.finditer(source.data):
        owner = match.group(1).decode().replace("::", ".")
        for text in match.group(2).decode("utf-8", "replace").split(","):
            receiver, _, name = text.strip().rpartition("::")
            yield match.start(2), Reference(RefKind.BASE, name, receiver, 0, 0, owner)


def _of_unnamed(program: Node, at: int, source: SourceText) -> bool:
    """Whether what stands there is mixed into a type that no name leads to."""
    here = program.descendant_for_byte_range(at, at + 1)
    return here is not None and bool(unnamed_base(here, source))


def _binding(node: Node, source: SourceText) -> Iterable[tuple[str, str, bool]]:
    if node.type == "block_parameters":
        for each in node.named_children:
            if each.type == "identifier":
                yield source.of(each), UNTOLD, False
        return
    right = node.child_by_field_name("right")
    method = right.child_by_field_name("method") if right is not None else None
    if right is None or method is None:
        yield source.field(node, "left"), UNTOLD, True
        return
    callee = source.slice(right.start_byte, method.end_byte)
    name = source.field(node, "left")
    if callee.endswith(".new"):
        yield name, callee.removesuffix(".new"), False
    else:
        yield name, callee, True


SPEC = LanguageSpec(
    name="ruby",
    grammar=_grammar,
    heads="end",
    bases_fields=("superclass",),
    separators=("&.", "::", "."),
    ref_names={"call": "method"},
    constructors=frozenset({"initialize"}),
    self_names=frozenset({"self", "@"}),
    builtins=frozenset(_KEYWORD_CALLS.split()),
    bare_calls=True,
    free_names=True,
    comment_prefixes=("#", "=begin"),
    mixins="inside",
    imports=_imports,
    owner=_owner,
    definition_name=_definition_name,
    refine=_refine,
    stand_ins=read_specs,
    more_references=_more,
    binding=_binding,
)
