"""What a change to a symbol may reach: callers of callers, overriders, routes, tests."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy

from sonde.answers.dispatch import satisfied, satisfying
from sonde.answers.edges import around, expand, is_module, is_test, sources, targets
from sonde.answers.lookup import find_symbols, not_found
from sonde.answers.outdated import outdated
from sonde.answers.results import Affected, ImpactAnswer, Refusal
from sonde.answers.runners import is_inline_test
from sonde.answers.state import State
from sonde.model import (
    CALLABLE_KINDS,
    CONFIDENCE,
    TYPE_KINDS,
    EdgeKind,
    Kind,
    Provenance,
    SymbolRecord,
)
from sonde.retrieve.view import View
from sonde.store.graph import Graph
from sonde.store.links import MOST_AMBIGUOUS
from sonde.store.rows import KIND_NUMBER

SPREADING = (EdgeKind.CALLS, EdgeKind.OVERRIDES, EdgeKind.EXTENDS, EdgeKind.IMPLEMENTS)
# A symbol that mentions another depends on it, but its own dependents mostly do not.
_NEAR_ONLY = (
    EdgeKind.ACCESSES_FIELD,
    EdgeKind.REFERENCES,
    EdgeKind.DECORATES,
    EdgeKind.TYPE_HINT_OF,
    EdgeKind.THROWS,
)
_DISPATCH = 0.5  # a call of the base method may or may not land here
_MOST = 500
_DOUBTFUL = 100
_DEEPEST = 10


class Reached(NamedTuple):
    """How the search reached a symbol."""

    depth: int
    confidence: float
    kind: EdgeKind
    via: int


def reach(
    view: View, starts: Sequence[int], depth: int, extra: Sequence[EdgeKind] = ()
) -> dict[int, Reached]:
    """Everything that depends on the starts, by the surest of the shortest paths. A function
    depends on those inside it: it makes them, and calls them or hands them on."""
    graph = view.index.graph
    found: dict[int, Reached] = {id: Reached(0, 1.0, EdgeKind.CALLS, 0) for id in starts}
    layer = view.by_place(found)
    beside: dict[int, set[int]] = {}
    for step in range(1, depth + 1):
        bases = _bases(view, layer, found)
        found.update(bases)
        beside |= _beside(graph, bases)
        layer = view.by_place({*layer, *bases})
        kinds = (*SPREADING, *extra, *(_NEAR_ONLY if step == 1 else ()))
        columns = expand(graph.incoming, numpy.asarray(layer, numpy.int64), kinds)
        fresh = _satisfying(view, starts, found) if step == 1 else {}
        for near, other, kind, provenance in zip(*(c.tolist() for c in columns), strict=True):
            if other in beside.get(near, ()):
                continue
            confidence = found[near].confidence * CONFIDENCE[Provenance(provenance)]
            known = fresh.get(other)
            if other not in found and (known is None or confidence > known.confidence):
                fresh[other] = Reached(step, confidence, EdgeKind(kind), near)
        for near in layer:
            other = around(graph, near)
            if other and other not in found:
                how = Reached(step, found[near].confidence, EdgeKind.CONTAINS, near)
                fresh.setdefault(other, how)
        found.update(fresh)
        layer = view.by_place(fresh)  # of equally sure paths the first counts
        if not layer or len(found) > 20 * _MOST:
            break
    return found


def _satisfying(view: View, starts: Sequence[int], found: dict[int, Reached]) -> dict[int, Reached]:
    """Methods of types that satisfy an interface whose methods are among the starts."""
    sure = CONFIDENCE[Provenance.INFERRED]
    return {
        method: Reached(1, sure, EdgeKind.OVERRIDES, start)
        for method, start in satisfying(view, starts)
        if method not in found
    }


def _bases(view: View, layer: Sequence[int], found: Mapping[int, Reached]) -> dict[int, Reached]:
    """What methods of a layer override: callers of it may be calling them. No steps of their own.

    A constructor is called by its type. What was reached as an override may run for the base, which
    is on the way already.
    """
    graph = view.index.graph
    methods = [
        id
        for id in layer
        if found[id].kind is not EdgeKind.OVERRIDES
        and graph.columns.kind[id] != KIND_NUMBER[Kind.CONSTRUCTOR]
    ]
    named = [(base, at) for at in methods for base in targets(graph, at, EdgeKind.OVERRIDES)]
    bases: dict[int, Reached] = {}
    for base, at in (*named, *satisfied(view, methods)):
        how = Reached(0, found[at].confidence * _DISPATCH, EdgeKind.OVERRIDES, at)
        known = bases.get(base)
        if base not in found and (known is None or how.confidence > known.confidence):
            bases[base] = how
    return bases


def _beside(graph: Graph, bases: Iterable[int]) -> dict[int, set[int]]:
    """What else overrides each base: it does not depend on the starts, nor by calling super."""
    return {base: sources(graph, base, EdgeKind.OVERRIDES) for base in bases}


def answer_impact(symbol: str, state: State, depth: int = 3) -> ImpactAnswer | Refusal:
    """What depends on a symbol, by depth and confidence."""
    if not 1 <= depth <= _DEEPEST:
        return Refusal(f"a depth of {depth} makes no sense: give a number from 1 to {_DEEPEST}")
    view = state.view
    meant = find_symbols(view, symbol)
    if not meant:
        return not_found(view, symbol)
    starts = with_members(view, meant)
    found = reach(view, starts, depth)
    rows = _affected(view, found, set(starts))
    graph = view.index.graph
    doubtful = _doubtful(view, starts)
    tests = [row for row in rows if _tests(graph, row.symbol)]
    others = [row for row in rows if not _tests(graph, row.symbol)]
    return ImpactAnswer(
        tuple(meant),
        tuple(others[:_MOST]),
        tuple(tests[:_MOST]),
        _routes(view, [*meant, *(row.symbol for row in others[:_MOST])]),
        len(doubtful),
        len(others) > _MOST or len(tests) > _MOST,
        _doubtful_rows(view, doubtful[:_DOUBTFUL]),
        _namesakes(view, meant),
        *outdated(state, (one.file for one in (*meant, *(row.symbol for row in rows)))),
    )


def _tests(graph: Graph, symbol: SymbolRecord) -> bool:
    return is_test(graph, symbol.id) or is_inline_test(symbol)


def with_members(view: View, records: Sequence[SymbolRecord]) -> list[int]:
    """Ids of the symbols and, for types, of their members: the change may be in any of them."""
    ids = {record.id for record in records}
    for record in records:
        if record.kind in TYPE_KINDS:
            ids.update(targets(view.index.graph, record.id, EdgeKind.CONTAINS))
    return view.by_place(ids)


def _affected(view: View, found: dict[int, Reached], starts: set[int]) -> list[Affected]:
    graph = view.index.graph
    ids = [id for id, how in found.items() if how.depth and id not in starts]
    ids = [id for id in ids if not is_module(graph, id) or found[id].kind is EdgeKind.CALLS]
    names = {r.id: r.qualname for r in view.records([found[id].via for id in ids])}
    rows = []
    for record in view.records(view.by_place(ids)):
        how = found[record.id]
        line = _line(view, record.id, how)
        via = names.get(how.via, "")
        rows.append(Affected(record, how.depth, round(how.confidence, 3), how.kind, via, line))
    rows.sort(key=lambda r: (r.depth, -r.confidence, r.symbol.file, r.symbol.start_line, r.line))
    return rows


def _line(view: View, id: int, how: Reached) -> int:
    if how.kind is EdgeKind.CONTAINS:
        return int(view.index.graph.columns.start_line[how.via])
    lines = [
        line
        for target, kind, line, _ in view.index.graph.out_edges(id)
        if target == how.via and kind == how.kind
    ]
    return min(lines, default=0)


def _routes(view: View, records: Sequence[SymbolRecord]) -> tuple[tuple[str, str], ...]:
    found = {
        (leaf.label, record.qualname)
        for record in records
        for leaf in view.index.leaves(record.id)
        if leaf.kind is EdgeKind.HANDLES_ROUTE
    }
    return tuple(sorted(found))


def _doubtful(view: View, starts: Sequence[int]) -> list[tuple[int, int]]:
    """Callers whose unresolved calls may mean a symbol or others of its name, and which one."""
    graph = view.index.graph
    return [
        (caller, id)
        for id in starts
        for caller in view.by_place(
            sources(graph, id, EdgeKind.CALLS, ambiguous=True) - sources(graph, id, EdgeKind.CALLS)
        )
    ]


def _namesakes(view: View, records: Sequence[SymbolRecord]) -> tuple[tuple[str, int], ...]:
    """Names of functions with so many definitions that unresolved calls of them have no edge."""
    names = sorted({record.name for record in records if record.kind in CALLABLE_KINDS})
    found = view.defined_by_name(names)
    counts = [(name, len(found.get(name, ()))) for name in names]
    return tuple((name, count) for name, count in counts if count > MOST_AMBIGUOUS)


def _doubtful_rows(view: View, calls: Sequence[tuple[int, int]]) -> tuple[Affected, ...]:
    known = {each.id: each for each in view.records([id for call in calls for id in call])}
    sure = CONFIDENCE[Provenance.AMBIGUOUS]
    found = []
    for caller, id in calls:
        line = _line(view, caller, Reached(1, sure, EdgeKind.CALLS, id))
        record, via = known[caller], known[id].qualname
        found.append(Affected(record, 1, sure, EdgeKind.CALLS, via, line))
    return tuple(found)
