"""Shared by the human-readable formats: why an item is there, and the state of the index."""

from __future__ import annotations

from collections.abc import Sequence

from sonde.model import VERBS, EdgeKind, Fidelity, Item, Pack, PackEdge
from sonde.pack.cards import visible_path
from sonde.pack.freshness import freshness
from sonde.pack.missed import missed

_WHY = "\n  why: "


def notes(pack: Pack) -> list[str]:
    """Lines about the answer itself, each on one line."""
    unseen = (*freshness(pack), *missed(pack.statistics))
    return [*unseen, *([f"left out: {pack.omitted}"] if pack.omitted else [])]


def card(item: Item) -> str:
    """An item that is not source, and why it is there: on the same line if the item is one line."""
    if not item.reason:
        return item.text
    return f"{item.text}{' ' if item.fidelity is Fidelity.OUTLINE else _WHY}{item.reason}"


def mentions(items: Sequence[Item]) -> list[str]:
    """The one-line items, grouped under the paths of their files."""
    files: dict[str, list[str]] = {}
    for item in items:
        if item.fidelity is Fidelity.OUTLINE:
            files.setdefault(item.symbol.file, []).append(f"  {card(item)}")
    return [line for file, lines in files.items() for line in (f"in {visible_path(file)}:", *lines)]


def relation(edge: PackEdge) -> str:
    """An edge as a sentence that reads correctly from left to right."""
    return f"{edge.source} {VERBS[EdgeKind[edge.kind.upper()]]} {edge.target}"
