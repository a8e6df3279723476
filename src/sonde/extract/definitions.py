"""Spans → symbols: names, nesting, owners, signatures."""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import TYPE_CHECKING

from sonde.extract.docs import Comments, clean_docstring
from sonde.extract.params import read_params, without_comments
from sonde.extract.renamed import settle
from sonde.extract.spans import (
    CONTAINERS,
    DECLARED_TOGETHER,
    Captures,
    Span,
    attach_decorators,
)
from sonde.extract.spec import Draft, LanguageSpec
from sonde.extract.text_of import SourceText, child_of
from sonde.extract.type_parameters import aliased, type_parameters
from sonde.model import CALLABLE_KINDS, RENAMED, TYPE_KINDS, Kind, Param, Symbol

if TYPE_CHECKING:
    from sonde.extract.spec import Node

# Bound once: in Python 3.11 reading a member off its enum costs 15 times as much.
_CONSTRUCTOR = Kind.CONSTRUCTOR
_FIELD = Kind.FIELD
_FUNCTION = Kind.FUNCTION
_METHOD = Kind.METHOD
_MODULE = Kind.MODULE

_SIGILS = {"@": "@", ":": ""}  # Ruby: sigil of instance variables, of symbols → owner
_QUOTES = "\"'`["  # around names that are not identifiers
_DEEPEST = 64  # nested definitions; the cost of names and lookups grows with the square
_HEADER_LIMIT = 4000  # bytes of a header that are read
_DIRECTIVE = re.compile(
    r"^[ \t]*#[ \t]*(?:if|ifn?def|elif|elseif|else|endif|pragma|(?:end)?region|nullable)\b.*$",
    re.MULTILINE,
)
_SIGNATURE_LIMIT = 300  # characters; longer headers are generated or macro-made
_OPENING = ("{", ":", "=", ">", " ")  # what may come between a header and its body
_INTRODUCES = re.compile(r"extends|implements|with")  # what stands before bases
_INTRODUCED = re.compile(r"^(?::|<|extends|implements|with)\s*")
_TYPE_ALIAS = Kind.TYPE_ALIAS
_GENERIC = TYPE_KINDS - {_TYPE_ALIAS}
_BETWEEN = re.compile(r",|\bwith\b|\bimplements\b|\bextends\b|&")  # bases
_ARGUMENTS = re.compile(r"\(.*")
_GENERICS = re.compile(r"<[^<>]*>|\[[^\[\]]*\]")


def strip_generics(text: str) -> str:
    """A type's name without arguments: "Map<K, V>" → "Map"."""
    while True:
        shorter = _GENERICS.sub("", text)
        if shorter == text:
            return text.strip()
        text = shorter


def collapse(text: str, limit: int) -> str:
    """Text on one line, at most `limit` characters."""
    if "\n" not in text and "  " not in text and "\t" not in text:
        return text.strip()[:limit]
    return " ".join(text.split())[:limit]


def read_symbols(
    spans: list[Span], captures: Captures, source: SourceText, spec: LanguageSpec, module: str
) -> tuple[Symbol, ...]:
    """The module symbol and every definition, in source order."""
    attach_decorators(spans, captures.get("decorator", []), source)
    comments = Comments(source, spec.comment_prefixes)
    docs = captures.get("doc", [])
    drafts = [_module_draft(module, source, comments, docs)]
    _nest(spans, source, spec, comments, drafts)
    _adopt(drafts)
    _attach_docstrings(drafts, docs, source)
    return tuple([Symbol(**draft) for draft in drafts])


def _module_draft(module: str, source: SourceText, comments: Comments, docs: list[Node]) -> Draft:
    return {
        "name": module,
        "qualname": module,
        "kind": _MODULE,
        "start_line": 1,
        "end_line": source.line_count,
        "start_byte": 0,
        "end_byte": len(source.data),
        "parent": -1,
        "doc": "" if docs else comments.of_file(),
        "owner": "",
    }


