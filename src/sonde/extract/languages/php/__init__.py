"""PHP: namespaces with backslashes, variables with a dollar, traits as bases."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import takewhile
from typing import TYPE_CHECKING

from sonde.extract.languages.php.comments import (
    comment_before,
    told_parameters,
    told_type,
    told_variable,
)
from sonde.extract.loops import gone_over, member_of
from sonde.extract.spec import Draft, LanguageSpec, modifier_visibility
from sonde.extract.text_of import child_of
from sonde.model import TYPE_KINDS, Import, Kind

if TYPE_CHECKING:
    from sonde.extract.spec import Node
    from sonde.extract.text_of import SourceText

_WORDS = """
self static parent mixed void string int float bool array callable iterable object null never
isset unset empty count strlen is_array is_string is_null in_array array_map array_filter
array_merge array_keys array_values implode explode sprintf printf str_replace substr trim
"""
_CALLS = frozenset(
    {"member_call_expression", "nullsafe_member_call_expression", "scoped_call_expression"}
)
_MEMBERS = frozenset(
    {
        "member_access_expression",
        "nullsafe_member_access_expression",
        "class_constant_access_expression",
    }
)
_QUOTED = re.compile(r"[\"']([^\"'$]+)[\"']\s*\)?\s*$")


def _grammar() -> object:
    import tree_sitter_php

    return tree_sitter_php.language_php()


def _definition_name(node: Node, source: SourceText) -> Node | None:
    kind = node.type
    if kind == "assignment_expression":
        return node.child_by_field_name("left")
    if kind == "const_element":
        return node.named_children[0] if node.named_children else None
    if kind == "expression_statement":
        return _defined(node, source)
    name = node.child_by_field_name("name")
    if name is not None and name.type == "variable_name" and name.named_children:
        return name.named_children[0]  # without its dollar
    return name


def _defined(statement: Node, source: SourceText) -> Node | None:
    """The name in `define('NAME', …)`; None for other calls and for computed names."""
    call = child_of(statement, "(function_call_expression)")
    if call is None or source.field(call, "function").lower() != "define":
        return None
    text = child_of(call, "arguments")
    for wanted in ("(argument)", "(string encapsed_string)"):
        text = child_of(text, wanted) if text is not None else None
    parts = text.named_children if text is not None else []
    return parts[0] if len(parts) == 1 and parts[0].type == "string_content" else None


def _refine(draft: Draft, node: Node, source: SourceText) -> bool:
    kind = draft["kind"]
    if kind in TYPE_KINDS:
        draft["bases"] = tuple(_bases(node, source))
    elif kind is Kind.FUNCTION and node.type == "method_declaration":  # of an anonymous class
        made = draft["name"] == "__construct"
        draft["kind"] = Kind.CONSTRUCTOR if made else Kind.METHOD
        holder = node.parent.parent if node.parent is not None else None
        if holder is not None and not made:
            draft["bases"] = tuple(_bases(holder, source))
    elif node.type == "const_element" and node.parent is not None:
        start = node.parent.start_byte
        modifiers = source.slice(start, min(node.start_byte, start + 200)).partition("const")[0]
        draft["signature"] = f"{modifiers}const {draft['signature']}"
        draft["visibility"] = modifier_visibility("", modifiers)
    elif node.type == "expression_statement":
        draft["parent"], draft["qualname"] = 0, draft["name"]  # seen everywhere, as no `const` is
    elif kind is Kind.FIELD:
        right = node.child_by_field_name("right")
        if node.type == "property_element":
            before = _before_properties(node, source)
            draft["returns"] = source.field(node.parent, "type") if node.parent is not None else ""
            draft["signature"] = f"{before} {draft['signature']}".lstrip()
            draft["visibility"] = modifier_visibility("", before)
        elif right is None:
            draft["returns"] = source.field(node, "type")
        else:
            draft["returns"] = next((_made(t, c) for _, t, c in _value("", right, source)), "")
            draft["visibility"] = "private"
    if kind not in TYPE_KINDS and "@" in draft["doc"]:
        comment = comment_before(node.start_byte, source)
        draft["returns"] = told_type(draft["returns"], comment)
        draft["params"] = told_parameters(draft.get("params", ()), comment)
    draft["signature"] = draft["signature"].rstrip(";,")
    return True


def _before_properties(node: Node, source: SourceText) -> str:
    """Modifiers and type of a declaration, which stand before the first of its names."""
    children = node.parent.children if node.parent is not None else []
    parts = (each for each in children if each.type not in ("attribute_list", "comment"))
    before = takewhile(lambda each: each.type != "property_element", parts)
    return " ".join(map(source.of, before))


def _bases(node: Node, source: SourceText) -> Iterable[str]:
    for clause in node.named_children:
        if clause.type in ("base_clause", "class_interface_clause"):
            for base in clause.named_children:
                yield source.of(base).lstrip("\\")


def _imports(node: Node, source: SourceText) -> Iterable[Import]:
    line = source.line(node.start_byte)
    text = source.of(node)
    if not text.startswith("use"):
        if match := _QUOTED.search(text):
            yield Import(match.group(1).lstrip("/"), "*", "*", 1, line, True)
        return
    text = text[3:].strip(" ;\n").removeprefix("function ").removeprefix("const ")
    prefix, brace, listed = text.partition("{")
    for part in (listed if brace else text).rstrip("} ").split(","):
        words = part.removeprefix("function ").split()
        if not words:
            continue
        path = (prefix.strip() if brace else "") + words[0]
        module, _, name = path.strip("\\").rpartition("\\")
        alias = words[2] if len(words) == 3 else name
        yield Import(module.replace("\\", "."), name, alias, 0, line)


def _binding(node: Node, source: SourceText) -> Iterable[tuple[str, str, bool]]:
    if node.type == "assignment_expression":
        right = node.child_by_field_name("right")
        if right is not None:
            yield from _value(source.field(node, "left").lstrip("$"), right, source)
        return
    if node.type == "comment":  # `/** @var Row $row */`
        yield from told_variable(source.of(node))
        return
    if node.type == "foreach_statement":
        over, each = node.named_children[0], node.named_children[1]
        each = each.named_children[-1] if each.type == "pair" else each
        yield from gone_over(source.of(each).lstrip("&$"), source.of(over).lstrip("$"))
        return
    declared = source.field(node, "type").lstrip("?\\")
    yield source.field(node, "name").lstrip("$"), declared.partition("|")[0].strip(), False


def _value(name: str, value: Node, source: SourceText) -> Iterable[tuple[str, str, bool]]:
    """What an expression creates: an object of a class, or the result of a call."""
    if value.type == "object_creation_expression":
        if value.named_children and value.named_children[0].type in ("name", "qualified_name"):
            yield name, source.of(value.named_children[0]).lstrip("\\"), False
    elif value.type == "function_call_expression":
        yield name, source.field(value, "function"), True
    elif value.type in _MEMBERS:
        yield from member_of(name, source.of(value).replace("?->", "->").replace("::", "."))
    elif value.type == "clone_expression" and value.named_children[0].type == "variable_name":
        yield name, source.of(value.named_children[0]).replace("$", "="), True
    elif value.type in _CALLS:
        called = value.child_by_field_name("name")
        if called is not None:
            text = source.slice(value.start_byte, called.end_byte)
            yield name, text.lstrip("$").replace("?->", "->"), True


def _made(type_text: str, called: bool) -> str:
    return type_text + "()" if called else type_text


SPEC = LanguageSpec(
    name="php",
    grammar=_grammar,
    params_style="type_first",
    separators=("\\", "?->", "->", "::"),
    root="\\",
    ref_names={
        "member_call_expression": "name",
        "nullsafe_member_call_expression": "name",
        "scoped_call_expression": "name",
    },
    sigil="$",
    constructors=frozenset({"__construct"}),
    self_names=frozenset({"$this"}),
    builtins=frozenset(_WORDS.split()),
    free_names=True,
    package_types=("namespace_definition",),
    mixins="inside",
    visibility=modifier_visibility,
    imports=_imports,
    definition_name=_definition_name,
    refine=_refine,
    binding=_binding,
)
