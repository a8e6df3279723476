"""The chosen items and what they cost: a greedy knapsack whose items may grow."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from sonde.model import Fidelity, Item, Kind, Ranked, SymbolRecord
from sonde.pack import cards
from sonde.pack.profile import DEFINITIONS, SNIPPETS
from sonde.pack.request import PackRequest
from sonde.pack.visible import one_line

PROXIMITY_EXPONENT = 0.3  # best of a nine-point sweep over 300 tasks
REASON_LIMIT = 80
BYTES_PER_TOKEN_CEILING = 6  # code has 3 to 5: a longer text will not fit, so is not counted


class Selection:
    """Items placed in sections, each symbol once at its highest fidelity."""

    def __init__(self, request: PackRequest, cost: Callable[[Item], int], capacity: int) -> None:
        self._request = request
        self._cost = cost
        self.capacity = capacity
        self.spent = 0
        self._placed: dict[int, tuple[str, Item]] = {}
        self._opened: dict[int, SymbolRecord] = {}  # those placed in full
        # Counting is most of the work, so each card and each source is counted once.
        self._cards: dict[int, Item] = {}
        self._sources: dict[int, Item] = {}
        self._hints: dict[str, list[tuple[Item, str]]] = {}
        self._listed: dict[int, list[SymbolRecord]] = {}  # members named on a standard card

    def __contains__(self, symbol_id: int) -> bool:
        return symbol_id in self._placed

    def shows(self, symbol: SymbolRecord) -> bool:
        """Whether a symbol has an item, or lies inside one that is shown in full."""
        return symbol.id in self._placed or self._is_covered(symbol)

    def items(self, section: str) -> list[Item]:
        """Items of a section, best first; one-line items follow the cards."""
        found = [item for name, item in self._placed.values() if name == section]
        return sorted(
            found, key=lambda item: (item.fidelity is Fidelity.OUTLINE, *_best_first(item))
        )

    def all_items(self) -> list[Item]:
        """Every placed item, best first."""
        return sorted((item for _, item in self._placed.values()), key=_best_first)

    def cost_of(self, section: str) -> int:
        """Tokens that a section's items take."""
        return sum(item.tokens for name, item in self._placed.values() if name == section)

    def by_density(self, entries: Iterable[Ranked]) -> list[Ranked]:
        """Entries by value for money: score per token of the compact card, favouring near ones."""

        def key(entry: Ranked) -> tuple[float, float, str, int]:
            near = max(0.0, entry.proximity) ** PROXIMITY_EXPONENT
            density = entry.score / max(1, self._card(entry).tokens) * near
            return -density, -entry.score, entry.symbol.file, entry.symbol.start_line

        return sorted(entries, key=key)

    def require(self, section: str, entry: Ranked) -> None:
        """Place the compact card whatever it costs."""
        card = self._card(entry)
        self._placed[entry.symbol.id] = (section, card)
        self.spent += card.tokens

    def add(self, section: str, entry: Ranked, room: int) -> bool:
        """Place the compact card if it is new, not already shown in full, and fits."""
        if self.shows(entry.symbol):
            return False
        return self._place(section, self._card(entry), room)

    def mention(self, section: str, entry: Ranked, room: int) -> bool:
        """Place one line that names a symbol, if it is not shown already and fits."""
        if self.shows(entry.symbol):
            return False
        item = self._item(entry, Fidelity.OUTLINE, cards.mention(entry.symbol))
        return self._place(section, item, room)

    def hint(self, section: str, entry: Ranked, room: int) -> bool:
        """Add a line that points at a symbol without making it part of the pack."""
        if self.shows(entry.symbol):
            return False
        item = self._item(entry, Fidelity.OUTLINE, cards.outline(entry.symbol))
        line = f"{item.text} {item.reason}".rstrip()
        if item.tokens > min(room, self.capacity - self.spent):
            return False
        self._hints.setdefault(section, []).append((item, line))
        self.spent += item.tokens
        return True

    def hints(self, section: str) -> list[str]:
        """Lines that point from a section to code elsewhere, except where an item says the same."""
        return [line for item, line in self._hints.get(section, ()) if not self._says(item)]

    def _says(self, hint: Item) -> bool:
        """Whether the hinted symbol became an item that is there for the same reason."""
        _, item = self._placed.get(hint.symbol.id, ("", None))
        return item is not None and item.reason == hint.reason

    def drop_hint(self) -> bool:
        """Drop the last line that points elsewhere; False if there is none."""
        for section in reversed(self._hints):
            if self._hints[section]:
                self._hints[section].pop()
                return True
        return False

    def expand(self, entry: Ranked, room: int) -> bool:
        """Turn a placed compact card into a standard one if the difference fits."""
        section, item = self._placed[entry.symbol.id]
        if item.fidelity is not Fidelity.COMPACT or self._is_covered(entry.symbol):
            return False
        listed = self._unplaced(self._request.members(entry.symbol))[: cards.MEMBER_LIMIT]
        members = cards.member_signatures(listed)
        text = cards.standard(entry.symbol, members)
        if text == item.text:
            return False
        self._listed[entry.symbol.id] = listed
        return self._place(section, self._item(entry, Fidelity.STANDARD, text, members), room)

    def tidy(self) -> None:
        """Remove members that got an item of their own from their owner's card."""
        for symbol_id, listed in self._listed.items():
            section, item = self._placed.get(symbol_id, ("", None))
            if item is None or item.fidelity is not Fidelity.STANDARD:
                continue
            left = self._unplaced(listed)
            if len(left) < len(listed):
                members = cards.member_signatures(left)
                text = cards.standard(item.symbol, members)
                draft = replace(item, text=text, members=members)
                self._placed[symbol_id] = section, replace(draft, tokens=self._cost(draft))
                self.spent += self._placed[symbol_id][1].tokens - item.tokens

    def open(self, entry: Ranked, room: int) -> bool:
        """Turn a placed card into the full source if the difference fits."""
        symbol = entry.symbol
        section, item = self._placed[symbol.id]
        size = symbol.end_byte - symbol.start_byte
        room = min(room, self.capacity - self.spent)
        if item.fidelity is Fidelity.FULL or symbol.kind is Kind.MODULE:
            return False
        if size > (room + self._released(symbol)) * BYTES_PER_TOKEN_CEILING:
            return False
        source = self._source(entry)
        if not source.text.strip():
            return False
        return self._place(SNIPPETS if section == DEFINITIONS else section, source, room)

    def shed(self, entry_id: int, compact: Ranked | None) -> int:
        """Remove an item, or reduce it to its compact card; returns the tokens freed."""
        section, item = self._take_out(entry_id)
        self.spent -= item.tokens
        if compact is None:
            return item.tokens
        card = self._card(compact)
        self._placed[entry_id] = (DEFINITIONS if section == SNIPPETS else section, card)
        self.spent += card.tokens
        return item.tokens - card.tokens

    def fidelity(self, symbol_id: int) -> Fidelity:
        """Fidelity at which a placed symbol is shown."""
        return self._placed[symbol_id][1].fidelity

    def _place(self, section: str, item: Item, room: int) -> bool:
        released = self._released(item.symbol, item.fidelity is Fidelity.FULL)
        extra = item.tokens - released
        if extra > min(room, self.capacity - self.spent):
            return False
        if item.fidelity is Fidelity.FULL:
            for inner in self._inside(item.symbol):
                self._take_out(inner)
            self._opened[item.symbol.id] = item.symbol
        self._placed[item.symbol.id] = (section, item)
        self.spent += extra
        return True

    def _take_out(self, symbol_id: int) -> tuple[str, Item]:
        self._opened.pop(symbol_id, None)
        return self._placed.pop(symbol_id)

    def _released(self, symbol: SymbolRecord, full: bool = True) -> int:
        """Tokens freed by placing the symbol anew (if in full, with everything inside it)."""
        gone = [symbol.id] if symbol.id in self._placed else []
        if full:
            gone += self._inside(symbol)
        return sum(self._placed[symbol_id][1].tokens for symbol_id in gone)

    def _inside(self, outer: SymbolRecord) -> list[int]:
        return [i for i, (_, item) in self._placed.items() if outer.holds(item.symbol)]

    def _unplaced(self, symbols: Iterable[SymbolRecord]) -> list[SymbolRecord]:
        return [symbol for symbol in symbols if symbol.id not in self._placed]

    def _is_covered(self, symbol: SymbolRecord) -> bool:
        return any(opened.holds(symbol) for opened in self._opened.values())

    def _card(self, entry: Ranked) -> Item:
        known = self._cards.get(entry.symbol.id)
        if known is None:
            known = self._item(entry, Fidelity.COMPACT, cards.compact(entry.symbol))
            self._cards[entry.symbol.id] = known
        return known

    def _source(self, entry: Ranked) -> Item:
        known = self._sources.get(entry.symbol.id)
        if known is None:
            text = cards.full(self._request.source(entry.symbol))
            known = self._item(entry, Fidelity.FULL, text)
            self._sources[entry.symbol.id] = known
        return known

    def _item(
        self, entry: Ranked, fidelity: Fidelity, text: str, members: tuple[str, ...] = ()
    ) -> Item:
        reason = one_line(entry.evidence[0].reason, REASON_LIMIT) if entry.evidence else ""
        draft = Item(entry.symbol, fidelity, text, 0, entry.score, reason, members)
        return Item(entry.symbol, fidelity, text, self._cost(draft), entry.score, reason, members)


def _best_first(item: Item) -> tuple[float, str, int, int]:
    return -item.score, item.symbol.file, item.symbol.start_line, item.symbol.id
