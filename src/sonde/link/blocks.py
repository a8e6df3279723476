"""Blocks as scopes: they follow the symbols of a file, and have what is around them as parent."""

from __future__ import annotations

from sonde.link.tables import Entry
from sonde.model import TYPE_KINDS, FileFacts, Kind, Symbol

_KIND_FUNCTION = Kind.FUNCTION  # bound once: reading a member off its enum costs 15 times as much


def with_blocks(facts: FileFacts, entries: list[Entry]) -> list[Symbol]:
    """The symbols of a file, each with the block around it as parent, and its blocks as nameless
    functions. The entries get one for each block, which has the id of the symbol around it."""
    symbols = list(facts.symbols)
    for index, block in facts.in_blocks:
        symbols[index] = symbols[index]._replace(parent=block)
    for parent in facts.blocks:
        entry = entries[parent]
        # types named in a block are looked up where they would be outside of it
        qualname = entry.qualname if parent else ""
        if entry.kind in TYPE_KINDS:
            qualname += "."
        entries.append(
            entry._replace(kind=_KIND_FUNCTION, qualname=qualname, owner="", bases=(), returns="")
        )
        symbols.append(
            symbols[parent]._replace(
                name="", kind=_KIND_FUNCTION, parent=parent, params=(), bases=(), owner=""
            )
        )
    return symbols
