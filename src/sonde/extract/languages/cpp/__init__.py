"""C++: C's declarators, with classes, members written outside them, operators and templates."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING

from sonde.extract.definitions import strip_generics
from sonde.extract.languages.c.conditionals import keep_one_branch
from sonde.extract.languages.c.declarators import (
    definition_name,
    macro_owner,
    read_binding,
    read_includes,
    refine_declaration,
)
from sonde.extract.languages.c.macros import blank_cpp_macros
from sonde.extract.operators import cpp_operators
from sonde.extract.spec import Draft, LanguageSpec
from sonde.extract.text_of import child_of
from sonde.model import TYPE_KINDS, Kind

if TYPE_CHECKING:
    from sonde.extract.spec import Node
    from sonde.extract.text_of import SourceText

_STANDARD = """
std size_t ssize_t int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t uintptr_t
nullptr_t static_cast dynamic_cast const_cast reinterpret_cast sizeof assert static_assert
"""
# names of declarations that the parser got wrong
_LOST = """
noexcept requires namespace template decltype static_assert alignas if for while switch return catch
explicit constexpr typename
"""
_KEYWORDS = frozenset(_LOST.split())
_SPACE = re.compile(r"\s")
_INITIALIZERS = re.compile(r"\s*(?<!:):(?!:).*")  # of a constructor
_CONVERSION = re.compile(r"operator\s+[\w:]")
_SECTION = re.compile(rb"[{}]|\b(public|protected|private)\b(?:\s+\w+)?\s*:(?!:)")
_BASE = re.compile(r"(?:\b(?:public|protected|private|virtual)\b|\s)+")


_NAMESPACE = re.compile(rb"\bnamespace\s+([\w:]+)\s*\{")
# forward declarations in an unrelated header: namespace Ui { class Window; }
_MENTIONS = re.compile(rb"\bnamespace\s+\w+\s*\{\s*(?:(?:class|struct|enum)\s+\w+\s*;\s*)*+\}")
_NAMELESS = b"namespace {"
_MOST_NAMESPACES = 20  # of one file; a header has few


def _grammar() -> object:
    import tree_sitter_cpp

    return tree_sitter_cpp.language()


def _repair(data: bytes) -> bytes:
    return blank_cpp_macros(keep_one_branch(data))


def _package(source: SourceText) -> str:
    """The namespaces that a file opens, each once; not `std`, which is opened to extend it."""
    if b"namespace" not in source.data:
        return ""
    data = _MENTIONS.sub(b"", source.data)
    opened = b"::".join(_NAMESPACE.findall(data)).decode("ascii", "ignore")
    names = dict.fromkeys(name for name in opened.split("::") if name not in ("", "std"))
    return ".".join(list(names)[:_MOST_NAMESPACES])


def _refine(draft: Draft, node: Node, source: SourceText) -> bool:
    if not refine_declaration(draft, node, source):
        return False
    name = draft["name"]
    if name in _KEYWORDS or _SPACE.search(draft["owner"]):
        return False  # what macros left of a declaration
    if name.startswith("operator"):
        short = _operator(name)
        draft["qualname"] = draft["qualname"].removesuffix(name) + short
        draft["name"] = short
    elif draft["returns"].endswith("::operator"):
        # "inline Type::operator bool()": to the grammar a function that returns an operator
        owner = draft["returns"].removesuffix("::operator").replace("::", ".")
        draft["name"], draft["owner"], draft["returns"] = f"operator {name}", owner, ""
        draft["qualname"], draft["kind"] = f"{owner}.{draft['name']}", Kind.METHOD
    if child_of(node, "(field_initializer_list)") is not None:
        draft["signature"] = _INITIALIZERS.sub("", draft["signature"])
    if draft["parent"] and not draft["owner"]:
        draft["visibility"] = _access(node, source)
    elif _NAMELESS in source.data and _in_nameless(node):
        draft["visibility"] = "private"
    if draft["kind"] in TYPE_KINDS:
        clause = next((c for c in node.children if c.type == "base_class_clause"), None)
        if clause is not None:
            parts = strip_generics(source.of(clause).lstrip(":")).split(",")
            draft["bases"] = tuple(filter(None, (_BASE.sub("", part) for part in parts)))
    return True


def _in_nameless(node: Node) -> bool:
    """Whether a namespace without a name, which other files cannot see into, is around."""
    around = node.parent
    while around is not None:
        if around.type == "namespace_definition" and around.child_by_field_name("name") is None:
            return True
        around = around.parent
    return False


def _operator(name: str) -> str:
    """An operator by its signs, a conversion by its type: "operator Action<int()>() const"."""
    depth = 0
    if not _CONVERSION.match(name):
        return name[:8] + name[8:].strip()
    for at, char in enumerate(name):
        depth += (char == "<") - (char == ">")
        if char == "(" and depth == 0:
            name = name[:at]
            break
    return " ".join(name.split())


def _access(node: Node, source: SourceText) -> str:
    """Access from the nearest `public:` or the like above a member, else its type's default."""
    while node.parent is not None and node.parent.type != "field_declaration_list":
        node = node.parent
    body = node.parent
    if body is None or body.parent is None:
        return "public"
    starts, words = _sections(source.data, body.start_byte, body.end_byte)
    at = bisect_left(starts, node.start_byte) - 1
    if at >= 0:
        return words[at]
    return "private" if body.parent.type == "class_specifier" else "public"


@lru_cache(maxsize=64)
def _sections(data: bytes, start: int, end: int) -> tuple[list[int], list[str]]:
    """The positions of `public:` and the like directly in a type's body, and what they say."""
    starts, words, depth = [], [], 0
    for found in _SECTION.finditer(data, start, end):
        if found[1]:
            if depth == 1:
                starts.append(found.start())
                words.append(found[1].decode())
        else:
            depth += 1 if found[0] == b"{" else -1
    return starts, words


def _binding(node: Node, source: SourceText) -> Iterable[tuple[str, str, bool]]:
    """`Row row(other);` in a function makes a Row, though the grammar takes it for a prototype."""
    yield from read_binding(node, source)
    made = node.child_by_field_name("declarator")
    if made is not None and made.type == "function_declarator":
        given = made.child_by_field_name("parameters")
        if given is not None and given.named_child_count and _is_value(given.named_children[0]):
            yield source.field(made, "declarator"), source.field(node, "type"), False


def _is_value(parameter: Node) -> bool:
    """Whether what the grammar takes for a parameter without a name may be an argument."""
    type_ = parameter.child_by_field_name("type")
    named = parameter.child_by_field_name("declarator")
    return (
        type_ is not None
        and type_.type in ("type_identifier", "qualified_identifier")
        and (named is None or named.type == "abstract_function_declarator")
    )


SPEC = LanguageSpec(
    name="cpp",
    grammar=_grammar,
    heads="typed",
    params_style="type_first",
    separators=("::", "->", "."),
    constructor_named_as_type=True,
    root="::",
    overloads=True,
    self_names=frozenset({"this"}),
    builtins=frozenset(_STANDARD.split()),
    repair=_repair,
    wrappers=frozenset({"template_declaration"}),
    prototypes=frozenset({"declaration", "field_declaration"}),
    imports=read_includes,
    package=_package,
    definition_name=definition_name,
    owner=macro_owner,
    refine=_refine,
    block_scoped=True,
    more_references=cpp_operators,
    binding=_binding,
)
