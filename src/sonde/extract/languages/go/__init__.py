"""Go: methods name their type in a receiver, embedding is inheritance, case is visibility."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from sonde.extract.definitions import collapse
from sonde.extract.loops import UNTOLD, gone_over, member_of
from sonde.extract.params import read_params
from sonde.extract.spec import Draft, LanguageSpec
from sonde.model import Import, Kind

if TYPE_CHECKING:
    from sonde.extract.spec import Node
    from sonde.extract.text_of import SourceText

_HELD = re.compile(r"\][*\w.]*[A-Z]\w*$|\]\*?\w{8,}$")  # no slice of bytes or texts
_VERSION = re.compile(r"v\d+")
_NEW_VALUE = re.compile(rb"""\bnew(?=\((?:[\w.]+\(|["'`\d!&-]))""")
_PREDECLARED = """
any append bool byte cap clear close comparable complex complex128 complex64 copy delete error
float32 float64 imag int int16 int32 int64 int8 len make max min new panic print println real
recover rune string uint uint16 uint32 uint64 uint8 uintptr
"""
_BUILTINS = frozenset(_PREDECLARED.split())


def _grammar() -> object:
    import tree_sitter_go

    return tree_sitter_go.language()


def _visibility(name: str, header: str) -> str:
    return "public" if name[:1].isupper() else "private"


def _owner(node: Node, source: SourceText) -> str:
    if node.type != "method_declaration":
        return ""
    receiver = source.field(node, "receiver").strip("() \t,")
    return receiver.partition("[")[0].split(" ")[-1].lstrip("*(")


def _imports(node: Node, source: SourceText) -> Iterable[Import]:
    path = source.field(node, "path").strip('"`')
    alias = source.field(node, "name")
    line = source.line(node.start_byte)
    if alias == ".":
        yield Import(path, "*", "*", 0, line)
    else:
        yield Import(path, "", alias or _package_of(path), 0, line)


def _package_of(path: str) -> str:
    """The name under which a package is most likely used: "yaml" for "gopkg.in/yaml.v3"."""
    parts = path.split("/")
    if len(parts) > 1 and _VERSION.fullmatch(parts[-1]):
        parts.pop()
    name = parts[-1]
    head, dot, version = name.rpartition(".")
    return head if dot and _VERSION.fullmatch(version) else name.removeprefix("go-")


def _refine(draft: Draft, node: Node, source: SourceText) -> bool:
    kind = draft["kind"]
    if draft["name"] == "_":
        return False
    if node.type in ("type_spec", "type_alias"):
        if source.data[node.start_byte - 5 : node.start_byte] == b"type ":
            draft["start_byte"] -= 5
        if kind is Kind.TYPE_ALIAS:
            draft["signature"] = "type " + draft["signature"]
        else:
            declared = node.child_by_field_name("type")
            assert declared is not None
            generics = source.field(node, "type_parameters")
            draft["signature"] = collapse(f"type {draft['name']}{generics} {kind}", 300)
            draft["bases"] = tuple(_embedded(declared, source))
    elif kind in (Kind.FIELD, Kind.CONSTANT, Kind.VARIABLE):
        draft["returns"] = source.field(node, "type") or _called(node, source)
    elif draft["returns"].startswith("("):
        types = [each.type for each in read_params(draft["returns"], "go")]
        draft["returns"] = types[0] if len(types) == 1 else f"({', '.join(types)})"
    return True


def _embedded(declared: Node, source: SourceText) -> Iterable[str]:
    """Types that a struct or interface embeds."""
    if declared.type == "interface_type":
        elements = [n for n in declared.named_children if n.type == "type_elem"]
        texts = [source.of(n) for n in elements]
    else:
        lists = declared.named_children
        fields = lists[0].named_children if lists else []
        plain = [n for n in fields if n.type == "field_declaration"]
        texts = [source.field(n, "type") for n in plain if n.child_by_field_name("name") is None]
    for text in texts:
        name = text.partition("[")[0].lstrip("*")
        if name.replace(".", "").isidentifier():
            yield name


def _called(node: Node, source: SourceText) -> str:
    value = node.child_by_field_name("value")
    if value is None or value.named_child_count != 1:
        return ""
    for _, text, called in _value_type("", value.named_children[0], source):
        return text + "()" if called else text
    return ""


def _binding(node: Node, source: SourceText) -> Iterable[tuple[str, str, bool]]:
    if node.type == "range_clause":
        left = node.child_by_field_name("left")
        if left is not None and left.named_child_count == 2:  # the first counts
            yield from gone_over(source.of(left.named_children[1]), source.field(node, "right"))
        return
    if node.type != "short_var_declaration":
        declared = source.field(node, "type")
        for name in node.children_by_field_name("name"):
            yield source.of(name), _bare(declared), False
        return
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if left is None or right is None:
        return
    names, values = left.named_children, right.named_children
    if len(values) == 1 and names:
        yield from _value_type(source.of(names[0]), values[0], source)
    else:
        for name, value in zip(names, values, strict=False):
            yield from _value_type(source.of(name), value, source)


def _value_type(name: str, value: Node, source: SourceText) -> Iterable[tuple[str, str, bool]]:
    if value.type == "unary_expression":
        value = value.child_by_field_name("operand") or value
    if value.type in ("selector_expression", "index_expression"):
        yield from member_of(name, source.of(value))
    elif value.type == "call_expression":
        called = source.field(value, "function")
        if called in ("new", "make"):
            arguments = value.child_by_field_name("arguments")
            if arguments is not None and arguments.named_child_count:
                yield name, _bare(source.of(arguments.named_children[0])), False
        elif called not in _BUILTINS:
            # a function has many of these, of an interface that no project defines
            yield name, UNTOLD if name == "err" else called, True
    elif value.type in ("composite_literal", "type_assertion_expression"):
        yield name, _bare(source.field(value, "type")), False


def _repair(data: bytes) -> bytes:
    """Rewrite `new` of a value, allowed since Go 1.26, as the value in brackets."""
    return _NEW_VALUE.sub(b"   ", data)


def _bare(declared: str) -> str:
    """The named type of "*Server[T]", slices and maps as they are; "" for functions."""
    if declared.startswith(("[]", "map[")) and _HELD.search(declared):
        return declared
    name = declared.lstrip("*").partition("[")[0]
    named = name.replace(".", "").isidentifier() and name not in _BUILTINS and name != "map"
    return name if named else ""


SPEC = LanguageSpec(
    name="go",
    grammar=_grammar,
    params_style="go",
    returns_field="result",
    self_names=frozenset(),
    builtins=_BUILTINS,
    comment_prefixes=("//", "/*"),
    package_types=("package_clause",),
    visibility=_visibility,
    imports=_imports,
    owner=_owner,
    refine=_refine,
    repair=_repair,
    block_scoped=True,
    binding=_binding,
)
