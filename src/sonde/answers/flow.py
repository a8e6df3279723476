"""How one symbol reaches another."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from sonde.answers.edges import targets
from sonde.answers.lookup import find_symbols, not_found
from sonde.answers.outdated import outdated
from sonde.answers.paths import shortest_paths
from sonde.answers.results import FlowAnswer, Refusal, Step
from sonde.answers.state import State
from sonde.model import EdgeKind
from sonde.retrieve.view import View

_CALLS = (EdgeKind.CALLS,)
_DISPATCH = (EdgeKind.OVERRIDES,)
_LOOSE = (
    EdgeKind.CALLS,
    EdgeKind.REFERENCES,
    EdgeKind.EXTENDS,
    EdgeKind.IMPLEMENTS,
    EdgeKind.OVERRIDES,
    EdgeKind.TYPE_HINT_OF,
    EdgeKind.ACCESSES_FIELD,
    EdgeKind.DECORATES,
    EdgeKind.THROWS,
    EdgeKind.CONTAINS,
)
_PATHS = 3
_MANY = 30  # paths of which some may go wrong
_LOOSE_DEPTH = 6  # further apart, everything is connected to everything


def answer_flow(source: str, target: str, state: State) -> FlowAnswer | Refusal:
    """Calls from source to target, else the other way, else the shortest path of any kind."""
    view = state.view
    starts, ends = find_symbols(view, source), find_symbols(view, target)
    for name, found in ((source, starts), (target, ends)):
        if not found:
            return not_found(view, name)
    begin, end = [each.id for each in starts], [each.id for each in ends]
    if set(begin) & set(end):
        return Refusal(f"{source!r} and {target!r} are the same symbol: name two different ones")
    is_reversed = loose = False
    paths = _calls(view, begin, end)
    if not paths:
        paths = _calls(view, end, begin)
        is_reversed = bool(paths)
    if not paths:
        # what one test uses is near another thing it uses by chance
        paths = _ties(view, begin, end, without_tests=True) or _ties(view, begin, end)
        loose = bool(paths)
    first, last = starts[0], ends[0]
    if paths:
        first, last = paths[0][0].source, paths[0][-1].target
    if is_reversed:
        first, last = last, first
    shown = {first.file, last.file, *(step.target.file for path in paths for step in path)}
    return FlowAnswer(first, last, tuple(paths), is_reversed, loose, *outdated(state, shown))


def _calls(view: View, begin: Sequence[int], end: Sequence[int]) -> list[tuple[Step, ...]]:
    """Calls alone, else with those that may land in what overrides the called."""
    if paths := shortest_paths(view, begin, end, _CALLS, limit=_PATHS):
        return paths
    paths = shortest_paths(view, begin, end, _CALLS, against=_DISPATCH, unnamed=True, limit=_MANY)
    return [path for path in paths if not _leaves_super(view, path)][:_PATHS]


def _leaves_super(view: View, path: Sequence[Step]) -> bool:
    """Whether a call of what the caller itself overrides goes on to another override of it."""
    return any(
        call.forward
        and not landing.forward
        and call.target.id in targets(view.index.graph, call.source.id, EdgeKind.OVERRIDES)
        for call, landing in pairwise(path)
    )


def _ties(
    view: View, begin: Sequence[int], end: Sequence[int], *, without_tests: bool = False
) -> list[tuple[Step, ...]]:
    return shortest_paths(
        view,
        begin,
        end,
        _LOOSE,
        against=_LOOSE,
        limit=_PATHS,
        deepest=_LOOSE_DEPTH,
        without_tests=without_tests,
    )
