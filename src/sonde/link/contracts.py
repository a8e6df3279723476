"""Go interfaces, each under one word that every type satisfying it must know.

The word is the longest method name, which few other types have. A type asks for
the words it has, so no type is compared with every interface; and most that share
a word are told apart by the methods that stand beside it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from sonde.model import FileFacts, Kind, Symbol

# Bound once: in Python 3.11 reading a member off its enum costs 15 times as much.
_KIND_INTERFACE = Kind.INTERFACE
_KIND_METHOD = Kind.METHOD

NAME = re.compile(r"(?:\b([A-Za-z_]\w*)\.)?\b([A-Za-z_]\w*)\b")  # with its package, if written
PARAMETER = re.compile(r"\b[A-Z]\d?\b")  # T, K, V1: the type parameter of a generic type


class Contract(NamedTuple):
    """An interface, and what its own methods look like without the packages of their types."""

    interface: int  # symbol id
    methods: frozenset[str]


def outline(name: str, takes: Sequence[str], returns: str) -> str:
    """A method without packages and names of parameters: "Get(Context,string) error"."""
    return NAME.sub(r"\2", f"{name}({','.join(takes)}) {returns}")


def contract_rows(facts: FileFacts, ids: Sequence[int]) -> list[tuple[str, int, str]]:
    """The interfaces of a Go file: the word that finds one, its id, its methods as lines."""
    if facts.language != "go":
        return []
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
    """A demanded method; of one with a type parameter, which can be any type, only the name."""
    types = [param.type for param in method.params]
    open_ended = any(PARAMETER.search(text) for text in (*types, method.returns))
    return method.name if open_ended else outline(method.name, types, method.returns)


def contract_of(interface: int, lines: str) -> Contract:
    """A contract from its row."""
    return Contract(interface, frozenset(lines.split("\n")) if lines else frozenset())


def composed_of(name: str) -> str:
    """The word of an interface that only embeds others: the first of them."""
    return f"{{{name}}}"
