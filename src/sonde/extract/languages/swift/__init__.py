"""Swift: extensions own members, conformance may be declared away from the type."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from sonde.extract.definitions import collapse, strip_generics
from sonde.extract.loops import gone_over, member_of
from sonde.extract.operators import swift_subscripts
from sonde.extract.params import read_params
from sonde.extract.spec import Draft, LanguageSpec
from sonde.extract.text_of import child_of
from sonde.model import CALLABLE_KINDS, TYPE_KINDS, Import, Kind, Reference, RefKind

if TYPE_CHECKING:
    from sonde.extract.spec import Node
    from sonde.extract.text_of import SourceText

_STANDARD = """
Int Int8 Int16 Int32 Int64 UInt UInt8 UInt16 UInt32 UInt64 Double Float Bool String Character
Void Any AnyObject Self Array Dictionary Set Optional Never print fatalError precondition assert
"""
_HEADER_LIMIT = 2000  # bytes of a header that are searched for parameters
_ATTRIBUTES = re.compile(r"^(?:@\w+(?:\([^\n]*\))?\s+)+")
# A diagnostic among members: the grammar takes it for a statement and loses the type around it.
_DIAGNOSTIC = re.compile(rb"^[ \t]*#(?:warning|error)\([^\n]*\)[ \t]*$", re.MULTILINE)
_FIELDS = frozenset({Kind.FIELD, Kind.VARIABLE, Kind.PROPERTY})

_CONDITIONAL = frozenset({"if_statement", "guard_statement", "while_statement"})
_ENDING = frozenset({"{", "else", "statements"})  # of the conditions


def _grammar() -> object:
    import tree_sitter_swift

    return tree_sitter_swift.language()


def _repair(data: bytes) -> bytes:
    return _DIAGNOSTIC.sub(lambda found: b" " * len(found[0]), data)


def _visibility(name: str, header: str) -> str:
    words = header.split()
    if "private" in words or "fileprivate" in words:
        return "private"
    return "public" if "public" in words or "open" in words else "internal"


def _scope_name(node: Node, source: SourceText) -> str:
    return strip_generics(source.field(node, "name"))


def _imports(node: Node, source: SourceText) -> Iterable[Import]:
    words = source.of(node).split()
    line = source.line(node.start_byte)
    module, _, name = words[-1].rpartition(".")
    # "import struct Lib.Name" takes one name, "import Lib" all of them
    if module and words[-2:-1] != ["import"]:
        yield Import(module, name, name, 0, line)
    else:
        yield Import(words[-1], "*", "*", 0, line)


def _refine(draft: Draft, node: Node, source: SourceText) -> bool:
    kind = draft["kind"]
    if kind not in TYPE_KINDS:
        head = draft["signature"].partition("(")[0].partition("=")[0].split()
        draft["static"] = "static" in head or "class" in head
    if draft["visibility"] == "internal" and not draft["signature"].startswith("internal"):
        draft["visibility"] = _holder_visibility(node, source)
    if node.type == "subscript_declaration":
        draft["signature"] = draft["signature"].partition("{")[0].rstrip()
        _read_header(draft, node, source)
        params = draft["params"]  # has labels only where they are written apart from names
        draft["params"] = tuple(p if p.mark else p._replace(mark="_") for p in params)
    elif kind is Kind.MACRO:
        head = source.slice(node.start_byte, min(node.end_byte, node.start_byte + _HEADER_LIMIT))
        draft["signature"] = collapse(_ATTRIBUTES.sub("", head).partition(" = ")[0], 300)
    elif kind in CALLABLE_KINDS:
        _read_header(draft, node, source)
    elif kind in _FIELDS:
        declared = child_of(node, "(type_annotation)")
        draft["returns"] = (
            source.of(declared).lstrip(": ") if declared is not None else _made(node, source)
        )
        if node.child_by_field_name("computed_value") or node.type.startswith("protocol_"):
            draft["kind"] = Kind.PROPERTY if kind is Kind.FIELD else kind
            draft["signature"] = draft["signature"].partition("{")[0].rstrip()
        if " " in draft["name"]:  # a protocol's pattern includes "var"
            draft["qualname"] = draft["qualname"].replace(draft["name"], draft["name"].split()[-1])
            draft["name"] = draft["name"].split()[-1]
    elif kind in TYPE_KINDS:
        draft["bases"] = tuple(
            strip_generics(source.of(child))
            for child in node.named_children
            if child.type == "inheritance_specifier"
        )
    return True


def _holder_visibility(node: Node, source: SourceText) -> str:
    """What an extension, a protocol or the cases of an enumeration say for their members."""
    holder = node.parent.parent if node.parent is not None else None
    if holder is None or holder.type not in ("class_declaration", "protocol_declaration"):
        return "internal"
    is_class = holder.type == "class_declaration" and node.type != "enum_entry"
    if is_class and source.field(holder, "declaration_kind") != "extension":
        return "internal"
    return _visibility("", source.field(holder, "(modifiers)"))


def _read_header(draft: Draft, node: Node, source: SourceText) -> None:
    """Parameters and result, for which the grammar has no fields."""
    name = child_of(node, "(subscript)") or node.child_by_field_name("name")
    body = node.child_by_field_name("body") or child_of(node, "(computed_property)")
    if name is None:
        return
    end = body.start_byte if body is not None else node.end_byte
    header = source.slice(name.end_byte, min(end, name.end_byte + _HEADER_LIMIT))
    start = header.find("(")
    depth = 0
    for at in range(start, len(header)) if start >= 0 else ():
        depth += (header[at] == "(") - (header[at] == ")")
        if depth == 0:
            draft["params"] = read_params(header[start : at + 1], "colon")
            result = header[at + 1 :].partition("->")[2]
            draft["returns"] = collapse(re.split(r"\bwhere\b", result, maxsplit=1)[0], 120)
            return


def _made(node: Node, source: SourceText) -> str:
    value = node.child_by_field_name("value")
    if value is None or value.type != "call_expression" or not value.named_children:
        return ""
    callee = value.named_children[0]
    return "" if callee.type == "lambda_literal" else source.of(callee) + "()"


def _more(node: Node, source: SourceText) -> Iterable[tuple[int, Reference]]:
    """An extension's conformance is a base of the type it extends; brackets run a subscript."""
    if node.type == "call_expression":
        yield from swift_subscripts(node, source)
        return
    extension = node.parent
    if extension is not None:
        owner = _scope_name(extension, source)
        name = strip_generics(source.of(node)).rpartition(".")[2]
        yield node.start_byte, Reference(RefKind.BASE, name, owner, 0, 0)