def _nest(
    spans: list[Span],
    source: SourceText,
    spec: LanguageSpec,
    comments: Comments,
    drafts: list[Draft],
) -> None:
    stack: list[Span] = []
    seen_fields: dict[tuple[int, str], Draft] = {}
    defined = _defined_with_body(spans, spec)
    for span in spans:
        while stack and (stack[-1].end <= span.start or _names_the_same(stack[-1], span, spec)):
            stack.pop()
        if span.kind is None:
            if span.name and len(stack) < _DEEPEST:  # else transparent: `class << self`
                span.prefix = _join(stack[-1].prefix if stack else "", span.name)
                span.index = stack[-1].index if stack else -1
                stack.append(span)
            continue
        draft = _draft(span, stack, drafts, source, spec)
        if draft is None:
            continue
        if draft["kind"] in DECLARED_TOGETHER:
            key = (draft["parent"], draft["qualname"])
            if key in seen_fields:  # the first assignment defines it
                if seen_fields[key]["returns"][:1] == RENAMED and spec.refine is not None:
                    spec.refine(draft, span.node, source)
                    settle(seen_fields[key], draft)
                continue
            seen_fields[key] = draft
        if defined and span.node.type in spec.prototypes and _short(draft["qualname"]) in defined:
            continue  # the definition follows
        # if it begins on its owner's line, the comment above is about the owner
        inside = draft["parent"] and drafts[draft["parent"]]["start_line"] == draft["start_line"]
        draft["doc"] = "" if inside else comments.above(draft["start_line"])
        if spec.refine is not None and not spec.refine(draft, span.node, source):
            continue
        if draft["kind"] in _GENERIC and ("<" in draft["signature"] or "[" in draft["signature"]):
            draft["returns"] = type_parameters(draft["name"], draft["signature"], draft["bases"])
        elif draft["kind"] is _TYPE_ALIAS and not draft["returns"]:
            draft["returns"] = aliased(draft["signature"])
        if span.node.type in spec.prototypes and draft["kind"] in CALLABLE_KINDS:
            draft["declared"] = True
        span.index = len(drafts)
        span.prefix = draft["qualname"]
        drafts.append(draft)
        if draft["kind"] in CONTAINERS and len(stack) < _DEEPEST:
            stack.append(span)


def _draft(
    span: Span, stack: list[Span], drafts: list[Draft], source: SourceText, spec: LanguageSpec
) -> Draft | None:
    kind = span.kind
    assert kind is not None
    owner, name = _written(span.name, spec)
    container = stack[-1] if stack else None
    if owner in spec.self_names and owner:
        holder = _type_around(stack, drafts)
        if holder is None and kind is not _FIELD:
            holder = container  # a function that builds objects
        if holder is None:
            return None
        container, owner = holder, ""
    elif owner and kind is _FIELD:
        return None  # an attribute of some other object
    elif kind is _FIELD and container is not None and _is_constructor(container, drafts):
        container = _type_around(stack, drafts)  # a parameter that is a field too
    if not name:
        return None
    owner = spec.owner(span.node, source) or owner
    if owner:
        owner = strip_generics(owner).replace("::", ".")
    prefix = container.prefix if container else ""
    in_scope = container is not None and container.kind is None and bool(container.prefix)
    if in_scope and not owner:
        owner, prefix = prefix, ""
    parent = container.index if container is not None and container.index >= 0 else 0
    if owner:
        prefix = _join(prefix, owner)
    kind = _member_kind(kind, name, owner, drafts[parent], spec)
    return _describe(span, kind, name, _join(prefix, name), parent, owner, source, spec)


def _written(name: str, spec: LanguageSpec) -> tuple[str, str]:
    """The owner that is written before a name, "" for none, and the name."""
    quoted, owner = name[0] in _QUOTES, ""
    if name[0] in _SIGILS and spec.bare_calls:  # a method of Scala may be called `::`
        owner, name = _SIGILS[name[0]], name.lstrip(":@")
    if name[:1] in _QUOTES:
        name = name.strip("\"'`")
    if "::" in name and "operator" not in name:
        if "<" in name:
            name = strip_generics(name)  # C++: Tree::add<Tree::kBack>
        name = "".join(name.split())  # a line may end after the owner
    before, conversion, rest = name.partition("::operator")
    if conversion:  # C++: Foo::operator std::string
        owner, name = "".join(before.split()), "operator" + rest
    for separator in () if quoted else spec.separators:
        if separator in name and not name.startswith("operator"):
            owner, _, name = name.rpartition(separator)
            name = name.strip()
            break
    return owner, name


def _signature(header: str, mark: str) -> str:
    if "#" in header and mark == "//":
        header = _DIRECTIVE.sub("", header)  # "public", "#endif", "class Maybe<T>"
    text = collapse(without_comments(header, mark), _SIGNATURE_LIMIT)
    return _without_opening(text) if text[-1:] in _OPENING else text


def _without_opening(header: str) -> str:
    """A header without the marks that introduce its body."""
    while True:
        shorter = header.rstrip().rstrip("{:=")
        if shorter[-2:] in ("=>", "->"):
            shorter = shorter[:-2]
        if shorter == header:
            return header
        header = shorter


def _describe(
    span: Span,
    kind: Kind,
    name: str,
    qualname: str,
    parent: int,
    owner: str,
    source: SourceText,
    spec: LanguageSpec,
) -> Draft:
    node = _valued(span.node, spec) if kind in CONTAINERS else span.node
    header = _header(span, node, kind, source, spec)
    mark = "//" if "//" in spec.comment_prefixes else "#"
    params: tuple[Param, ...] = ()
    returns, signature = "", header
    if kind in CALLABLE_KINDS:
        params = read_params(source.field(node, spec.params_field), spec.params_style, mark)
        returns = collapse(source.field(node, spec.returns_field), 120).lstrip(":-> ")
        signature = header.rstrip("; \n")
    bases: list[str] = []
    if kind in TYPE_KINDS:
        for field_name in spec.bases_fields:
            bases.extend(_bases(source.field(node, field_name)))
    private = name[0] == "#"
    return {
        "name": name,
        "qualname": qualname,
        "kind": kind,
        "start_line": source.line(span.outer_start),
        "end_line": source.line(max(span.end - 1, span.start)),
        "start_byte": span.outer_start,
        "end_byte": span.end,
        "parent": parent,
        "signature": collapse(header, _SIGNATURE_LIMIT) if private else _signature(signature, mark),
        "decorators": tuple(span.decorators),
        "visibility": spec.visibility(name, source.slice(span.header_start, span.name_byte)),
        "params": params,
        "returns": returns,
        "bases": tuple(bases),
        "owner": owner,
    }


