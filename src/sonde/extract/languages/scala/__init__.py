"""Scala: fields in constructor lists, objects and traits, several import selectors per line."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from sonde.extract.definitions import strip_generics
from sonde.extract.loops import gone_over
from sonde.extract.operators import scala_operators
from sonde.extract.params import read_params
from sonde.extract.spec import Draft, LanguageSpec, modifier_visibility
from sonde.extract.text_of import child_of
from sonde.model import Import, Kind, Param

if TYPE_CHECKING:
    from sonde.extract.spec import Node
    from sonde.extract.text_of import SourceText

_BUILTINS = frozenset(
    {"Any", "AnyRef", "AnyVal", "Boolean", "Byte", "Char", "Double", "Float", "Int", "Long"}
    | {"Nothing", "Null", "Short", "String", "Unit"}
)
_TYPES = frozenset({"type_identifier", "stable_type_identifier", "generic_type"})
_PACKAGE_PRIVATE = re.compile(r"\bprivate\[(?!this\])")
_WILDCARDS = ("_", "*", "given")


def _grammar() -> object:
    import tree_sitter_scala

    return tree_sitter_scala.language()


def _visibility(name: str, header: str) -> str:
    """Visibility from modifiers; `private[db]` is seen in all of that package."""
    return "internal" if _PACKAGE_PRIVATE.search(header) else modifier_visibility(name, header)


def _imports(node: Node, source: SourceText) -> Iterable[Import]:
    line = source.line(node.start_byte)
    for clause in _clauses(source.of(node).removeprefix("import")):
        path, _, selectors = clause.partition("{")
        if not selectors:
            module, _, name = path.strip().rpartition(".")
            yield _import(module, name, line)
            continue
        module = path.strip().rstrip(".")
        for selector in selectors.rstrip("} \n").split(","):
            if selector.strip():
                yield _import(module, selector, line)


def _clauses(text: str) -> Iterable[str]:
    """The parts of "a.b, c.{d, e}"."""
    start = depth = 0
    for at, char in enumerate(text):
        depth += (char == "{") - (char == "}")
        if char == "," and depth == 0:
            yield text[start:at]
            start = at + 1
    yield text[start:]


def _import(module: str, selector: str, line: int) -> Import:
    name, _, alias = selector.replace("=>", " as ").strip().partition(" as ")
    name = "*" if name.strip() in _WILDCARDS else name.strip()
    return Import(module, name, alias.strip() or name, 0, line)


def _extended(node: Node, source: SourceText) -> str:
    parameters = read_params(source.field(node, "parameters"), "colon")
    return strip_generics(parameters[0].type) if parameters else ""


def _refine(draft: Draft, node: Node, source: SourceText) -> bool:
    kind = draft["kind"]
    body = node.parent if draft["parent"] else None
    holder = body.parent if body is not None else None
    draft["static"] = node.type == "object_definition" or (
        holder is not None and holder.type == "object_definition"
    )
    if node.type == "class_parameter":
        words = draft["signature"].partition(":")[0].split()
        holder = node.parent.parent if node.parent is not None else None
        if not {"val", "var"} & set(words) and not _is_case_class(holder, source):
            return False
    if kind in (Kind.FIELD, Kind.VARIABLE):
        draft["returns"] = source.field(node, "type") or _made_by(node, source)
        if kind is Kind.VARIABLE and draft["name"].isupper():
            draft["kind"] = Kind.CONSTANT
    elif node.type in ("function_definition", "function_declaration"):
        draft["params"] = _all_params(node, "parameters", source)
        if draft["name"] == "this":
            draft["kind"] = Kind.CONSTRUCTOR
        elif holder is not None and holder.type == "instance_expression":
            draft["bases"] = _made_on_the_spot(holder, source)
    else:
        draft["params"] = _all_params(node, "class_parameters", source)
        draft["bases"] = _bases(node, source)
    return True


def _is_case_class(node: Node | None, source: SourceText) -> bool:
    return (
        node is not None
        and "case" in source.slice(node.start_byte, node.end_byte)[:120].split("class", 1)[0]
    )


def _all_params(node: Node, field_name: str, source: SourceText) -> tuple[Param, ...]:
    """Parameters from every list; the grammar uses the same field for type parameters."""
    lists = node.children_by_field_name(field_name)
    texts = [source.of(child) for child in lists if child.type != "type_parameters"]
    first, *later = texts or [""]
    rest = (param for text in later for param in read_params(text, "colon"))
    # the arguments of the first list distinguish overloads
    return (*read_params(first, "colon"), *(param._replace(mark="?") for param in rest))


def _bases(node: Node, source: SourceText) -> tuple[str, ...]:
    clause = node.child_by_field_name("extend")
    if clause is None:
        return ()
    types = (child for child in clause.named_children if child.type in _TYPES)
    return tuple(strip_generics(source.of(child)) for child in types)


def _made_on_the_spot(node: Node, source: SourceText) -> tuple[str, ...]:
    """What `new Row(1) with Key { … }` inherits from."""
    text = source.slice(node.start_byte, node.end_byte).partition("{")[0].removeprefix("new")
    parts = (part.partition("(")[0].strip() for part in strip_generics(text).split(" with "))
    return tuple(part for part in parts if part.replace(".", "").isidentifier())


def _made_by(node: Node, source: SourceText) -> str:
    """The function or class whose call produced a value; "" if it is not a call."""
    value = node.child_by_field_name("value")
    if value is None:
        return ""
    if value.type == "instance_expression":
        made = child_of(value, "(type_identifier stable_type_identifier generic_type)")
        return strip_generics(source.of(made)) + "()" if made is not None else ""
    callee = strip_generics(source.field(value, "function"))
    return f"{callee}()" if callee and len(callee) <= 120 else ""


def _binding(node: Node, source: SourceText) -> Iterable[tuple[str, str, bool]]:
    if node.type == "enumerator":
        if "<-" in source.of(node):
            yield from gone_over(*map(source.of, node.named_children[:2]))
        return
    name, declared = source.field(node, "pattern"), source.field(node, "type")
    if declared:
        yield name, declared, False
    else:
        yield name, _made_by(node, source).removesuffix("()"), True


def _end(node: Node) -> int:
    """Where the last token stands: an indented block goes on to what follows its comments."""
    at, end = node, node.end_byte
    while at.child_count:
        last = at.child_count - 1
        while last > 0 and (each := at.child(last)) is not None and _is_aside(each):
            last -= 1
        child = at.child(last)
        if child is None or _is_aside(child):
            break
        at, end = child, child.end_byte
    return end


def _is_aside(node: Node) -> bool:
    return node.type in ("comment", "block_comment") or node.start_byte == node.end_byte


SPEC = LanguageSpec(
    name="scala",
    ends=_end,
    grammar=_grammar,
    name_fields={
        "val_definition": "pattern",
        "var_definition": "pattern",
        "identifiers": "(identifier)",
        "val_declaration": "name",
        "var_declaration": "name",
        "tuple_pattern": "(identifier)",
    },
    overloads=True,
    self_names=frozenset({"this"}),
    builtins=_BUILTINS,
    package_types=("package_clause",),
    visibility=_visibility,
    imports=_imports,
    scope_name=_extended,
    refine=_refine,
    block_scoped=True,
    more_references=scala_operators,
    binding=_binding,
)