def _binding(node: Node, source: SourceText) -> Iterable[tuple[str, str, bool]]:
    if node.type == "for_statement":
        yield from gone_over(source.field(node, "item"), source.field(node, "collection"))
        return
    if node.type in _CONDITIONAL:
        yield from _conditions(node, source)
        return
    name = source.field(node, "name")
    declared = child_of(node, "(type_annotation)")
    value = node.child_by_field_name("value")
    if declared is not None:
        yield name, _annotated(declared, source), False
    elif value is not None:
        yield from _held(name, value, source)


def _conditions(node: Node, source: SourceText) -> Iterable[tuple[str, str, bool]]:
    """What `if let row = rows.first, let cell = row.cell` binds."""
    name = ""
    valued = False
    for child in node.children:
        if child.type in _ENDING:
            break
        if child.type == "simple_identifier" and not name:
            name = source.of(child)
        elif child.type == "value_binding_pattern":
            name, valued = "", False
        elif name and child.type == "type_annotation":
            yield name, _annotated(child, source), False
            name = "_"
        elif child.type == "=":
            valued = True
        elif name and valued:
            yield from _held(name, child, source)
            name, valued = "_", False


def _annotated(annotation: Node, source: SourceText) -> str:
    return source.of(annotation).lstrip(": ").rstrip("?!")


def _held(name: str, value: Node | None, source: SourceText) -> Iterable[tuple[str, str, bool]]:
    """What a variable is given: the result of a call, a member, another variable or a cast."""
    for _ in range(3):  # try, await
        if value is not None and value.type in ("try_expression", "await_expression"):
            value = value.child_by_field_name("expr")
    if value is None or not value.named_children:
        if value is not None and value.type == "simple_identifier":
            yield name, f"={source.of(value)}", True
    elif value.type == "call_expression":
        text = source.of(value)
        if text[-1] == "]":
            yield from member_of(name, text)
        else:
            yield name, strip_generics(source.of(value.named_children[0])), True
    elif value.type == "navigation_expression":
        yield from member_of(name, source.of(value))
    elif value.type == "as_expression":
        yield name, source.field(value, "name"), False


SPEC = LanguageSpec(
    name="swift",
    grammar=_grammar,
    name_fields={
        "deinit_declaration": "(deinit)",
        "macro_declaration": "(simple_identifier)",
        "subscript_declaration": "(subscript)",
    },
    separators=("?.", "!.", "."),
    constructors=frozenset({"init"}),
    overloads=True,
    self_names=frozenset({"self"}),
    builtins=frozenset(_STANDARD.split()),
    mixins="apart",
    visibility=_visibility,
    imports=_imports,
    scope_name=_scope_name,
    refine=_refine,
    repair=_repair,
    more_references=_more,
    block_scoped=True,
    binding=_binding,
)
