"""C#: namespaces stay out of names, extension methods belong to the type they extend."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from sonde.extract.definitions import strip_generics
from sonde.extract.loops import gone_over, member_of
from sonde.extract.operators import csharp_operators
from sonde.extract.params import read_params
from sonde.extract.spec import Draft, LanguageSpec
from sonde.extract.text_of import child_of
from sonde.model import TYPE_KINDS, Import, Kind, Param

if TYPE_CHECKING:
    from sonde.extract.spec import Node
    from sonde.extract.text_of import SourceText

_OTHER_BRANCH = re.compile(
    rb"^[ \t]*#[ \t]*el(?:se|if)\b(?:(?!^[ \t]*#[ \t]*(?:if|endif)\b).*\n)*", re.MULTILINE
)
_DIRECTIVE = re.compile(rb"^[ \t]*#[ \t]*(?:if|endif)\b.*", re.MULTILINE)
# `extension(Row row) { … }`: to the grammar a constructor with functions in it
_EXTENSION = re.compile(
    rb"^([ \t]*)extension(?=\s*(?:<[^<>\n]*>\s*)?\([^()\n]+\)[^;{}()]*\{)", re.MULTILINE
)
# a variable of that name, as no modifier comes before these: to the grammar a lambda's beginning
_ASYNC = re.compile(rb"\basync(?=\s*[,;:.?=&|!)\]}])")
# `$@"say ""{word}"""`: quotes right behind a hole; to the grammar the first of them ends the text
_VERBATIM = re.compile(
    rb"""(?:\$@|@\$)"(?:[^"{}]++|""|\{\{|\}\}|\{[^{}"]*+(?:"(?:[^"\\\n]|\\.)*+"[^{}"]*+)*+\})*+\""""
)
_BEHIND_HOLE = re.compile(rb'(?<=\})(?:"")+(?=")')
_MOST_CHOICES = 8  # in one another
_AS_CLASS = b"class Ext"  # as long as the word, and may have parameters too
_AS_NAME = b"asynC"
_NOT_NEWLINE = re.compile(rb"[^\r\n]")
_UNNAMED = {  # what comes before the text that the grammar returns as the name
    "destructor_declaration": "~",
    "operator_declaration": "operator ",
    "conversion_operator_declaration": "operator ",
}


def _grammar() -> object:
    import tree_sitter_c_sharp

    return tree_sitter_c_sharp.language()


def _visibility(name: str, header: str) -> str:
    words = header.split()
    return next(
        (w for w in ("public", "protected", "internal", "private") if w in words), "private"
    )


def _imports(node: Node, source: SourceText) -> Iterable[Import]:
    line = source.line(node.start_byte)
    alias = source.field(node, "name")
    path = node.named_children[-1] if node.named_children else None
    if path is None:
        return
    text = strip_generics(source.of(path)).replace("::", ".").removeprefix("global.")
    if alias:
        module, _, name = text.rpartition(".")
        yield Import(module, name, alias, 0, line)
    else:
        yield Import(text, "*", "*", 0, line)


def _refine(draft: Draft, node: Node, source: SourceText) -> bool:
    kind = draft["kind"]
    if kind is Kind.CLASS and _extended(node, source) is not None:
        return False  # its members are those of the class around it
    draft["signature"] = draft["signature"].lstrip("] ")
    if (prefix := _UNNAMED.get(node.type)) is not None:
        draft["qualname"] = (
            f"{draft['qualname'].removesuffix(draft['name'])}{prefix}{draft['name']}"
        )
        draft["name"] = prefix + draft["name"]
        draft["returns"] = source.field(node, "type")
    if kind is Kind.FUNCTION:
        draft["returns"] = source.field(node, "type")
    elif kind in (Kind.PROPERTY, Kind.FIELD):
        declared = source.field(node, "type")
        if not declared and (variable := child_of(node, "(variable_declaration)")) is not None:
            declared = source.field(variable, "type")
        draft["returns"] = declared
        if kind is Kind.FIELD and "const" in draft["signature"].partition("=")[0].split():
            draft["kind"] = Kind.CONSTANT
    elif kind in (Kind.CLASS, Kind.STRUCT):
        taken = source.field(node, "(parameter_list)")  # of the primary constructor
        draft["params"] = read_params(taken, "type_first") if taken else ()
        head = draft["signature"].partition("(")[0].split()
        if node.type == "record_declaration" and "struct" in head:
            draft["kind"] = Kind.STRUCT
    elif kind is Kind.METHOD:
        parameters = source.field(node, "parameters")
        if parameters[1:].lstrip().startswith("this ") and draft["params"]:
            draft["owner"] = strip_generics(draft["params"][0].type)
    holder = node.parent.parent if node.parent is not None else None
    extended = _extended(holder, source) if holder is not None else None
    if extended is not None:
        draft["owner"] = strip_generics(extended.type)
        if "static" not in draft["signature"].partition("(")[0].split():
            draft["params"] = (extended, *draft["params"])
    if draft["visibility"] == "private":
        draft["visibility"] = _unmarked_visibility(draft, node)
    return True


def _extended(node: Node, source: SourceText) -> Param | None:
    """What the members of an extension block are given as their receiver."""
    if node.type != "class_declaration" or not source.data.startswith(b"ext", node.start_byte):
        return None
    given = read_params(source.field(node, "(parameter_list)"), "type_first")
    return given[0] if given else None


def _unmarked_visibility(draft: Draft, node: Node) -> str:
    if "private" in draft["signature"].split():
        return "private"
    if draft["kind"] in TYPE_KINDS and not draft["parent"]:
        return "internal"
    body = node.parent
    holder = body.parent if body is not None else None
    if node.type in ("enum_member_declaration", "parameter") or (
        holder is not None and holder.type == "interface_declaration"
    ):
        return "public"
    if child_of(node, "(explicit_interface_specifier)") is not None:
        return "public"  # through the interface
    return "private"


def _binding(node: Node, source: SourceText) -> Iterable[tuple[str, str, bool]]:
    declared = source.field(node, "type").rstrip("?")
    if declared == "var" and node.type == "foreach_statement":
        yield from gone_over(source.field(node, "left"), source.field(node, "right"))
        return
    if node.type != "variable_declaration":
        yield source.field(node, "name") or source.field(node, "left"), declared, False
        return
    for declarator in node.named_children:
        if declarator.type != "variable_declarator":
            continue
        name = source.field(declarator, "name")
        if declared != "var":
            yield name, declared, False
        elif declarator.named_child_count > 1:
            yield from _held(name, _certain(declarator.named_children[-1]), source)


def _held(name: str, value: Node, source: SourceText) -> Iterable[tuple[str, str, bool]]:
    """What a variable without a declared type holds."""
    if value.type in ("member_access_expression", "element_access_expression"):
        yield from member_of(name, source.of(value))
    elif value.type in ("object_creation_expression", "cast_expression"):
        yield name, source.field(value, "type"), False
    elif value.type == "as_expression":
        yield name, source.field(value, "right"), False
    elif value.type == "identifier":
        yield name, f"={source.of(value)}", True
    else:
        yield name, _callee(value, source), True


def _certain(value: Node) -> Node:
    """The part of an expression that has its type: of a choice the first that is not null."""
    for _ in range(_MOST_CHOICES):
        part = None
        if value.type == "conditional_expression":
            part = value.child_by_field_name("consequence")
            if part is not None and part.type == "null_literal":
                part = value.child_by_field_name("alternative")
        elif value.type == "parenthesized_expression" and value.named_children:
            part = value.named_children[0]
        elif value.type == "postfix_unary_expression" and value.children[-1].type == "!":
            part = value.named_children[0]  # `Find()!`: surely not null
        if part is None:
            break
        value = part
    return value


def _callee(value: Node, source: SourceText) -> str:
    """What is called, with its type arguments, and as many blanks as it is given arguments: only
    both tell which overload's result it is."""
    if value.type == "await_expression" and value.named_children:
        value = value.named_children[-1]
    called = source.field(value, "function")
    given = value.child_by_field_name("arguments")
    blanks = ["_" for each in given.named_children if each.type == "argument"] if given else []
    return f"{called}({','.join(blanks)})" if called and blanks else called


def _respell(data: bytes) -> bytes:
    if b'}"""' in data:
        data = _VERBATIM.sub(lambda text: _BEHIND_HOLE.sub(_blank, text.group()), data)
    return _ASYNC.sub(_AS_NAME, _EXTENSION.sub(rb"\1" + _AS_CLASS, data))


def _repair(data: bytes) -> bytes:
    """Directives inside a declaration break it: keep the first branch and blank the rest."""
    return _DIRECTIVE.sub(_blank, _OTHER_BRANCH.sub(_blank, data))


def _blank(match: re.Match[bytes]) -> bytes:
    return _NOT_NEWLINE.sub(b" ", match.group())


SPEC = LanguageSpec(
    name="csharp",
    grammar=_grammar,
    heads="typed",
    params_style="type_first",
    returns_field="returns",
    body_field="(block declaration_list enum_member_declaration_list accessor_list "
    "arrow_expression_clause)",
    bases_fields=("(base_list)",),
    name_fields={
        "field_declaration": "(variable_declaration)",
        "event_field_declaration": "(variable_declaration)",
        "variable_declaration": "(variable_declarator)",
        "variable_declarator": "name",
        "operator_declaration": "operator",
        "conversion_operator_declaration": "type",
        "indexer_declaration": "(this)",
    },
    overloads=True,
    arities=True,
    self_names=frozenset({"this"}),
    builtins=frozenset({"nameof", "var"}),
    package_types=("namespace_declaration", "file_scoped_namespace_declaration"),
    visibility=_visibility,
    imports=_imports,
    refine=_refine,
    respell=_respell,
    repair=_repair,
    block_scoped=True,
    more_references=csharp_operators,
    binding=_binding,
)
