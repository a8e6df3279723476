"""Graph-derived aliases: the name of a caller hints at what its callees are for.

If the task says "blast radius" and `handleBlastRadius` calls `transitiveCallers`, the latter is
relevant too, though it shares no word with the task.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sonde.model import EdgeKind, Provenance
from sonde.retrieve.channel import Channel, Hit, ranked
from sonde.retrieve.view import name_words

if TYPE_CHECKING:
    from sonde.model import Query
    from sonde.retrieve.view import View

_NAMED = 10  # symbols whose neighbours are considered
_NEIGHBOURS = 8
_LIMIT = 15
_AMBIGUOUS = int(Provenance.AMBIGUOUS)
_FOLLOWED = (EdgeKind.CALLS, EdgeKind.IMPLEMENTS, EdgeKind.OVERRIDES)


def find(query: Query, view: View) -> list[Hit]:
    """Neighbours of symbols whose name contains two adjacent words of the task."""
    hits: list[Hit] = []
    for id, phrase in _phrase_symbols(query, view):
        used = [
            target
            for target, kind, _, provenance in view.index.graph.out_edges(id)
            if kind in _FOLLOWED and provenance != _AMBIGUOUS
        ]
        for place, target in enumerate(view.by_place(used)[:_NEIGHBOURS], 1):
            hits.append(Hit(target, 1.0 / (1.0 + 0.2 * place), f"used for {phrase!r}"))
    return ranked(hits, _LIMIT)


def _phrase_symbols(query: Query, view: View) -> list[tuple[int, str]]:
    """Symbols whose name contains two adjacent words of the task, and those words."""
    found: dict[int, str] = {}
    for name in query.generated:
        words = name_words(name)
        if len(words) != 2 or "_" not in name:
            continue
        for form in (name, "".join(words)):
            for id in view.index.ids_with_prefix(form.lower(), 4):
                if not view.is_test(id):
                    found.setdefault(id, " ".join(words))
        if len(found) >= _NAMED:
            break
    return list(found.items())[:_NAMED]


CHANNEL = Channel("aliases", 0.7, find)
