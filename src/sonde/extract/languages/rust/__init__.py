"""Rust: impl blocks own methods, use trees import, attributes decorate."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from sonde.extract.definitions import strip_generics
from sonde.extract.languages.rust.item_macros import ITEM_MACRO, without_item_macros
from sonde.extract.loops import UNTOLD, gone_over, member_of
from sonde.extract.spec import Draft, LanguageSpec
from sonde.extract.text_of import child_of
from sonde.model import CALLABLE_KINDS, Import, Kind, Param, Reference, RefKind

if TYPE_CHECKING:
    from sonde.extract.spec import Node
    from sonde.extract.text_of import SourceText

_PRELUDE = """
Some None Ok Err Self String Vec Option Box Default Clone Copy Debug Send Sync Sized Drop
Iterator IntoIterator From Into AsRef Fn FnMut FnOnce ToString PartialEq Eq PartialOrd Ord Hash
println print eprintln eprint format write writeln vec panic assert assert_eq assert_ne
debug_assert debug_assert_eq unreachable unimplemented todo matches concat stringify drop cfg
"""
_WORD = re.compile(r"[A-Za-z_]\w*")
_PATH_AT_END = re.compile(r"\w+(?:::\w+)*$")
_LIFETIME = re.compile(r"'\w+\s*")
_UNWRAPPING = ("unwrap", "expect", "clone", "unwrap_or_default", "to_owned")
_LONGEST_CHAIN = 200  # bytes before a name in a macro that are searched
_SPACE = b" \t\n"
_IN_WORD = b"_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
_CLOSING_OF = {b")": b"(", b"]": b"[", b">": b"<"}
_CLOSING = b")]>?!"
_OPENING = b"([<"
_WRAPPERS = {"try_expression", "await_expression", "parenthesized_expression"}

# `Some(row)`, `Shape::Circle(circle)`
_UNWRAPPED = re.compile(r"((?:\w+::)*\w+)\((?:ref |mut |&)*([a-z_]\w*)\)")
_MOST_NUMBERED = 12  # fields of a tuple struct
_TRAIT = re.compile(
    rb"(?:^|[{};])[ \t]*(pub(?:[ \t]*\([^()\n]*\))?\s+)?(?:unsafe\s+)?(?:auto\s+)?trait\s+(\w+)",
    re.MULTILINE,
)
_CONDITION = re.compile(rb"#!?\[\s*(?:cfg|cfg_attr|doc|allow|expect|warn|deny|deprecated)\b")
_ITERATED = re.compile(r"\.(?:iter|iter_mut|into_iter)\(\)$")


def _grammar() -> object:
    import tree_sitter_rust

    return tree_sitter_rust.language()


def _visibility(name: str, header: str) -> str:
    if header.startswith("pub"):
        return "internal" if header[3:].lstrip().startswith("(") else "public"
    return "private"


def _type_name(text: str) -> str:
    """The last word of a type without arguments: "Thing" of "&'a mut inner::Thing<T>"."""
    words = _WORD.findall(strip_generics(_LIFETIME.sub("", text)))
    return words[-1] if words else ""


def _trait_path(text: str) -> str:
    """The path of a trait without arguments: "crate.load.Load" of "crate::load::Load<T>"."""
    found = _PATH_AT_END.search(strip_generics(_LIFETIME.sub("", text)))
    return found[0].replace("::", ".") if found is not None else _type_name(text)


def _scope_name(node: Node, source: SourceText) -> str:
    return _type_name(source.field(node, "type"))


def _imports(node: Node, source: SourceText) -> Iterable[Import]:
    line = source.line(node.start_byte)
    if node.type == "mod_item":
        name = source.field(node, "name")
        if node.child_by_field_name("body") is None:
            yield Import(name, "", name, 1, line)
        else:  # what it holds counts as the file's
            yield Import("", "", name, 0, line)
    elif node.type == "identifier":
        yield from _derive(node, source, line)
    elif node.type == "extern_crate_declaration":
        name = source.field(node, "name")
        yield Import(name, "", source.field(node, "alias") or name, 0, line)
    else:
        argument = node.child_by_field_name("argument")
        public = source.data[node.start_byte : node.start_byte + 3] == b"pub"
        if argument is not None:
            for path, alias in _use_tree(argument, (), source):
                yield _use(path, alias, line, public)


def _derive(node: Node, source: SourceText, line: int) -> Iterator[Import]:
    """The function that a derive runs, under the name that it has there."""
    named = node.next_named_sibling
    name = source.field(named, "(identifier)") if named is not None else ""
    item = node.parent.parent if node.parent is not None else None
    while item is not None and item.type in ("attribute_item", "line_comment", "block_comment"):
        item = item.next_named_sibling
    if item is not None and item.type == "function_item" and name:
        yield Import("self", source.field(item, "name"), name, 0, line, True)


def _use(path: tuple[str, ...], alias: str, line: int, public: bool) -> Import:
    if path[-1] == "self" and len(path) > 1:
        path = path[:-1]
    if len(path) == 1:
        return Import(path[0], "", alias or path[0], 0, line, public)
    return Import(".".join(path[:-1]), path[-1], alias or path[-1], 0, line, public)


def _use_tree(
    node: Node, prefix: tuple[str, ...], source: SourceText
) -> Iterator[tuple[tuple[str, ...], str]]:
    """(path, alias) of each leaf of `use a::{b, c as d, e::*}`."""
    if node.type == "use_as_clause":
        yield prefix + _path(source.field(node, "path")), source.field(node, "alias")
    elif node.type in ("use_list", "scoped_use_list"):
        inner = prefix + _path(source.field(node, "path"))
        listed = node if node.type == "use_list" else node.child_by_field_name("list")
        for child in listed.named_children if listed is not None else ():
            yield from _use_tree(child, inner, source)
    elif node.type == "use_wildcard":
        yield (*prefix, *_path(source.of(node).removesuffix("*")), "*"), "*"
    elif path := prefix + _path(source.of(node)):
        yield path, ""


def _path(text: str) -> tuple[str, ...]:
    return tuple(part for part in (p.strip() for p in text.split("::")) if part)


def _refine(draft: Draft, node: Node, source: SourceText) -> bool:
    kind = draft["kind"]
    if node.type == "enum_variant":
        draft["visibility"] = "public"
        body = node.child_by_field_name("body")
        if body is not None and body.type == "ordered_field_declaration_list":
            draft["params"] = _numbered(body, source)
    elif (required := _trait_visibility(node, source)) is not None:
        draft["visibility"] = required
    elif kind is Kind.TRAIT:
        bounds = source.field(node, "bounds").lstrip(": ")
        names = (strip_generics(part) for part in bounds.split("+"))
        draft["bases"] = tuple(n for n in names if n and n[0] not in "'?")
    elif kind is Kind.STRUCT:
        body = node.child_by_field_name("body")
        if body is not None and body.type == "ordered_field_declaration_list":
            draft["signature"] += source.of(body)[:200]
            draft["params"] = _numbered(body, source)
    elif kind is Kind.MACRO:
        draft["signature"] = f"macro_rules! {draft['name']}"
        draft["visibility"] = "public"
    if kind in CALLABLE_KINDS and "Fn" in draft["signature"]:
        functions = dict(_function_bounds(node, source))
        params = draft["params"]
        draft["params"] = tuple(p._replace(type=functions.get(p.type, p.type)) for p in params)
    if kind in (Kind.FIELD, Kind.CONSTANT, Kind.VARIABLE):
        draft["returns"] = source.field(node, "type")
    draft["signature"] = draft["signature"].rstrip(";,")
    return True


def _function_bounds(node: Node, source: SourceText) -> Iterator[tuple[str, str]]:
    """Type parameters that stand for functions: `F` of `<F: Fn(&Row)>` or `where F: Fn(&Row)`."""
    declared = child_of(node, "type_parameters"), child_of(node, "(where_clause)")
    for each in (child for part in declared if part is not None for child in part.named_children):
        bounds = each.child_by_field_name("bounds")
        function = child_of(bounds, "(function_type)") if bounds is not None else None
        if function is not None:
            name = source.field(each, "name") or source.field(each, "left")
            yield name, f"impl {source.of(function)}"


def _numbered(body: Node, source: SourceText) -> tuple[Param, ...]:
    """The fields of a tuple struct or variant: `struct Rows(Vec<Row>)` has one called `0`."""
    types = body.children_by_field_name("type")[:_MOST_NUMBERED]
    return tuple(Param(str(at), source.of(each)) for at, each in enumerate(types))


def _trait_visibility(node: Node, source: SourceText) -> str | None:
    """What a trait says for the members it requires and for those that implement it."""
    block = node.parent.parent if node.parent is not None else None
    if block is None:
        return None
    if block.type == "trait_item":
        return _visibility("", source.field(block, "(visibility_modifier)"))
    trait = block.child_by_field_name("trait") if block.type == "impl_item" else None
    if trait is None:
        return None
    name = strip_generics(source.of(trait))
    return _traits(source.data).get(name, "public")


@lru_cache(maxsize=2)
def _traits(data: bytes) -> dict[str, str]:
    """The traits that a file declares, and how far each is seen."""
    found = ((m[2].decode(), (m[1] or b"").decode()) for m in _TRAIT.finditer(data))
    return {name: _visibility("", before) for name, before in found}


def _more(node: Node, source: SourceText) -> Iterable[tuple[int, Reference]]:
    """`impl Trait for Type` gives the type a base away from its definition."""
    trait = node.child_by_field_name("trait")
    owner = _scope_name(node, source)
    if trait is not None and owner:
        yield trait.start_byte, Reference(RefKind.BASE, _trait_path(source.of(trait)), owner, 0, 0)


def _binding(node: Node, source: SourceText) -> Iterable[tuple[str, str, bool]]:
    name, declared = source.field(node, "pattern"), source.field(node, "type")
    unwrapped = _UNWRAPPED.match(name)
    if unwrapped is not None:
        name = unwrapped[2]
        if unwrapped[1] not in ("Some", "Ok"):
            yield name, _held_by(unwrapped[1], _unwrapped(node), source), True
            return
    if node.type == "for_expression":
        yield from gone_over(name, _ITERATED.sub("", source.field(node, "value")))
        return
    if declared:
        declared = _LIFETIME.sub("", declared)
        yield name, declared.lstrip("&").removeprefix("mut "), False
        return
    value = _unwrapped(node)
    for _ in range(8):  # a chain of `?`, `.await`, `&` and `.unwrap()` around the call
        if value is None:
            return
        if value.type in _WRAPPERS and value.named_child_count:
            value = value.named_children[0]
        elif value.type == "reference_expression":
            value = value.child_by_field_name("value")
        elif value.type == "call_expression":
            callee = value.child_by_field_name("function")
            if callee is not None and source.field(callee, "field") in _UNWRAPPING:
                value = callee.child_by_field_name("value")
                continue
            yield name, strip_generics(source.of(callee)) if callee is not None else "", True
            return
        else:
            break
    if value is not None and value.type in ("field_expression", "index_expression"):
        yield from member_of(name, source.of(value))
    elif value is not None and unwrapped is not None and value.type in ("identifier", "self"):
        yield name, f"={source.of(value)}", True
    elif value is not None and value.type == "struct_expression":
        yield name, strip_generics(source.field(value, "name")), False


def _unwrapped(node: Node) -> Node | None:
    """The value that a pattern is compared with."""
    if node.type == "match_arm":
        matched = node.parent.parent if node.parent is not None else None
        return matched.child_by_field_name("value") if matched is not None else None
    return node.child_by_field_name("value")


def _held_by(variant: str, value: Node | None, source: SourceText) -> str:
    """What the one field of a variant holds; a bare name is one of the value's own type."""
    if "::" in variant:
        return f"={variant}.0"
    if value is not None and value.type in ("identifier", "self"):
        return f"={source.of(value)}.{variant}.0"
    return UNTOLD


