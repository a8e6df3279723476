"""Methods that stand for one another because a type satisfies an interface without naming it.

Links tie such types to their interfaces (Go, protocols of Python, interfaces of TypeScript). That
a call of the interface's method may run the type's is told here, by name: there are no overloads.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sonde.answers.edges import inferred, sources, targets
from sonde.answers.results import Related
from sonde.model import CALLABLE_KINDS, EdgeKind, Provenance, SymbolRecord
from sonde.retrieve.view import View

_MOST_TYPES = 200  # that satisfy one interface, or interfaces that one type satisfies


def satisfied(view: View, ids: Iterable[int]) -> list[tuple[int, int]]:
    """The methods of interfaces that these methods stand for, each with the method."""
    return _counterparts(view, ids, satisfying=False)


def satisfying(view: View, ids: Iterable[int]) -> list[tuple[int, int]]:
    """The methods that calls of these methods of interfaces may run, each with the called."""
    return _counterparts(view, ids, satisfying=True)


def related(view: View, pairs: Sequence[tuple[int, int]]) -> list[Related]:
    """The first of each pair as a symbol on the other end of an edge."""
    records = view.records(view.by_place({first for first, _ in pairs}))
    return [
        Related(record, EdgeKind.OVERRIDES, record.start_line, Provenance.INFERRED)
        for record in records
    ]


def _counterparts(view: View, ids: Iterable[int], *, satisfying: bool) -> list[tuple[int, int]]:
    graph = view.index.graph
    by_owner: dict[int, list[int]] = {}
    for id in ids:
        for owner in sources(graph, id, EdgeKind.CONTAINS):
            by_owner.setdefault(owner, []).append(id)
    found: list[tuple[int, int]] = []
    for owner, members in by_owner.items():
        types = inferred(graph, owner, EdgeKind.IMPLEMENTS, incoming=satisfying)[:_MOST_TYPES]
        if not types:
            continue
        own = {record.name: record.id for record in _methods(view, members)}
        for type_ in types:
            for record in _methods(view, targets(graph, type_, EdgeKind.CONTAINS)):
                if record.name in own:
                    found.append((record.id, own[record.name]))
    return found


def _methods(view: View, ids: Iterable[int]) -> list[SymbolRecord]:
    return [record for record in view.records(list(ids)) if record.kind in CALLABLE_KINDS]
