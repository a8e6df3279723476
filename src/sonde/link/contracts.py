"""Go interfaces, each under one word that every type satisfying it must know.

The word is the longest method name, which few other types have. A type asks for
the words it has, so no type is compared with every interface.
"""

from __future__ import annotations

from collections.abc import Sequence

from sonde.model import FileFacts, Kind

# Bound once: in Python 3.11 reading a member off its enum costs 15 times as much.
_KIND_INTERFACE = Kind.INTERFACE
_KIND_METHOD = Kind.METHOD


def contract_words(facts: FileFacts, ids: Sequence[int]) -> list[tuple[str, int]]:
    """The interfaces of a Go file, each with the word that it is found by."""
    if facts.language != "go":
        return []
    methods: dict[int, list[str]] = {}
    for symbol in facts.symbols:
        if symbol.kind is _KIND_METHOD and symbol.parent > 0 and not symbol.owner:
            methods.setdefault(symbol.parent, []).append(symbol.name)
    found = []
    for index, symbol in enumerate(facts.symbols):
        if symbol.kind is not _KIND_INTERFACE:
            continue
        if index in methods:
            word = max(methods[index], key=lambda name: (len(name), name))
            found.append((word, ids[index]))
        elif symbol.bases:
            found.append((composed_of(symbol.bases[0].rpartition(".")[2]), ids[index]))
    return found


def composed_of(name: str) -> str:
    """The word of an interface that only embeds others: the first of them."""
    return f"{{{name}}}"
