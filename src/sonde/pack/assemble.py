"""Ranked symbols → a pack within its budget, by an exact token count of the rendered text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from sonde.model import Fidelity, Item, Pack, PackEdge, Ranked, Section
from sonde.pack.budget import Selection
from sonde.pack.cards import place, qualified
from sonde.pack.errors import BudgetTooSmall, PackError, UnknownFormat, UnknownTokenizer
from sonde.pack.fill import fill
from sonde.pack.freshness import named
from sonde.pack.profile import IMPORTS, SECTIONS, profile
from sonde.pack.relevance import Relevant, relevant
from sonde.pack.render import FORMATS, Format
from sonde.pack.request import DEFAULT_BUDGET, Edge, PackRequest
from sonde.pack.root import ROOT_DIGITS, pack_root
from sonde.pack.tokens import TokenCounter, token_counter
from sonde.pack.visible import one_line

SECTION_FRAME = 12  # tokens for a section's opening and closing; the exact count corrects it
RELATIONS_SHARE = 0.1  # of the aim: relations explain the items but do not replace them
MAX_RELATIONS = 20
LINE_LIMIT = 200  # characters of an import line
SUPPORT_VALUE = 0.5  # a test or caller is dropped before an equally ranked definition
# Of several edges from one symbol to another only one is told: any other says more than a call, a
# call (which a test or a decorator makes too) more than a type, a type more than a mention.
_LEAST_TELLING = ("references", "type_hint_of", "accesses_field", "calls")
_SHOWN_BY_CARDS = frozenset({"contains", "member_of"})


def assemble(request: PackRequest) -> Pack | PackError:
    """Choose, build and fit the pack; returns an error value for a bad budget or unknown name."""
    form = FORMATS.get(request.format)
    if form is None:
        return UnknownFormat(request.format, tuple(FORMATS))
    counter = token_counter(request.tokenizer)
    if isinstance(counter, UnknownTokenizer):
        return counter
    return _Assembly(request, form, counter).pack()


def _cost(form: Format, counter: TokenCounter, item: Item) -> int:
    return counter.count(form.fragment(item) + "\n")


class _Assembly:
    """One pack in the making."""

    def __init__(self, request: PackRequest, form: Format, counter: TokenCounter) -> None:
        self._request = request
        self._form = form
        self._counter = counter
        self._found: Relevant = relevant(request)
        frame = counter.count(form.render(self._build(None, (), ())))
        capacity = max(0, request.budget - frame - SECTION_FRAME * len(SECTIONS))
        # Not a method: a reference cycle with the selection would keep the whole index alive.
        self._selection = Selection(request, partial(_cost, form, counter), capacity)

    def pack(self) -> Pack | BudgetTooSmall:
        """Fill the sections, then drop the least valuable items until the text fits."""
        request, selection = self._request, self._selection
        shares = profile(request.intent)
        fill(selection, request, self._found, shares)
        edges = self._edges()
        imports = self._imports(edges, round(self._found.aim * shares.imports))
        relations = self._relations(edges, round(self._found.aim * RELATIONS_SHARE))
        while True:
            pack = self._build(selection, imports, relations)
            tokens = self._counter.count(self._form.render(pack))
            if tokens <= request.budget:
                return replace(pack, tokens=tokens)
            excess = tokens - request.budget
            if imports or relations:
                imports, relations = self._fewer(imports, relations, excess)
            elif not selection.drop_hint() and not self._shed(excess):
                return self._too_small()

    def _edges(self) -> list[Edge]:
        """Edges among the chosen symbols that no card already states, best ends first."""
        ids = [item.symbol.id for item in self._selection.all_items()]
        if len(ids) < 2:
            return []
        order = {symbol_id: position for position, symbol_id in enumerate(ids)}
        return sorted(
            {
                edge
                for edge in self._request.edges(ids, ids)
                if edge[0] != edge[2] and edge[1] not in _SHOWN_BY_CARDS
            },
            key=lambda edge: (order[edge[0]] + order[edge[2]], order[edge[0]], edge[1]),
        )

    def _imports(self, edges: Sequence[Edge], room: int) -> list[str]:
        """Imports among the files shown, except between files whose symbols are already related."""
        file = {item.symbol.id: item.symbol.file for item in self._selection.all_items()}
        tied = {(file[source], file[target]) for source, _, target in edges}
        lines: list[str] = []
        room = min(room, self._selection.capacity - self._selection.spent)
        for pair in self._request.imports(list(dict.fromkeys(file.values()))):
            if pair in tied:
                continue
            shown = one_line(" -> ".join(pair), LINE_LIMIT)
            room -= self._counter.count(shown) + 3  # quotes or list marks around it
            if room < 0:
                break
            lines.append(shown)
        self._selection.spent += self._counter.count("\n".join(lines)) if lines else 0
        return lines

    def _relations(self, edges: Sequence[Edge], room: int) -> list[Edge]:
        """The edges that no source and no reason in the pack states, as many as fit."""
        items = self._selection.all_items()
        by_id = {item.symbol.id: item for item in items}
        room = min(room, self._selection.capacity - self._selection.spent)
        kept: list[Edge] = []
        names = _names(items)
        for source, kind, target in _most_telling(edges):
            if _is_told(by_id[source], kind, by_id[target]):
                continue
            room -= self._counter.count(f"{names[source]} {kind} {names[target]}") + 4
            if room < 0 or len(kept) == MAX_RELATIONS:
                break
            kept.append((source, kind, target))
        return kept

    def _fewer(
        self, imports: list[str], relations: list[Edge], excess: int
    ) -> tuple[list[str], list[Edge]]:
        """Drop import lines, then relations, from the end until the excess is gone."""
        while excess > 0 and (imports or relations):
            if imports:
                excess -= self._counter.count(imports[-1])
                imports = imports[:-1]
            else:
                excess -= 4  # at least a name, a verb and a name on its line
                relations = relations[:-1]
        return imports, relations

    def _shed(self, excess: int) -> bool:
        """Shorten or remove the least valuable items; False if only the last card is left."""
        before = [(item.symbol.id, item.fidelity) for item in self._selection.all_items()]
        freed = 0
        entries = self._by_value()
        for entry in entries:
            if freed >= excess:
                break
            freed += self._step_down(entry, keep=entry is entries[-1])
        return before != [(i.symbol.id, i.fidelity) for i in self._selection.all_items()]

    def _step_down(self, entry: Ranked, keep: bool) -> int:
        symbol_id = entry.symbol.id
        if self._selection.fidelity(symbol_id) <= Fidelity.COMPACT:
            return 0 if keep else self._selection.shed(symbol_id, None)
        return self._selection.shed(symbol_id, entry)

    def _by_value(self) -> list[Ranked]:
        """Placed entries, least valuable first, the primary target last."""
        request, selection = self._request, self._selection
        valued: list[tuple[float, str, int, Ranked]] = []
        seen: set[int] = set()
        support = (request.tests, request.callers, request.neighbours)
        for worth, entries in (
            (1.0, self._found.symbols),
            *((SUPPORT_VALUE, listed) for listed in support),
        ):
            best = max((abs(entry.score) for entry in entries), default=0.0) or 1.0
            for entry in entries:
                symbol = entry.symbol
                if symbol.id in selection and symbol.id not in seen:
                    seen.add(symbol.id)
                    value = worth * entry.score / best
                    valued.append((value, symbol.file, -symbol.start_line, entry))
        primary = [entry.symbol.id for entry in self._found.targets[:1]]
        valued.sort(key=lambda row: (row[3].symbol.id in primary, *row[:3]))
        return [row[3] for row in valued]

    def _too_small(self) -> BudgetTooSmall:
        # The root, and so its token count, changes with the budget: assume one token per digit, so
        # that the minimum we report is enough.
        smallest = replace(self._build(self._selection, (), ()), root="")
        minimum = self._counter.count(self._form.render(smallest)) + ROOT_DIGITS
        return BudgetTooSmall(self._request.budget, minimum)

    def _build(
        self,
        selection: Selection | None,
        imports: Sequence[str],
        relations: Sequence[Edge],
    ) -> Pack:
        request = self._request
        sections = []
        for name in SECTIONS:
            items = tuple(selection.items(name)) if selection else ()
            lines = tuple(selection.hints(name)) if selection else ()
            if name == IMPORTS:
                lines = (*imports, *lines)
            if items or lines:
                sections.append(Section(name, items, lines))
        chosen = [item for section in sections for item in section.items]
        names = _names(chosen)
        return Pack(
            task=request.task,
            intent=request.intent,
            confidence=request.confidence,
            budget=request.budget,
            tokens=0,
            sections=tuple(sections),
            edges=tuple(PackEdge(names[a], kind, names[b]) for a, kind, b in relations),
            omitted=_omitted(request, chosen),
            root=pack_root(
                request.task,
                (request.intent, request.tokenizer, request.format, *imports),
                request.budget,
                chosen,
            ),
            certainty=self._found.certainty,
            statistics=request.statistics,
            stale=named(request.stale, (item.symbol.file for item in chosen)),
            stale_count=len(request.stale),
            indexed_share=request.indexed_share,
        )


def _most_telling(edges: Sequence[Edge]) -> list[Edge]:
    """One edge from each symbol to each other, in the order of the first between them."""
    kept: dict[tuple[int, int], str] = {}
    for source, kind, target in edges:
        other = kept.get((source, target))
        if other is None or _telling(kind) > _telling(other):
            kept[source, target] = kind
    return [(source, kind, target) for (source, target), kind in kept.items()]


def _telling(kind: str) -> int:
    return _LEAST_TELLING.index(kind) if kind in _LEAST_TELLING else len(_LEAST_TELLING)


def _is_told(source: Item, kind: str, target: Item) -> bool:
    """Whether the source of one end, or the reason for either, already states the edge."""
    return (
        source.fidelity is Fidelity.FULL
        or source.reason == f"{kind} {target.symbol.name}"
        or target.reason.endswith(f" by {source.symbol.name}")
    )


def _names(items: Sequence[Item]) -> dict[int, str]:
    """A printable name for each symbol, with its place if the name alone is ambiguous."""
    names = {item.symbol.id: qualified(item.symbol) for item in items}
    taken = list(names.values())
    return {
        item.symbol.id: name if taken.count(name) == 1 else f"{name} ({place(item.symbol)})"
        for item in items
        for name in (names[item.symbol.id],)
    }


def _omitted(request: PackRequest, chosen: Sequence[Item]) -> str:
    """One line: how many ranked symbols are not shown, and the flag that shows more."""
    shown = {item.symbol.id for item in chosen}
    opened: dict[str, list[tuple[int, int]]] = {}
    for item in chosen:
        if item.fidelity is Fidelity.FULL:
            span = (item.symbol.start_byte, item.symbol.end_byte)
            opened.setdefault(item.symbol.file, []).append(span)
    missing = [entry.symbol for entry in request.ranked]
    if shown:
        missing = [symbol for symbol in missing if symbol.id not in shown]
    if opened:
        missing = [
            symbol
            for symbol in missing
            if symbol.file not in opened
            or not any(
                start <= symbol.start_byte and symbol.end_byte <= end
                for start, end in opened[symbol.file]
            )
        ]
    if not missing:
        return ""
    files = len({symbol.file for symbol in missing})
    more = max(2 * request.budget, 2 * DEFAULT_BUDGET)
    return (
        f"{len(missing)} more symbol{'s' * (len(missing) > 1)} "
        f"from {files} file{'s' * (files > 1)}: budget {more}"
    )
