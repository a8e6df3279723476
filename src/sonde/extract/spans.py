"""Captured nodes → the spans of text that define something, with their decorators."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from typing import TYPE_CHECKING

from sonde.extract.marks import decorator_name
from sonde.extract.spec import KINDS, LanguageSpec
from sonde.model import CALLABLE_KINDS, TYPE_KINDS, Kind

if TYPE_CHECKING:
    from sonde.extract.spec import Node
    from sonde.extract.text_of import SourceText

Captures = dict[str, list["Node"]]

CONTAINERS = (CALLABLE_KINDS | TYPE_KINDS | {Kind.PROPERTY}) - {Kind.TYPE_ALIAS, Kind.MACRO}
DECLARED_TOGETHER = frozenset({Kind.FIELD, Kind.CONSTANT, Kind.VARIABLE})
_NAME_LIMIT = 200  # bytes; longer names are generated or parse errors
_EXPORT_WORDS = frozenset({b"", b"export", b"export default", b"declare", b"export declare"})
_MODIFIER = re.compile(rb"(?:\s|[\[\],]|//[^\n]*|/\*.*?\*/|\w+:)*+[a-z]", re.DOTALL)
_VARIABLE = Kind.VARIABLE  # bound once: reading a member off its enum is slow


@dataclass(slots=True)
class Span:
    """A captured node on its way to becoming a symbol, or a transparent owner of symbols."""

    start: int
    end: int
    node: Node
    kind: Kind | None  # None for a @scope
    name: str
    name_byte: int
    outer_start: int  # decorators included
    header_start: int  # decorators excluded
    decorators: list[str] = field(default_factory=list)
    index: int = -1
    prefix: str = ""  # qualified name that members continue


def read_spans(captures: Captures, source: SourceText, spec: LanguageSpec) -> list[Span]:
    spans: dict[tuple[int, int], Span] = {}
    for capture, nodes in captures.items():
        if capture == "scope":
            for node in nodes:
                name = spec.scope_name(node, source)
                start, end = node.start_byte, node.end_byte
                spans[-1 - start, end] = Span(start, end, node, None, name, start, start, start)
        elif capture.startswith("def."):
            kind = KINDS[capture[4:]]
            for node in nodes:
                for span in _definition_spans(node, kind, source, spec):
                    key = (span.name_byte, 0)
                    known = spans.setdefault(key, span)
                    if known is not span and _strength(span) > _strength(known):
                        spans[key] = span
    return sorted(spans.values(), key=lambda s: (s.start, -s.end, s.name_byte))


def _strength(span: Span) -> tuple[bool, bool, int]:
    """Of two captures of one name, the more informative one wins."""
    return (span.kind in CONTAINERS, span.kind is not _VARIABLE, span.end - span.start)


def _definition_spans(node: Node, kind: Kind, source: SourceText, spec: LanguageSpec) -> list[Span]:
    """One span, or several for a declaration of several names ("a, b int")."""
    names: Sequence[Node | None]
    if spec.definition_name is not None:
        names = [spec.definition_name(node, source)]
    elif kind in DECLARED_TOGETHER:
        names = _name_nodes(node, spec)
    elif spec.name_fields and node.type in spec.name_fields:
        names = _name_nodes(node, spec)[:1]
    else:
        names = [node.child_by_field_name("name")]
    start, end = node.start_byte, node.end_byte if spec.ends is None else spec.ends(node)
    outer = start
    if spec.wrappers and (parent := node.parent) is not None and parent.type in spec.wrappers:
        outer = parent.start_byte
    spans: list[Span] = []
    for name_node in names:
        if name_node is None:
            continue
        name_byte, name_end = name_node.start_byte, name_node.end_byte
        if 0 < name_end - name_byte <= _NAME_LIMIT:
            name = source.slice(name_byte, name_end)
            spans.append(Span(start, end, node, kind, name, name_byte, outer, start))
    return spans


def _name_nodes(node: Node, spec: LanguageSpec) -> list[Node]:
    """The nodes that hold the names of a declaration, found through its declarators."""
    field_name = spec.name_fields.get(node.type, "name")
    if not field_name:
        return [node]
    if field_name[0] == "(":
        types = field_name[1:-1].split()
        before = takewhile(_is_before_value, node.children)
        found = [child for child in before if child.type in types]
    else:
        found = node.children_by_field_name(field_name)
        if len(found) > 1:  # Go: the commas between names belong to the field as well
            found = [child for child in found if child.type != ","]
    if found and found[0].type in spec.name_fields:
        return [name for child in found for name in _name_nodes(child, spec)]
    return found


def _is_before_value(child: Node) -> bool:
    """Whether a child of a declaration is not its default: `val limit: Int = MOST`."""
    return child.type != "="


def _declares(span: Span, start: int) -> bool:
    """Whether what is around a name declares it, from a byte on: `#[Id] private int $id;`."""
    around = span.node.parent if span.kind in DECLARED_TOGETHER else None
    return around is not None and around.start_byte <= start and "_declaration" in around.type


def attach_decorators(spans: list[Span], decorators: list[Node], source: SourceText) -> None:
    """Assign each decorator to its definition, whether it wraps the definition or lies inside."""
    owners = sorted((span.name_byte, at) for at, span in enumerate(spans) if span.kind is not None)
    names = [name_byte for name_byte, _ in owners]
    inside: list[tuple[Span, Node]] = []
    for node in sorted(decorators, key=lambda n: n.start_byte, reverse=True):
        start, end = node.start_byte, node.end_byte
        place = bisect_left(names, end)
        if place == len(names):
            continue
        span = spans[owners[place][1]]
        if span.start <= start:
            inside.append((span, node))
        elif source.data[end : span.outer_start].strip() in _EXPORT_WORDS or _declares(span, start):
            span.outer_start = start
        else:
            continue
        span.decorators.insert(0, decorator_name(source.of(node)))
    for span, node in reversed(inside):
        # one after a modifier, as in "public @Nullable String name()", is a part of the header
        if not _MODIFIER.match(source.data, span.header_start, node.start_byte):
            span.header_start = node.end_byte
