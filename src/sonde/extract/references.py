"""Captured nodes → references, bindings and routes, each assigned to its enclosing symbol."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence, Set
from functools import cached_property
from typing import TYPE_CHECKING

from sonde.extract.arguments import read_arguments
from sonde.extract.bindings import Locals
from sonde.extract.chains import LONGEST, condensed
from sonde.extract.definitions import collapse, strip_generics
from sonde.extract.effects import read_effects
from sonde.extract.marks import decorator_name, is_list, more_names
from sonde.extract.params import without_comments
from sonde.extract.route_groups import RouteGroups
from sonde.extract.route_handlers import with_prefixes
from sonde.extract.routes import ROUTE_NAMES, read_routes
from sonde.extract.scopes import FOREVER, SCOPES, Scopes
from sonde.extract.spans import Captures
from sonde.extract.spec import LanguageSpec
from sonde.extract.text_of import child_of
from sonde.extract.type_parameters import arguments_given, last_brackets
from sonde.model import (
    CALLABLE_KINDS,
    Import,
    Kind,
    Reference,
    RefKind,
    Route,
    Symbol,
)

if TYPE_CHECKING:
    from sonde.extract.spec import Node
    from sonde.extract.text_of import SourceText

_Use = tuple[int, int, RefKind, str, str, str]  # start, end of the name, kind, name, receiver, args

# Bound once: in Python 3.11 reading a member off its enum costs 15 times as much.
_CALL = RefKind.CALL
_DECORATOR = RefKind.DECORATOR
_NAME = RefKind.NAME
_TYPE = RefKind.TYPE
_TYPE_ALIAS = Kind.TYPE_ALIAS
_new = tuple.__new__  # half the cost of calling the class, and there are hundreds of thousands

_KINDS = {kind.name.lower(): kind for kind in RefKind}
# of two captures that end at the same byte the earlier wins; captures of one name are unordered
_ORDER = tuple(
    (f"ref.{word}", _KINDS[word.removeprefix("qualified_")])
    for word in ("call", "raise", "base", "qualified_type", "type", "name", "field")
)
_CERTAINTY = re.compile(r"[?!]+(?=\.|$)")  # optional chaining and "never null" marks
_RECEIVER_LIMIT = 120  # longer receivers are kept without their arguments
# less specific than a call or base that ends at the same byte; one occurrence per scope is enough
_ONCE = frozenset({RefKind.FIELD, RefKind.TYPE, RefKind.NAME, RefKind.OPERATOR})
_BLOCKS = frozenset(
    {"block", "do_block", "method", "singleton_method", "lambda", "class", "module"}
)
_NOTHING: frozenset[str] = frozenset()
_OF_ARITY = frozenset({RefKind.CALL, RefKind.TYPE, RefKind.RAISE})
_OF_VALUES = frozenset({RefKind.CALL, RefKind.FIELD, RefKind.NAME, RefKind.OPERATOR})


def read_references(
    captures: Captures,
    source: SourceText,
    spec: LanguageSpec,
    symbols: tuple[Symbol, ...],
    imports: tuple[Import, ...],
    variables: Locals,
) -> tuple[tuple[Reference, ...], tuple[Route, ...]]:
    """Every use of a name, in source order, and the HTTP routes among the calls."""
    known = {s.name for s in symbols} | {i.alias for i in imports}
    bare_calls = (
        {s.name for s in symbols if s.kind in CALLABLE_KINDS} if spec.bare_calls else _NOTHING
    )
    found = _found(captures, source, spec, known)
    stand_ins = spec.stand_ins(captures, source) if spec.stand_ins is not None else None
    locals_ = _locals(captures, source, bare_calls) if bare_calls else {}
    found.extend(
        (byte, 0, ref.kind, ref.name, ref.receiver, "")
        for byte, ref in read_effects(source, spec.name)
    )
    found.sort()
    scopes, line_starts = Scopes(symbols), source.line_starts
    marked = _marked(symbols)
    scope = until = 0
    own_name = ""
    references: list[Reference] = []
    routes = _Routes(source, spec.name, symbols)
    in_block, block_ends, data = False, 0, source.data
    seen: set[tuple[int, RefKind, str, str, str]] = set()
    named: set[int] = set()  # aliases whose own name has been passed
    for byte, end, kind, name, receiver, args in found:
        if byte >= until:
            scope = scopes.at(byte)
            until, own_name = scopes.until, symbols[scope].name
        if kind is _NAME and name in bare_calls:
            if name in locals_ and any(start <= byte < end for start, end in locals_[name]):
                continue
            kind = _CALL
        if stand_ins is not None:
            if receiver:
                receiver = stand_ins.meant(byte, receiver)
            elif name in stand_ins.words and kind is _CALL:
                continue
        within = _of_holder(marked, byte, symbols, scope) if kind is _DECORATOR else scope
        if byte >= block_ends:
            in_block, block_ends = variables.inside(byte), variables.until
        if in_block and kind in _OF_VALUES and data[byte - 2 : byte] != b"::":
            within = variables.scope_of(scope, receiver or name, args)
        once = kind in _ONCE
        if not receiver and name == own_name and (once or bare_calls) and scope not in named:
            if symbols[scope].kind is _TYPE_ALIAS:
                named.add(scope)  # `type Error = Error;` names another one after its own
            continue  # the name in its own definition
        if once:
            key = (within, kind, name, receiver, args)
            if key in seen:
                continue
            seen.add(key)
        line = bisect_right(line_starts, byte)
        if name in ROUTE_NAMES and (kind is _CALL or kind is _DECORATOR):
            routes.read((byte, end, kind, name, receiver, args), line, scope)
        references.append(_new(Reference, (kind, name, receiver, line, within, args)))
    return tuple(references), with_prefixes(routes.found, symbols)


class _Routes:
    """The HTTP routes that uses declare."""

    def __init__(self, source: SourceText, language: str, symbols: tuple[Symbol, ...]) -> None:
        self.found: list[Route] = []
        self._source = source
        self._language = language
        self._symbols = symbols

    @cached_property
    def _groups(self) -> RouteGroups:
        return RouteGroups(self._source, self._language, self._symbols)

    def read(self, use: _Use, line: int, scope: int) -> None:
        """Add the routes that a use declares, with the paths of the groups around them."""
        byte, end, kind, name, receiver, _ = use
        for method, written, handler in read_routes(
            name, receiver, self._source, end, self._language, kind is _CALL
        ):
            path = self._groups.full(written, receiver, byte, scope)
            self.found.append(Route(method, path, handler, line, scope))


def _marked(symbols: tuple[Symbol, ...]) -> list[tuple[int, int, int]]:
    """Where fields and the like with decorators begin and end, which no use is inside of else."""
    found = ((s.start_byte, s.end_byte, at) for at, s in enumerate(symbols) if s.decorators)
    return sorted(each for each in found if symbols[each[2]].kind not in SCOPES)


def _of_holder(
    marked: list[tuple[int, int, int]], byte: int, symbols: tuple[Symbol, ...], scope: int
) -> int:
    """The field that a decorator stands before, or the scope around it."""
    at = bisect_right(marked, (byte, FOREVER)) - 1
    if at < 0 or marked[at][1] <= byte or marked[at][0] < symbols[scope].start_byte:
        return scope
    return marked[at][2]


def _locals(
    captures: Captures, source: SourceText, names: Set[str]
) -> dict[str, list[tuple[int, int]]]:
    """The ranges in which names are local variables: up to the end of a block or method."""
    found: dict[str, list[tuple[int, int]]] = {}
    for node in captures.get("local", ()):
        name = source.of(node)
        if name in names:
            around = node.parent
            while around is not None and around.type not in _BLOCKS:
                around = around.parent
            end = around.end_byte if around is not None else FOREVER
            found.setdefault(name, []).append((node.start_byte, end))
    return found


def _found(
    captures: Captures, source: SourceText, spec: LanguageSpec, known: Set[str]
) -> list[_Use]:
    """Every captured use; a name that is merely passed around must be known."""
    found: list[_Use] = []
    taken: set[int] = set()  # where names end: a called attribute is not also a field access
    found.extend(_decorators(captures, source, spec, taken))
    for capture, kind in _ORDER:
        nodes = captures.get(capture)
        if not nodes:
            continue
        if kind is _NAME:
            own = {source.of(node) for node in captures.get("local", ())}
            free = own if spec.free_names else None
            found.extend(_passed(nodes, source, taken, known, free))
        else:
            found.extend(_used(nodes, kind, source, spec, taken))
    if (inert := spec.inert_decorators) is not None:
        decorators = captures.get("decorator", ())
        still = [node for node in decorators if inert.match(source.data, node.start_byte)]
        found = _outside(still, found) if still else found
    if spec.more_references is not None:
        for node in captures.get("ref.more", ()):
            for byte, ref in spec.more_references(node, source):
                found.append((byte, node.end_byte, ref.kind, ref.name, ref.receiver, ref.args))
    return found


def _outside(decorators: Sequence[Node], found: list[_Use]) -> list[_Use]:
    """Uses without the calls inside of decorators."""
    spans = sorted((node.start_byte, node.end_byte) for node in decorators)
    starts = [start for start, _ in spans]

    def inside(byte: int) -> bool:
        at = bisect_right(starts, byte) - 1
        return at >= 0 and byte < spans[at][1]

    return [use for use in found if use[2] is not _CALL or not inside(use[0])]


def _passed(
    nodes: list[Node],
    source: SourceText,
    taken: set[int],
    known: Set[str],
    own: Set[str] | None,
) -> Iterator[_Use]:
    """Known names that appear alone; others are local variables, all or those of `own`."""
    slice_ = source.slice
    for node in nodes:
        end = node.end_byte
        if end not in taken:
            start = node.start_byte
            name = slice_(start, end)
            if name in known or (own is not None and name not in own):
                yield start, end, _NAME, name, "", ""


def _used(
    nodes: list[Node], kind: RefKind, source: SourceText, spec: LanguageSpec, taken: set[int]
) -> Iterator[_Use]:
    """Uses with their receivers; less specific kinds may not use an end already taken."""
    slice_, ref_names, builtins, sigil = source.slice, spec.ref_names, spec.builtins, spec.sigil
    less_specific, is_type = kind in _ONCE, kind is _TYPE
    root, begins, data, counted = (
        spec.root,
        spec.begins,
        source.data,
        spec.overloads and kind is _CALL,
    )
    arities = spec.arities and kind in _OF_ARITY
    parts: dict[str, tuple[str, str]] = {}
    for node in nodes:
        end = node.end_byte
        if ref_names and (field_name := ref_names.get(node.type)) is not None:
            name_node = child_of(node, field_name)
            if name_node is None:
                continue
            end = name_node.end_byte
        if less_specific and end in taken:
            continue
        taken.add(end)
        start = node.start_byte
        if begins is not None and data[start - 1] in b".:":
            start = begins(data, start)
        # the last characters hold the name, and a longer receiver is not kept
        text = slice_(start if end - start <= LONGEST else end - LONGEST, end)
        split = parts.get(text)
        if split is None:
            split = parts[text] = split_receiver(text, spec.separators)
        name, receiver = split
        if root and not receiver and text.startswith(root):
            receiver = root
        if not receiver and (name in builtins or (is_type and len(name) == 1)):
            continue  # one letter is a type parameter
        if name:
            if sigil and receiver:
                receiver = receiver.removeprefix(sigil)
            # a use is located at its name: its chain may have begun many lines above
            args = read_arguments(node, source, spec.name) if counted else ""
            if arities and (data[end : end + 1] == b"<" or text[-1] == ">"):
                args += _arity(text, node, source)
            yield max(start, end - len(name)), end, kind, name, receiver, args


def _arity(text: str, node: Node, source: SourceText) -> str:
    """How many type arguments the name of a type or method has: "<2>"; "" for none."""
    around = node.parent
    if text[-1] == ">":
        count = arguments_given(last_brackets(text))
    elif around is not None and around.type == "generic_name":
        count = arguments_given(source.slice(node.end_byte, around.end_byte))
    else:
        count = 0
    return f"<{count}>" if count else ""


def _decorators(
    captures: Captures, source: SourceText, spec: LanguageSpec, taken: set[int]
) -> Iterator[_Use]:
    for node in captures.get("decorator", ()):
        text = source.of(node)
        name, receiver = split_receiver(decorator_name(text), spec.separators)
        if name:
            end = node.start_byte + text.find("(") if "(" in text else node.end_byte
            if is_list(text):
                end = node.start_byte + text.find(name) + len(name)
            taken.add(end)
            yield node.start_byte, end, _DECORATOR, name, receiver, ""
        for at, more in more_names(text) if "[" in text[:14] else ():
            name, receiver = split_receiver(more, spec.separators)
            if name and name not in spec.builtins:
                start = node.start_byte + len(text[:at].encode())
                end = start + len(more.encode())
                taken.add(end)
                yield start, end, _DECORATOR, name, receiver, ""


def split_receiver(text: str, separators: tuple[str, ...]) -> tuple[str, str]:
    """("name", "receiver text") of a possibly qualified name."""
    if text.isidentifier():
        return text, ""
    if text[-1:] == ">":
        text = strip_generics(text)  # C++: make<std::vector<int>>
    cut, width = -1, 1
    for separator in separators:
        at = text.rfind(separator)
        if at >= cut + width:  # "&." is not also "."
            cut, width = at, len(separator)
    if cut < 0:
        return (text.lstrip("@"), "self") if text[:1] == "@" else (text.strip(), "")
    receiver = text[:cut]
    if len(receiver) > _RECEIVER_LIMIT:
        whole = len(text) < LONGEST
        receiver = (condensed(receiver) if whole else "") or "…"
    elif "\n" in receiver or "  " in receiver:
        if "//" in receiver or "/*" in receiver:
            receiver = without_comments(receiver, "//")
        receiver = collapse(receiver, _RECEIVER_LIMIT)
    if "?" in receiver or "!" in receiver:
        receiver = _CERTAINTY.sub("", receiver)
    name = text[cut + width :].strip()
    if name[:1] == "<":
        name = name.rpartition(">")[2]  # type arguments of the call
    return name, receiver
