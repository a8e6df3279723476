"""Java: members only inside types, several names per declaration, packages, static imports."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from sonde.extract.definitions import strip_generics
from sonde.extract.languages.java.lombok import accessors
from sonde.extract.loops import gone_over, member_of
from sonde.extract.spec import Draft, LanguageSpec
from sonde.model import Import, Kind, Reference, RefKind

if TYPE_CHECKING:
    from sonde.extract.spec import Node
    from sonde.extract.text_of import SourceText

_BUILTINS = frozenset(
    {"var", "String", "Object", "Integer", "Long", "Short", "Byte", "Double", "Float"}
    | {"Boolean", "Character", "Void"}
)
_PUBLIC_BODIES = frozenset({"interface_body", "annotation_type_body", "enum_body"})


def _grammar() -> object:
    import tree_sitter_java

    return tree_sitter_java.language()


def _visibility(name: str, header: str) -> str:
    words = header.split()
    return next((w for w in ("public", "private", "protected") if w in words), "internal")


def _imports(node: Node, source: SourceText) -> Iterable[Import]:
    line = source.line(node.start_byte)
    path = next((c for c in node.named_children if c.type.endswith("identifier")), None)
    if path is None:
        return
    text = source.of(path)
    if any(child.type == "asterisk" for child in node.named_children):
        yield Import(text, "*", "*", 0, line)
    else:
        module, _, name = text.rpartition(".")
        yield Import(module, name, name, 0, line)
        if module.startswith("lombok.extern"):  # the field that the annotation adds
            yield Import(module, name, "log", 0, line)


def _refine(draft: Draft, node: Node, source: SourceText) -> bool:
    kind = draft["kind"]
    if node.type == "method_declaration":
        draft["kind"] = Kind.METHOD
        draft["bases"] = _made_on_the_spot(node, source)
        around = node.parent
        if around is not None and around.type == "interface_body":
            draft["declared"] = node.child_by_field_name("body") is None
    elif kind is Kind.FIELD:
        draft["returns"] = source.field(node, "type")
        words = draft["signature"].partition("=")[0].split()
        if node.type == "constant_declaration" or ("static" in words and "final" in words):
            draft["kind"] = Kind.CONSTANT
        else:
            draft["bases"] = accessors(draft, node, source)
    if draft["visibility"] == "internal" and (
        node.type in ("enum_constant", "constant_declaration", "formal_parameter")
        or (node.parent is not None and node.parent.type in _PUBLIC_BODIES)
    ):
        draft["visibility"] = "public"
    elif kind is Kind.CONSTRUCTOR and draft["visibility"] == "internal" and _of_enum(node):
        draft["visibility"] = "private"
    return True


def _of_enum(node: Node) -> bool:
    return node.parent is not None and node.parent.type == "enum_body_declarations"


def _made_on_the_spot(method: Node, source: SourceText) -> tuple[str, ...]:
    """The base of the anonymous class that has this method."""
    body = method.parent
    made = body.parent if body is not None else None
    if made is None or made.type != "object_creation_expression":
        return ()
    return (strip_generics(source.field(made, "type")),)


def _method_reference(node: Node, source: SourceText) -> Iterable[tuple[int, Reference]]:
    receiver, _, name = source.of(node).rpartition("::")
    if name == "new":
        receiver, name = "", strip_generics(receiver)
    yield node.start_byte, Reference(RefKind.CALL, name.strip(), receiver.strip(), 0, 0)


def _binding(node: Node, source: SourceText) -> Iterable[tuple[str, str, bool]]:
    declared = source.field(node, "type") or source.field(node, "right")
    if declared == "var" and node.type == "enhanced_for_statement":
        yield from gone_over(source.field(node, "name"), source.field(node, "value"))
        return
    for declarator in node.children_by_field_name("declarator") or [node]:
        name = source.field(declarator, "name")
        if declared != "var":
            yield name, declared or source.field(node, "(catch_type)"), False
            continue
        value = declarator.child_by_field_name("value")
        if value is None:
            continue
        if value.type == "object_creation_expression":
            yield name, *_made(source.field(value, "type"))
        elif value.type == "method_invocation":
            called = value.child_by_field_name("name")
            if called is not None:
                yield name, source.slice(value.start_byte, called.end_byte), True
        elif value.type in ("field_access", "array_access"):
            yield from member_of(name, source.of(value))


def _made(type_text: str) -> tuple[str, bool]:
    """What `new` creates: a type with its type arguments, or the call of its constructor."""
    told = "<" in type_text and "<>" not in type_text
    return (type_text, False) if told else (strip_generics(type_text), True)


SPEC = LanguageSpec(
    name="java",
    grammar=_grammar,
    heads="typed",
    params_style="type_first",
    returns_field="type",
    bases_fields=("superclass", "interfaces", "(extends_interfaces)"),
    name_fields={
        "field_declaration": "declarator",
        "constant_declaration": "declarator",
        "variable_declarator": "name",
    },
    ref_names={"method_invocation": "name"},
    overloads=True,
    self_names=frozenset({"this"}),
    builtins=_BUILTINS,
    package_types=("package_declaration",),
    visibility=_visibility,
    imports=_imports,
    refine=_refine,
    more_references=_method_reference,
    block_scoped=True,
    binding=_binding,
)
