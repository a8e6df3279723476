"""Fill the sections: first each within its share, then all of them from what is left."""

from __future__ import annotations

from collections.abc import Sequence

from sonde.model import CALLABLE_KINDS, Ranked
from sonde.pack.budget import Selection
from sonde.pack.profile import CALLERS, DEFINITIONS, SNIPPETS, TESTS, Profile
from sonde.pack.relevance import MAX_CARDS, MENTIONED, Relevant, above_floor
from sonde.pack.request import DEFAULT_BUDGET, PackRequest

NEIGHBOUR_TOKENS = 40  # a line for a neighbour is worth it even when the aim is reached
PRIMARY_REACH = 0.5  # of the budget: the most that the source of an obvious target may cost
SOURCE_FLOOR = 0.6  # of the best score: below it a card is enough
OWN_SECTION = 0.3  # share from which tests or callers are what was asked for, not a hint
SUPPORT_FILES = 6  # times the section's share: one file of callers for a bug, four for usages
SUPPORT_FLOOR = 0.5  # tests and callers far behind the best of their kind are noise


def fill(selection: Selection, request: PackRequest, found: Relevant, shares: Profile) -> None:
    """Choose definitions, sources, tests and callers for the request."""
    _place_targets(selection, found)
    _fill_definitions(selection, found, round(found.aim * shares.definitions))
    _open_sources(selection, found, round(found.aim * shares.snippets))
    for section, entries in ((TESTS, request.tests), (CALLERS, request.callers)):
        share = shares.share(section)
        near = entries
        if not request.given:
            # A whole test file, or tests shown only as examples, have no edge.
            near = _of_shown(selection, request, entries, untied=section == TESTS)
            near = _near(near, found, share, request.budget)
        if share < OWN_SECTION and not request.given:
            _point_at(selection, section, near, found, share)
        else:
            _fill_support(selection, section, near, found, share)
    _overflow(selection, found)
    _mention_neighbours(selection, request, found)
    selection.tidy()


def _mention_neighbours(selection: Selection, request: PackRequest, found: Relevant) -> None:
    """Add a line for each runner-up whose file is shown anyway."""
    shown = {item.symbol.file for item in selection.all_items()}
    generosity = max(1.0, request.budget / DEFAULT_BUDGET)
    for entry in request.neighbours[: round(MENTIONED * generosity)]:
        if entry.symbol.file in shown:
            room = max(NEIGHBOUR_TOKENS, found.aim - selection.spent)
            selection.mention(DEFINITIONS, entry, room)


def _place_targets(selection: Selection, found: Relevant) -> None:
    """Place cards for what the task is about, and source as soon as that is affordable."""
    for number, entry in enumerate(found.targets):
        reach = found.aim - selection.spent
        if number == 0:
            selection.require(DEFINITIONS, entry)
            if entry.symbol.kind in CALLABLE_KINDS:
                # The function in question is worth more than the rest of an economical pack;
                # a guess is worth half of it.
                certain = round(selection.capacity * PRIMARY_REACH)
                reach = max(reach, certain) if found.sure else found.aim // 2
        elif not selection.add(DEFINITIONS, entry, reach):
            continue
        if not selection.open(entry, reach):
            selection.expand(entry, reach)


def _fill_definitions(selection: Selection, found: Relevant, share: int) -> None:
    for entry in selection.by_density(found.symbols):
        selection.add(DEFINITIONS, entry, share - selection.cost_of(DEFINITIONS))
    for entry in found.symbols:
        if entry.symbol.id in selection and entry.symbol.kind not in CALLABLE_KINDS:
            selection.expand(entry, share - selection.cost_of(DEFINITIONS))


def _open_sources(selection: Selection, found: Relevant, share: int) -> None:
    for entry in _worth_source(found):
        if entry.symbol.id in selection and entry.symbol.kind in CALLABLE_KINDS:
            selection.open(entry, share - selection.cost_of(SNIPPETS))


def _of_shown(
    selection: Selection, request: PackRequest, entries: Sequence[Ranked], *, untied: bool
) -> Sequence[Ranked]:
    """The tests or callers of symbols that are shown: those of omitted ones explain nothing."""
    if not entries:
        return ()
    ranked = {entry.symbol.id: entry.symbol for entry in request.ranked}
    tied: dict[int, bool] = {}
    for source, _, target in request.edges([each.symbol.id for each in entries], list(ranked)):
        tied[source] = tied.get(source, False) or selection.shows(ranked[target])
    return [entry for entry in entries if tied.get(entry.symbol.id, untied)]


def _near(entries: Sequence[Ranked], found: Relevant, share: float, budget: int) -> list[Ranked]:
    """The tests or callers of a guess that are worth naming, within their section's share."""
    generosity = max(1.0, budget / DEFAULT_BUDGET)
    near = _of_few_files(
        above_floor(entries, SUPPORT_FLOOR),
        {entry.symbol.file for entry in found.targets},
        max(1, round(SUPPORT_FILES * share * generosity)),
    )
    return near[: round(MAX_CARDS * share * generosity)]


def _point_at(
    selection: Selection, section: str, near: Sequence[Ranked], found: Relevant, share: float
) -> None:
    for entry in near:
        selection.hint(section, entry, _room(selection, section, found, share))


def _fill_support(
    selection: Selection, section: str, near: Sequence[Ranked], found: Relevant, share: float
) -> None:
    """Cards for tests or callers, as many as the share allows, then source for the first."""
    kept = [
        entry
        for entry in near
        if selection.add(section, entry, _room(selection, section, found, share))
    ]
    for entry in kept:
        if entry.symbol.id in selection:
            selection.open(entry, _room(selection, section, found, share))


def _of_few_files(entries: Sequence[Ranked], own: set[str], limit: int) -> list[Ranked]:
    """Entries of the targets' own files and of at most `limit` others, best first."""
    files = set(own)
    chosen = []
    for entry in entries:
        if entry.symbol.file in files or len(files) - len(own) < limit:
            files.add(entry.symbol.file)
            chosen.append(entry)
    return chosen


def _room(selection: Selection, section: str, found: Relevant, share: float) -> int:
    return round(found.aim * share) - selection.cost_of(section)


def _overflow(selection: Selection, found: Relevant) -> None:
    """Spend what the sections left over: more cards, then source, then members, best first."""
    for entry in selection.by_density(found.symbols):
        selection.add(DEFINITIONS, entry, found.aim - selection.spent)
    placed = [entry for entry in _worth_source(found) if entry.symbol.id in selection]
    for entry in placed:
        if entry.symbol.id in selection:  # not inside one that was opened earlier
            selection.open(entry, found.aim - selection.spent)
    for entry in placed:
        if entry.symbol.id in selection and entry.symbol.kind not in CALLABLE_KINDS:
            selection.expand(entry, found.aim - selection.spent)


def _worth_source(found: Relevant) -> list[Ranked]:
    """The symbols worth showing as source: the obvious ones, or all that score near the best."""
    if not found.sure:
        return above_floor(found.symbols, SOURCE_FLOOR)
    # A class too large to open is best shown through those of its members that also ranked.
    return found.targets + [
        entry
        for entry in found.symbols
        if entry.symbol.parent in found.obvious and entry.symbol.id not in found.obvious
    ]
