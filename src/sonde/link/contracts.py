"""Interfaces that types satisfy implicitly, each indexed by one word such a type must have.

The word is the longest member name, which few other types have. A type looks up the words it has,
so no type is compared with every interface; most interfaces that share a word are then told apart
by their other members. Go compares methods with their types; Python (protocols) and TypeScript
compare the names of members.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from sonde.model import FileFacts, Kind, Symbol

# Bound once: in Python 3.11 reading a member off its enum costs 15 times as much.
_KIND_CLASS = Kind.CLASS
_KIND_CONSTRUCTOR = Kind.CONSTRUCTOR
_KIND_INTERFACE = Kind.INTERFACE
_KIND_METHOD = Kind.METHOD

NAME = re.compile(r"(?:\b([A-Za-z_]\w*)\.)?\b([A-Za-z_]\w*)\b")  # with its package, if written
PARAMETER = re.compile(r"\b[A-Z]\d?\b")  # T, K, V1: the type parameter of a generic type


NAMED_FAMILIES = {"python": "python", "typescript": "typescript", "tsx": "typescript"}
PROTOCOL = "Protocol"
_PROTOCOL_MODULES = ("typing", "typing_extensions")
_OPTIONAL = re.compile(r"[^(:=]*\?\s*(?:[(:]|$)")  # TypeScript: `done?: boolean`, `close?(): void`
_HANDED = re.compile(r"^[^=]*=>")  # a member that holds a function: `onClose: () => void`


class Contract(NamedTuple):
    """An interface and the outlines of its own members; in Go without the packages of types."""

    interface: int  # symbol id
    methods: frozenset[str]


def outline(name: str, takes: Sequence[str], returns: str) -> str:
    """A method without packages and parameter names: "Get(Context,string) error"."""
    return NAME.sub(r"\2", f"{name}({','.join(takes)}) {returns}")


def contract_rows(facts: FileFacts, ids: Sequence[int]) -> list[tuple[str, int, str]]:
    """The interfaces of a file: the word that indexes it, its id, and its members as lines."""
    if facts.language == "go":
        return _go_rows(facts, ids)
    if facts.language in NAMED_FAMILIES:
        return _named_rows(facts, ids)
    return []


def _go_rows(facts: FileFacts, ids: Sequence[int]) -> list[tuple[str, int, str]]:
    methods: dict[int, list[Symbol]] = {}
    for symbol in facts.symbols:
        if symbol.kind is _KIND_METHOD and symbol.parent > 0 and not symbol.owner:
            methods.setdefault(symbol.parent, []).append(symbol)
    found = []
    for index, symbol in enumerate(facts.symbols):
        if symbol.kind is not _KIND_INTERFACE:
            continue
        own = methods.get(index)
        if own:
            word = max((each.name for each in own), key=lambda name: (len(name), name))
            found.append((word, ids[index], "\n".join(sorted(map(_outlined, own)))))
        elif symbol.bases:
            found.append((composed_of(symbol.bases[0].rpartition(".")[2]), ids[index], ""))
    return found


def _outlined(method: Symbol) -> str:
    """A required method; only its name if it has a type parameter, which can be any type."""
    types = [param.type for param in method.params]
    open_ended = any(PARAMETER.search(text) for text in (*types, method.returns))
    return method.name if open_ended else outline(method.name, types, method.returns)


def _named_rows(facts: FileFacts, ids: Sequence[int]) -> list[tuple[str, int, str]]:
    """Python protocols and TypeScript interfaces that require something callable."""
    asking = _protocols(facts) if facts.language == "python" else _interfaces(facts)
    if not asking:
        return []
    family = NAMED_FAMILIES[facts.language]
    demanded: dict[int, set[str]] = {each: set() for each in asking}
    offered: set[int] = set()
    for symbol in facts.symbols:
        if symbol.parent in demanded and symbol.kind is not _KIND_CONSTRUCTOR:
            if _OPTIONAL.match(symbol.signature):
                offered.add(symbol.parent)
            else:
                demanded[symbol.parent].add(symbol.name)
    found = []
    for index, own in demanded.items():
        # One required member among optional ones: an options object, written where it is used.
        if len(own) > 1 or (own and index not in offered):
            word = max(own, key=lambda name: (len(name), name))
            found.append((named_word(family, word), ids[index], "\n".join(sorted(own))))
    return found


def _protocols(facts: FileFacts) -> list[int]:
    if not any(
        item.module in _PROTOCOL_MODULES and item.name in (PROTOCOL, "") for item in facts.imports
    ):
        return []
    return [
        index
        for index, symbol in enumerate(facts.symbols)
        if symbol.kind is _KIND_CLASS
        and any(base.rpartition(".")[2] == PROTOCOL for base in symbol.bases)
    ]


def _interfaces(facts: FileFacts) -> list[int]:
    callable_in = {
        symbol.parent
        for symbol in facts.symbols
        if symbol.kind is _KIND_METHOD or _HANDED.match(symbol.returns)
    }
    return [
        index
        for index, symbol in enumerate(facts.symbols)
        if symbol.kind is _KIND_INTERFACE and index in callable_in
    ]


def named_word(family: str, name: str) -> str:
    """The index word of an interface whose members are compared by name."""
    return f"{family} {name}"


def contract_of(interface: int, lines: str) -> Contract:
    """A contract from its row."""
    return Contract(interface, frozenset(lines.split("\n")) if lines else frozenset())


def composed_of(name: str) -> str:
    """The index word of an interface that only embeds others: the first of them."""
    return f"{{{name}}}"