def _header(span: Span, node: Node, kind: Kind, source: SourceText, spec: LanguageSpec) -> str:
    """A definition up to its body; of one without a body its first line."""
    start, limit = span.header_start, span.header_start + _HEADER_LIMIT
    if kind in CONTAINERS:
        body = child_of(node, spec.body_field)
        return source.slice(start, min(span.end if body is None else body.start_byte, limit))
    # the definition begins on the line after an annotation
    return source.slice(start, min(span.end, limit)).lstrip().split("\n", 1)[0]


def _valued(node: Node, spec: LanguageSpec) -> Node:
    """The function or class that a definition names: the right-hand side of "f = () => 1"."""
    while spec.value_fields and node.type in spec.value_fields:
        value = child_of(node, spec.value_fields[node.type])
        if value is None:
            break
        node = value
    return node


def _bases(text: str) -> list[str]:
    text = text.strip().strip("()").strip()
    # four of five types have one base, by its name alone
    if text.replace(".", "").isidentifier() and not _INTRODUCES.search(text):
        return [text]
    text = _INTRODUCED.sub("", text)
    names = (_ARGUMENTS.sub("", part).strip() for part in _BETWEEN.split(strip_generics(text)))
    return [name.split()[-1] for name in names if name and "=" not in name]


def _member_kind(kind: Kind, name: str, owner: str, parent: Draft, spec: LanguageSpec) -> Kind:
    if kind is not _FUNCTION and kind is not _METHOD:
        return kind
    if not owner and parent["kind"] not in TYPE_KINDS:
        return _FUNCTION
    type_name = owner.rpartition(".")[2] or parent["name"]
    if name in spec.constructors or (spec.constructor_named_as_type and name == type_name):
        return _CONSTRUCTOR
    return _METHOD


def _adopt(drafts: list[Draft]) -> None:
    """Attach members written outside their type to the type that owns them, if in this file."""
    if not any(draft["owner"] for draft in drafts):
        return
    types: dict[str, int] = {}
    for at, draft in enumerate(drafts):
        if draft["kind"] in TYPE_KINDS:
            types.setdefault(draft["name"], at)
    for at, draft in enumerate(drafts):
        if draft["owner"]:
            parent = types.get(draft["owner"].rpartition(".")[2], 0)
            if parent not in (0, at):
                draft["parent"] = parent


def _defined_with_body(spans: list[Span], spec: LanguageSpec) -> frozenset[str]:
    """Names that this file defines with a body, for languages that also have prototypes."""
    if not spec.prototypes:
        return frozenset()
    return frozenset(
        _short(strip_generics(span.name).replace("::", "."))
        for span in spans
        if span.kind in CALLABLE_KINDS and span.node.type not in spec.prototypes
    )


def _short(qualname: str) -> str:
    """A name with at most its nearest owner: namespaces are written in some places only."""
    return ".".join(qualname.rsplit(".", 2)[-2:])


def _type_around(stack: list[Span], drafts: list[Draft]) -> Span | None:
    """The innermost type, or scope that stands for one."""
    for span in reversed(stack):
        if span.kind is None or (span.index >= 0 and drafts[span.index]["kind"] in TYPE_KINDS):
            return span
    return None


def _names_the_same(outer: Span, inner: Span, spec: LanguageSpec) -> bool:
    """Whether two assignments name one function: "a = b = function () {}"."""
    return (
        outer.end == inner.end
        and inner.node.type in spec.value_fields
        and outer.node.type == inner.node.type
    )


def _is_constructor(span: Span, drafts: list[Draft]) -> bool:
    return span.index >= 0 and drafts[span.index]["kind"] is _CONSTRUCTOR


def _join(prefix: str, name: str) -> str:
    return f"{prefix}.{name}" if prefix and name else prefix or name


def _attach_docstrings(drafts: list[Draft], docs: list[Node], source: SourceText) -> None:
    if not docs:
        return
    containers = [at for at, each in enumerate(drafts) if each["kind"] in CONTAINERS or at == 0]
    starts = [drafts[at]["start_byte"] for at in containers]
    for node in docs:
        start, end = node.start_byte, node.end_byte
        place = bisect_left(starts, start + 1) - 1
        while place > 0 and drafts[containers[place]]["end_byte"] < end:
            place -= 1
        draft = drafts[containers[place]]
        if place or not draft["doc"]:
            draft["doc"] = clean_docstring(source.slice(start, end))
