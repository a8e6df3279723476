"""One symbol by name: its card, and everything related to it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sonde.answers.authorship import authored_by
from sonde.answers.dispatch import related, satisfied, satisfying
from sonde.answers.edges import callees_of, callers_of, edge_between, related_by, sources, targets
from sonde.answers.lookup import find_symbols, names_file, near_names, not_found
from sonde.answers.outdated import outdated
from sonde.answers.results import Refusal, Related, SymbolAnswer, SymbolCard
from sonde.answers.spec_files import BLOCK_LANGUAGES, specs_of
from sonde.answers.state import State
from sonde.answers.support import members
from sonde.expression import expression
from sonde.model import EdgeKind, Kind, Provenance, RefKind, SymbolRecord, Unresolved
from sonde.retrieve.view import View

_BROKEN = expression(r"\s*(\??\.|->|::)\s*")  # where long chains continue on the next line
_CARDS = 20  # symbols of one name that get a card; the rest are counted
_LISTED = 100  # of each relation
_OVER = (EdgeKind.OVERRIDES,)
_KINDS_OF = (EdgeKind.IMPLEMENTS, EdgeKind.EXTENDS)
_USES = (
    EdgeKind.DECORATES,
    EdgeKind.REFERENCES,
    EdgeKind.TYPE_HINT_OF,
    EdgeKind.THROWS,
    EdgeKind.ACCESSES_FIELD,
)


def answer_symbol(name: str, state: State) -> SymbolAnswer | Refusal:
    """Cards for all symbols that the name can mean, by path and line, or similar names."""
    if not name.strip():
        return Refusal("no name given: write a symbol's name, such as Class.method")
    found = find_symbols(state.view, name)
    if not found and names_file(state.view, name):
        return not_found(state.view, name)
    cards = tuple(symbol_card(state.view, record) for record in found[:_CARDS])
    return SymbolAnswer(
        name,
        cards,
        () if found else near_names(state.view, name),
        max(0, len(found) - _CARDS),
        *outdated(state, _files(cards)),
    )


def _files(cards: Iterable[SymbolCard]) -> Iterator[str]:
    """The files of the symbols and of both ends of calls."""
    for card in cards:
        yield card.record.file
        yield from (
            one.symbol.file for one in (*card.callers, *card.uses, *card.callees, *card.tests)
        )


def _told_by_members(view: View, tests: set[int]) -> set[int]:
    """Test files as a whole of which a class or function is among the tests as well.

    Where tests are blocks the file stands for them: functions beside them only help.
    """
    records = view.records(view.by_place(tests))
    places = {record.file for record in records if record.kind is not Kind.MODULE}
    modules = [record for record in records if record.kind is Kind.MODULE]
    return {r.id for r in modules if r.file in places and r.language not in BLOCK_LANGUAGES}


def _tests(view: View, tests: set[int], id: int) -> list[Related]:
    found = callers_of(view, id, (EdgeKind.TESTS,), _LISTED)
    return [one for one in found if one.symbol.id in tests or not one.resolved]


def _named_after(view: View, id: int, specs: list[int]) -> Iterator[Related]:
    """Test files that mention a symbol and are named after its file."""
    for record in view.records(specs[:_LISTED]):
        edge = edge_between(view.index.graph, record.id, id, (EdgeKind.REFERENCES,))
        yield Related(record, EdgeKind.TESTS, edge[1] if edge else 1, Provenance.NAMING)


def _on_one_line(use: Unresolved) -> Unresolved:
    """The use, with a chain of calls joined onto one line, and `::f` as one name."""
    if use.receiver and not use.receiver.strip("\\:"):
        return use._replace(name=use.receiver + use.name, receiver="")
    return use._replace(receiver=_BROKEN.sub(r"\1", use.receiver))


def _inside(view: View, record: SymbolRecord) -> set[int]:
    """The members of a type, which may name it without being its users."""
    return targets(view.index.graph, record.id, EdgeKind.CONTAINS)


def symbol_card(view: View, record: SymbolRecord) -> SymbolCard:
    """A symbol with its relations."""
    id, graph, index = record.id, view.index.graph, view.index
    contained = members(view, record, {})
    contained.sort(
        key=lambda one: (one.file != record.file, one.file, one.start_line, one.qualname)
    )
    unresolved = [
        _on_one_line(use) for use in index.unresolved_from(id) if use.kind is RefKind.CALL
    ]
    routes = [leaf.label for leaf in index.leaves(id) if leaf.kind is EdgeKind.HANDLES_ROUTE]
    called_by = sources(graph, id, EdgeKind.CALLS)
    tested_by = sources(graph, id, EdgeKind.TESTS)
    specs = view.by_place(specs_of(view, record) - tested_by)
    tested_by -= _told_by_members(view, tested_by)
    heirs = sources(graph, id, *_KINDS_OF)
    used_by = sources(graph, id, *_USES) - called_by - heirs - {id, *_inside(view, record)}
    stands_for = related(view, satisfied(view, [id]))
    run_by = related(view, satisfying(view, [id]))
    return SymbolCard(
        record,
        callers=tuple(callers_of(view, id, (EdgeKind.CALLS,), _LISTED)),
        callees=tuple(
            one
            for one in callees_of(view, id, (EdgeKind.CALLS,), _LISTED)
            if one.provenance is not Provenance.AMBIGUOUS
        ),
        uses=tuple(related_by(view, id, view.by_place(used_by)[:_LISTED], _USES)),
        bases=tuple(callees_of(view, id, _KINDS_OF, _LISTED)),
        overrides=(*callees_of(view, id, _OVER, _LISTED), *stands_for),
        overridden_by=(*callers_of(view, id, _OVER, _LISTED), *run_by),
        implementations=tuple(callers_of(view, id, _KINDS_OF, _LISTED)),
        tests=(*_tests(view, tested_by, id), *_named_after(view, id, specs)),
        members=tuple(contained[:_LISTED]),
        unresolved=tuple(unresolved),
        routes=tuple(sorted(routes)),
        authored_by=authored_by(view, record, contained),
        totals=(
            ("callers", len(called_by)),
            ("uses", len(used_by)),
            ("callees", len(targets(graph, id, EdgeKind.CALLS))),
            ("overridden_by", len(sources(graph, id, *_OVER)) + len(run_by)),
            ("implementations", len(heirs)),
            ("tests", len(tested_by) + len(specs)),
            ("members", len(contained)),
        ),
    )
