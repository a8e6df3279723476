"""Captured nodes → references, bindings and routes, each inside the symbol that makes it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sonde.extract.definitions import Captures, collapse, decorator_name
from sonde.extract.effects import read_effects
from sonde.extract.routes import read_route
from sonde.extract.spec import LanguageSpec
from sonde.extract.text_of import child_of
from sonde.model import (
    CALLABLE_KINDS,
    TYPE_KINDS,
    Binding,
    Import,
    Kind,
    Reference,
    RefKind,
    Route,
    Symbol,
)

if TYPE_CHECKING:
    from sonde.extract.text_of import SourceText

_KINDS = {kind.name.lower(): kind for kind in RefKind}
# of two captures that end at one byte the earlier wins; captures of one name come unordered
_ORDER = tuple(
    (f"ref.{word}", _KINDS[word.removeprefix("qualified_")])
    for word in ("call", "raise", "base", "qualified_type", "type", "name", "field")
)
_RECEIVER_LIMIT = 120  # longer receivers are expressions nobody can resolve
_SCOPES = (CALLABLE_KINDS | TYPE_KINDS | {Kind.PROPERTY}) - {Kind.TYPE_ALIAS}
_LESS_SPECIFIC = frozenset({RefKind.FIELD, RefKind.TYPE})  # than a call or base of that name
_ONCE = frozenset({RefKind.FIELD, RefKind.TYPE, RefKind.NAME})  # one place a scope is enough


class Scopes:
    """Finds the innermost symbol around a byte; queries must not go backwards."""

    def __init__(self, symbols: tuple[Symbol, ...]) -> None:
        self._spans = sorted(
            (s.start_byte, -s.end_byte, at)
            for at, s in enumerate(symbols)
            if at and s.kind in _SCOPES
        )
        self._next = 0
        self._open: list[tuple[int, int]] = []  # (end, index)

    def at(self, byte: int) -> int:
        """Index of the innermost symbol that contains the byte."""
        spans, open_ = self._spans, self._open
        while self._next < len(spans) and spans[self._next][0] <= byte:
            start, negative_end, index = spans[self._next]
            self._next += 1
            while open_ and open_[-1][0] <= start:
                open_.pop()
            open_.append((-negative_end, index))
        while open_ and open_[-1][0] <= byte:
            open_.pop()
        return open_[-1][1] if open_ else 0


def read_references(
    captures: Captures,
    source: SourceText,
    spec: LanguageSpec,
    symbols: tuple[Symbol, ...],
    imports: tuple[Import, ...],
) -> tuple[tuple[Reference, ...], tuple[Route, ...]]:
    """Every use of a name, in source order, and the HTTP routes among the calls."""
    found = _found(captures, source, spec)
    found.extend((byte, 0, ref) for byte, ref in read_effects(source, spec.name))
    found.sort(key=lambda item: item[:2])
    known = {s.name for s in symbols} | {i.alias for i in imports}
    scopes = Scopes(symbols)
    references: list[Reference] = []
    routes: list[Route] = []
    seen: set[tuple[int, int, str, str]] = set()
    for byte, end, ref in found:
        kind, name, receiver, _, _ = ref
        if kind is RefKind.NAME and name not in known:
            continue  # a local variable
        scope = scopes.at(byte)
        if kind is RefKind.CALL or kind is RefKind.DECORATOR:
            route = read_route(name, receiver, source, end, spec.name)
            if route is not None:
                method, path, handler = route
                routes.append(Route(method, path, handler, source.line(byte), scope))
        if kind in _ONCE:
            key = (scope, kind, name, receiver)
            if key in seen:
                continue
            seen.add(key)
        references.append(Reference(kind, name, receiver, source.line(byte), scope))
    return tuple(references), tuple(routes)


def _found(
    captures: Captures, source: SourceText, spec: LanguageSpec
) -> list[tuple[int, int, Reference]]:
    """(start, end, reference without line and scope) of every captured use."""
    found: list[tuple[int, int, Reference]] = []
    taken: set[int] = set()  # where names end: a called attribute is not also a field access
    ref_names = spec.ref_names
    for capture, kind in _ORDER:
        for node in captures.get(capture, ()):
            start, end = node.start_byte, node.end_byte
            if ref_names and (field_name := ref_names.get(node.type)) is not None:
                name_node = child_of(node, field_name)
                if name_node is None:
                    continue
                end = name_node.end_byte
            if kind in _LESS_SPECIFIC and end in taken:
                continue
            if kind is not RefKind.NAME:
                taken.add(end)
            name, receiver = split_receiver(source.slice(start, end), spec.separators)
            if kind is RefKind.TYPE and len(name) == 1 and not receiver:
                continue  # a type parameter
            if name and (receiver or name not in spec.builtins):
                found.append((start, end, Reference(kind, name, receiver, 0, 0)))
    for node in captures.get("decorator", ()):
        text = source.of(node)
        name, receiver = split_receiver(decorator_name(text), spec.separators)
        if name:
            end = node.start_byte + text.find("(") if "(" in text else node.end_byte
            found.append((node.start_byte, end, Reference(RefKind.DECORATOR, name, receiver, 0, 0)))
    if spec.more_references is not None:
        for node in captures.get("ref.more", ()):
            for byte, ref in spec.more_references(node, source):
                found.append((byte, node.end_byte, ref))
    return found


def split_receiver(text: str, separators: tuple[str, ...]) -> tuple[str, str]:
    """("name", "receiver text") of a possibly qualified name."""
    cut = width = -1
    for separator in separators:
        at = text.rfind(separator)
        if at > cut:
            cut, width = at, len(separator)
    if cut < 0:
        return text.strip(), ""
    receiver = text[:cut]
    if len(receiver) > _RECEIVER_LIMIT:
        receiver = "…"
    elif "\n" in receiver or "  " in receiver:
        receiver = collapse(receiver, _RECEIVER_LIMIT)
    name = text[cut + width :].strip()
    if name[:1] == "<":
        name = name.rpartition(">")[2]  # type arguments of the call
    return name, receiver


def read_bindings(
    captures: Captures, source: SourceText, spec: LanguageSpec, symbols: tuple[Symbol, ...]
) -> tuple[Binding, ...]:
    """What the source tells about the types of variables."""
    if spec.binding is None:
        return ()
    scopes = Scopes(symbols)
    bindings: list[Binding] = []
    for node in sorted(captures.get("bind", ()), key=lambda n: n.start_byte):
        scope = scopes.at(node.start_byte)
        for name, type_text, called in spec.binding(node, source):
            if name and type_text and len(type_text) <= _RECEIVER_LIMIT:
                bindings.append(Binding(scope, name, collapse(type_text, 120), called))
    return tuple(dict.fromkeys(bindings))