def _begins(data: bytes, start: int) -> int:
    """Where the path or chain that ends in the name at `start` begins: `a.b(c).d`, `Kind::of`."""
    limit = max(start - _LONGEST_CHAIN, 1)
    while True:
        at = _left_of(_SPACE, data, limit, start)
        if data[at - 2 : at] == b"::":
            at -= 2
        elif data[at - 1 : at] == b"." != data[at - 2 : at - 1]:
            at -= 1
        else:
            return start
        at = _left_of(_SPACE, data, limit, at)
        while at > limit and data[at - 1] in _CLOSING:
            at = _before_brackets(data, limit, at)
        start = _left_of(_IN_WORD, data, limit, at)
        if data[start] not in _IN_WORD and data[start] not in _OPENING:
            return start - 1  # the end of a literal, so the name has a receiver


def _left_of(bytes_: bytes, data: bytes, limit: int, at: int) -> int:
    while at > limit and data[at - 1] in bytes_:
        at -= 1
    return at


def _before_brackets(data: bytes, limit: int, at: int) -> int:
    """Where the brackets that close right before `at` open; a mark without brackets is skipped."""
    closing = data[at - 1 : at]
    opening, depth = _CLOSING_OF.get(closing), 0
    while at > limit:
        at -= 1
        depth += (data[at : at + 1] == closing) - (data[at : at + 1] == opening)
        if depth == 0 or opening is None:
            break
    return at


SPEC = LanguageSpec(
    name="rust",
    grammar=_grammar,
    separators=("::", "."),
    inert_decorators=_CONDITION,
    self_names=frozenset({"self"}),
    builtins=frozenset(_PRELUDE.split()),
    mixins="apart",
    visibility=_visibility,
    imports=_imports,
    scope_name=_scope_name,
    refine=_refine,
    begins=_begins,
    more_references=_more,
    repair=without_item_macros,
    misread=ITEM_MACRO,
    block_scoped=True,
    binding=_binding,
)
