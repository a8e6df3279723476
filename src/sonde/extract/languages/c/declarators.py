"""C declarators: the name, parameters and type that a declaration wraps around a name."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from sonde.extract.definitions import collapse, strip_generics
from sonde.extract.loops import gone_over
from sonde.extract.params import read_params
from sonde.extract.spec import Draft
from sonde.model import CALLABLE_KINDS, Import, Kind, Param

if TYPE_CHECKING:
    from sonde.extract.spec import Node
    from sonde.extract.text_of import SourceText

_NAMES = frozenset(
    {
        "identifier",
        "field_identifier",
        "type_identifier",
        "qualified_identifier",
        "destructor_name",
        "operator_name",
        "operator_cast",
    }
)
_DECLARING = frozenset({"function_definition", "declaration", "field_declaration"})
_NAMED = re.compile(r"_specifier$|^enumerator$|^preproc_|^alias_declaration$|^concept_definition$")
_MARKED = frozenset({"pointer_declarator", "reference_declarator", "init_declarator"})
_DECLARED = frozenset({Kind.FIELD, Kind.VARIABLE, Kind.TYPE_ALIAS})
_MACRO = re.compile(r"[A-Z][A-Z0-9_]{2,}")
# a macro after a parameter's type and name, which would pass for the name
_AFTER_PARAMETER = re.compile(
    r"((?:[\w>][*&]*\s+[*&]*|[*&]\s*)(?!(?:const|char|double|float|int|long|short)\b)[a-z_]\w*)"
    r"\s+[A-Z][A-Z0-9]*_[A-Z0-9_]+(?=\s*[,)=])"
)
_QUALIFIERS = frozenset({"static", "extern", "const", "constexpr", "inline", "mutable", "volatile"})
# calls that are given the type of their result: `static_cast<Row*>(x)`, `std::make_unique<Row>()`
_TYPE_GIVEN = re.compile(
    r"(?:\w+::)*(?:(?:static|dynamic|const|reinterpret)(?:_pointer)?_cast|make_(?:unique|shared))"
    r"\s*<([^()]*)>"
)
_HELD = frozenset({"identifier", "field_expression"})
_STATEMENT_LIMIT = 300  # bytes of a declaration shown as its signature


def declared_name(node: Node | None) -> Node | None:
    """The name inside "*name[4]" or "(*name)(int)"."""
    for _ in range(16):
        if node is None or node.type in _NAMES:
            return node
        if node.type == "template_function":
            return node.child_by_field_name("name")
        inner = node.child_by_field_name("declarator")
        if inner is None:
            children = node.named_children
            inner = children[-1] if children else None
        node = inner
    return None


def definition_name(node: Node, source: SourceText) -> Node | None:
    """The node with the name of any captured C or C++ definition."""
    if _NAMED.search(node.type):
        name = node.child_by_field_name("name")
        if name is not None and name.type == "template_type":
            return name.child_by_field_name("name")
        return name
    if node.type == "type_definition":
        return declared_name(node.child_by_field_name("declarator"))
    if node.type not in _DECLARING:
        # typedef short int16_t: a word of the grammar
        return node if node.type == "primitive_type" else declared_name(node)
    declarator = node.child_by_field_name("declarator")
    if node.type == "function_definition":
        named = _named_by_macro(node, declarator, source)
        if named:
            return named[-1]
    else:
        function = function_declarator(declarator)
        inner = function.child_by_field_name("declarator") if function is not None else None
        if inner is None or inner.type == "parenthesized_declarator":
            return None  # a pointer to a function is a variable
    return declared_name(declarator)


def macro_owner(node: Node, source: SourceText) -> str:
    """The fixture or suite of a test that a macro defines."""
    if node.type != "function_definition":
        return ""
    named = _named_by_macro(node, node.child_by_field_name("declarator"), source)
    return source.of(named[0]) if len(named) > 1 else ""


def _named_by_macro(node: Node, declarator: Node | None, source: SourceText) -> list[Node]:
    """The arguments that name what a macro defines: TEST_F(Suite, Name) {…}, HANDLER(name) {…}."""
    outside = node.parent is not None and node.parent.type != "field_declaration_list"
    if declarator is None or declarator.type != "function_declarator" or not outside:
        return []
    macro = declarator.child_by_field_name("declarator")
    if node.child_by_field_name("type") is not None or macro is None or macro.type != "identifier":
        return []
    word = source.of(macro)
    parameters = declarator.child_by_field_name("parameters")
    if parameters is None or not _MACRO.fullmatch(word):
        return []
    plain = []
    for child in parameters.named_children:
        kind = child.child_by_field_name("type")
        if kind is None or kind.type != "type_identifier" or child.named_child_count > 1:
            break
        plain.append(kind)
    # TEST_F(Fixture, name), but FIXTURE_TEST_CASE(name, Fixture)
    return plain[:2] if "TEST" in word and not word.endswith("CASE") else plain[:1]


def function_declarator(node: Node | None) -> Node | None:
    """The declarator with the parameters; the innermost if a function returns a function."""
    found = None
    for _ in range(16):
        if node is None or node.type in _NAMES:
            break
        if node.type == "function_declarator":
            found = node
        inner = node.child_by_field_name("declarator")
        if inner is None and node.type in ("reference_declarator", "parenthesized_declarator"):
            inner = node.named_children[-1] if node.named_children else None
        node = inner
    return found


def refine_declaration(draft: Draft, node: Node, source: SourceText) -> bool:
    """Signature, parameters and type of a C or C++ definition."""
    kind = draft["kind"]
    if node.type.startswith("preproc_"):
        draft["qualname"], draft["parent"] = draft["name"], 0  # the preprocessor has no scopes
        head = source.slice(node.start_byte, min(node.end_byte, node.start_byte + 240))
        draft["signature"] = collapse(head.partition("\n")[0].rstrip("\\"), 120)
        names = source.field(node, "parameters").strip("()").split(",")
        draft["params"] = tuple(Param(name.strip()) for name in names if name.strip())
        if kind is Kind.MACRO and node.type == "preproc_def" and source.field(node, "value"):
            draft["kind"] = Kind.CONSTANT
    elif kind in CALLABLE_KINDS:
        if node.type == "declaration" and not _is_prototype(draft):
            return False
        function = function_declarator(node.child_by_field_name("declarator"))
        if function is not None:
            parameters = _AFTER_PARAMETER.sub(r"\1", source.field(function, "parameters"))
            draft["params"] = read_params(parameters, "type_first")
        draft["returns"] = source.field(node, "type")
        if draft["returns"] == "auto" and function is not None:
            draft["returns"] = source.field(function, "(trailing_return_type)").lstrip("-> ")
        elif draft["returns"]:
            draft["returns"] += _marks(node.child_by_field_name("declarator"), source)
        draft["signature"] = _head(draft["signature"].rstrip("; "))
    elif kind in _DECLARED and not _NAMED.search(node.type):
        if kind is Kind.VARIABLE and "." in draft["qualname"] and not draft["owner"]:
            return False  # a local variable under a preprocessor condition
        _describe_declarator(draft, node, source)
    if "." not in draft["qualname"] and _is_static(draft, node):
        draft["visibility"] = "private"
    return True


def _is_static(draft: Draft, node: Node) -> bool:
    """Whether no other file sees a function or variable; the word may follow others."""
    if "static" not in draft["signature"]:
        return False
    declared = node if node.type in _DECLARING else node.parent
    return declared is not None and any(
        child.type == "storage_class_specifier" and child.text == b"static"
        for child in declared.children
    )


def _marks(declarator: Node | None, source: SourceText) -> str:
    """The stars and ampersands that a declaration writes before the name, but that are its type."""
    marks = ""
    while declarator is not None and declarator.type in _MARKED:
        if declarator.type != "init_declarator" and declarator.children:
            marks += source.of(declarator.children[0])
        inner = declarator.child_by_field_name("declarator")
        declarator = inner if inner is not None else declarator.named_children[-1]
    return marks


def _head(text: str) -> str:
    """A signature without the bracket of a macro around it: EXPORT(int name(int x))."""
    return text.removesuffix(")") if text.count(")") > text.count("(") else text


def _is_prototype(draft: Draft) -> bool:
    """Whether this is a prototype: not inside a function, unless a constructor in its class."""
    outer, _, name = draft["qualname"].rpartition(".")
    return not outer or bool(draft["owner"]) or name.lstrip("~") == outer.rpartition(".")[2]


def _describe_declarator(draft: Draft, node: Node, source: SourceText) -> None:
    statement = node.parent if node.parent is not None else node
    start = max(source.line_start(draft["start_line"]), statement.start_byte)
    before = source.slice(start, node.start_byte).replace("typedef ", "")
    declared = before.rpartition(";")[2].rpartition("{")[2].partition(",")[0].split()
    if "," in before and len(declared) > 1:
        declared.pop()  # an earlier name of the same declaration
    draft["returns"] = " ".join(w for w in declared if w not in _QUALIFIERS)
    if draft["kind"] is not Kind.TYPE_ALIAS and draft["returns"]:
        draft["returns"] += _marks(node, source)
    if draft["kind"] is Kind.TYPE_ALIAS and "{" in before:
        draft["returns"] = collapse(before.partition("{")[0], _STATEMENT_LIMIT)
        draft["signature"] = f"typedef {draft['returns']} {source.of(node)}"
        return
    text = source.slice(start, min(start + _STATEMENT_LIMIT, len(source.data)))
    draft["signature"] = collapse(re.split(r"[;\n]", text, maxsplit=1)[0], _STATEMENT_LIMIT)


def read_includes(node: Node, source: SourceText) -> Iterable[Import]:
    """An include makes every name of the header visible, here and to files that include us.

    `class Row;` makes one name visible, whichever file defines it.
    """
    if node.type != "preproc_include":
        name = source.field(node, "name")
        yield Import("", name, name, 0, source.line(node.start_byte))
        return
    path = source.field(node, "path")
    level = 1 if path.startswith('"') else 0
    if path[:1] in ('"', "<"):
        yield Import(path.strip('"<>'), "*", "*", level, source.line(node.start_byte), True)


def read_binding(node: Node, source: SourceText) -> Iterable[tuple[str, str, bool]]:
    """The declared type of a local variable, or what creates it if the type is `auto`."""
    declared = source.field(node, "type").removeprefix("struct ")
    for declarator in node.children_by_field_name("declarator"):
        name = declared_name(declarator)
        if name is None or function_declarator(declarator) is not None:
            continue
        if declared != "auto":
            marks = _marks(declarator, source).replace("&", "")
            yield source.of(name), declared + marks + "[]" * _several(declarator), False
            continue
        if node.type == "for_range_loop":
            yield from gone_over(source.of(name), source.field(node, "right"))
            continue
        value = declarator.child_by_field_name("value") or node.child_by_field_name("value")
        if value is not None and (made := _made(value, source))[0]:
            yield source.of(name), *made


def _several(declarator: Node | None) -> bool:
    """Whether a declarator is of an array."""
    while declarator is not None and declarator.type in _MARKED | {"array_declarator"}:
        if declarator.type == "array_declarator":
            return True
        declarator = declarator.child_by_field_name("declarator")
    return False


def _made(value: Node, source: SourceText) -> tuple[str, bool]:
    """The type that an initial value names, or else the call or member that it is."""
    while value.type == "pointer_expression":  # `&row`, `*rows.get()`
        value = value.child_by_field_name("argument") or value.children[-1]
    kind = value.type
    if kind == "call_expression":
        function = source.field(value, "function")
        given = _TYPE_GIVEN.fullmatch(function) if function[-1:] == ">" else None
        return (given[1].strip(), False) if given else (strip_generics(function), True)
    if kind in ("new_expression", "compound_literal_expression"):
        return strip_generics(source.field(value, "type")), False
    if kind == "cast_expression":
        return source.field(value, "type"), False
    return (f"={source.of(value)}", True) if kind in _HELD else ("", False)
