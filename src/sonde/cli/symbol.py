"""A definition with its callers, callees, overrides and tests.

NAME is a plain or qualified name (connect, DatabaseClient.connect) as answers
print it. Every symbol of that name is shown; an unknown name is "not found",
with near names.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from sonde.cli.console import Console, counted, safe
from sonde.cli.layout import heading, place, table, wrapped
from sonde.cli.opening import engine_of
from sonde.cli.outcome import FOUND, NOTHING_FOUND, answered, note_freshness
from sonde.cli.parser import CommandParser
from sonde.cli.plain import plain
from sonde.model import SymbolRecord, Unresolved
from sonde.pack.cards import paragraph, signature

if TYPE_CHECKING:
    from sonde.answers.results import Related, SymbolAnswer, SymbolCard

USAGE = "NAME [options]"
EXAMPLES = ("sonde symbol DatabaseClient.connect", "sonde symbol connect --json")


def configure(parser: CommandParser) -> None:
    """The name."""
    parser.add_argument("name", metavar="NAME", help="plain or qualified name of a symbol")


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Print a card for each symbol of that name."""
    with engine_of(arguments, console) as engine:
        answer = answered(engine.symbol(arguments.name))
    note_freshness(answer, console)
    if arguments.json:
        console.json(plain(answer))
    elif answer.found:
        _print_found(answer, console)
    else:
        console.line(f"not found: {safe(answer.name)}")
        if answer.near:
            console.line(f"near names: {', '.join(safe(name) for name in answer.near)}")
    return FOUND if answer.found else NOTHING_FOUND


def _print_found(answer: SymbolAnswer, console: Console) -> None:
    if len(answer.found) > 1:
        console.line(f"{len(answer.found) + answer.more} symbols are called {safe(answer.name)}")
        console.line()
    for number, card in enumerate(answer.found):
        if number:
            console.line()
        _print_card(card, console)
    if answer.more:
        console.line(f"\n{answer.more} more of that name: ask with the qualified name")


def _print_card(card: SymbolCard, console: Console) -> None:
    record = card.record
    heading(console, f"{safe(record.qualname)}  {console.paint(record.kind.value, 'dim')}")
    console.line(f"  {safe(place(record))}")
    wrapped(console, signature(record), 2)
    wrapped(console, paragraph(record), 2)
    totals = dict(card.totals)
    for field, title, related in card.relations:
        _print_group(title, len(related), totals.get(field, 0), console)
        row = _ROWS.get(field, _used_row)
        table(console, [row(each) for each in related], 4)
    if card.unresolved:
        _print_group(
            "calls, not resolved", len(card.unresolved), totals.get("unresolved", 0), console
        )
        table(console, [_unresolved_row(each) for each in card.unresolved], 4)
    if card.members:
        _print_group("members", len(card.members), totals.get("members", 0), console)
        table(console, [_member_row(each, record) for each in card.members], 4)
    for route in card.routes:
        console.line(f"  route {safe(route)}")
    if card.authored_by is not None:
        wrapped(console, str(card.authored_by), 2)


def _print_group(title: str, shown: int, total: int, console: Console) -> None:
    count = f"{shown} of {total}" if total > shown else f"{shown}"
    console.line(f"  {console.paint(title, 'cyan')} ({count})")


def _user_row(related: Related) -> tuple[str, ...]:
    """A symbol that uses this one, with the place of the use."""
    where = f"{related.symbol.file}:{related.line or related.symbol.start_line}"
    return related.symbol.qualname, where, _certainty(related)


def _use_row(related: Related) -> tuple[str, ...]:
    """The same for a use other than a call."""
    name, where, sure = _user_row(related)
    return name, where, related.role, sure


def _used_row(related: Related) -> tuple[str, ...]:
    """A symbol that this one uses, with the place of its definition."""
    return related.symbol.qualname, place(related.symbol), _certainty(related)


_ROWS = {"callers": _user_row, "tests": _user_row, "uses": _use_row}


def _certainty(related: Related) -> str:
    if not related.resolved:
        return f"not resolved, {related.doubt}"
    return f"{related.provenance.name.lower()} {related.confidence:.2f}"


def _unresolved_row(leaf: Unresolved) -> tuple[str, ...]:
    name = f"{leaf.receiver}.{leaf.name}" if leaf.receiver else leaf.name
    known = counted(len(leaf.candidates), "candidate") if leaf.candidates else "not defined here"
    return name, f"line {leaf.line}", known


def _member_row(member: SymbolRecord, owner: SymbolRecord) -> tuple[str, ...]:
    """A member with its place, which may be in another file than its type's."""
    where = f"line {member.start_line}" if member.file == owner.file else place(member)
    return member.name, member.kind.value, where
