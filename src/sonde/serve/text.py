"""Answers as lines for an agent to read; symbols by the names that can be asked for again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from sonde.model import VERBS
from sonde.pack.cards import paragraph
from sonde.pack.freshness import freshness
from sonde.pack.visible import one_line

if TYPE_CHECKING:
    from sonde.answers.results import (
        Affected,
        ImpactAnswer,
        Related,
        SearchAnswer,
        SymbolAnswer,
        SymbolCard,
        TestsAnswer,
        WhyAnswer,
    )
    from sonde.model import SymbolRecord

_WIDE = 200  # characters of one line of repository text
_LISTED = 15  # of each relation
_IN_IMPACT = frozenset({"callers", "uses", "overridden_by", "implementations", "tests"})


def named(record: SymbolRecord) -> str:
    """A symbol as it can be asked for again."""
    return f"{record.qualname} ({record.file}:{record.start_line})"


def symbol_lines(answer: SymbolAnswer, sources: Sequence[str]) -> Iterator[str]:
    """Cards, each with its source behind its relations."""
    yield from freshness(answer)
    if not answer.found:
        near = f"; near names: {', '.join(answer.near)}" if answer.near else ""
        yield f"not found: {one_line(answer.name, _WIDE)}{near}"
    for card, source in zip(answer.found, sources, strict=False):
        yield from _card(card, source)
    if answer.more:
        yield f"{answer.more} more symbols of that name: ask with the qualified name"


def _card(card: SymbolCard, source: str) -> Iterator[str]:
    """Relations before the source, which may be long: a cut must not cost the callers."""
    record = card.record
    yield f"{record.kind.value} {named(record)} lines {record.start_line}-{record.end_line}"
    if record.signature and not source:
        yield f"  {one_line(record.signature, _WIDE)}"
    if (told := paragraph(record)) and not source:
        yield f"  {one_line(told, _WIDE)}"
    for route in card.routes:
        yield f"  route {one_line(route, _WIDE)}"
    if card.authored_by is not None:
        yield f"  {one_line(str(card.authored_by), _WIDE)}"
    totals = dict(card.totals)
    for field, title, related in card.relations:
        total = max(len(related), totals.get(field, 0))
        yield f"  {title} ({total}):"
        for each in related[:_LISTED]:
            role = f", {each.role}" if field == "uses" else ""
            yield f"    {_related(each)}{role}"
        yield from _rest(total, field)
    for leaf in card.unresolved[:_LISTED]:
        name = f"{leaf.receiver}.{leaf.name}" if leaf.receiver else leaf.name
        yield f"  calls, not resolved: {one_line(name, _WIDE)} at line {leaf.line}"
    if card.members:
        total = max(len(card.members), totals.get("members", 0))
        yield f"  members ({total}):"
        for member in card.members[:_LISTED]:
            apart = f"{member.file}:" if member.file != card.record.file else "line "
            yield f"    {member.kind.value} {member.name} {apart}{member.start_line}"
        yield from _rest(total, "members")
    if source:
        yield "  source:"
        yield from source.split("\n")


def _rest(total: int, field: str) -> Iterator[str]:
    if total > _LISTED:
        where = " (the tool impact lists all)" if field in _IN_IMPACT else ""
        yield f"    and {total - _LISTED} more{where}"


def _related(related: Related) -> str:
    where = f", written at line {related.line}" if related.line else ""
    if not related.resolved:
        return f"{named(related.symbol)}{where}, not resolved: {related.doubt}"
    return f"{named(related.symbol)}{where}, confidence {related.confidence:.2f}"


def search_lines(answer: SearchAnswer) -> Iterator[str]:
    """Symbols, then lines."""
    yield from freshness(answer)
    yield from answer.lacking
    if not (answer.symbols or answer.lines or answer.meant):
        yield "nothing found"
    if answer.symbols:
        yield "symbols:"
    for record in answer.symbols:
        yield f"  {record.kind.value} {named(record)}"
    if answer.lines:
        yield "lines:"
    for line in answer.lines:
        yield f"  {line.file}:{line.line}: {one_line(line.text, _WIDE)}"
    if answer.meant:
        yield "near in meaning:"
    for record in answer.meant:
        yield f"  {record.kind.value} {named(record)}"
    if answer.more:
        yield "more was found: ask with a larger limit or filters lang: path: kind: since:"


def impact_lines(answer: ImpactAnswer) -> Iterator[str]:
    """By distance, then tests and routes."""
    yield from freshness(answer)
    for target in answer.targets:
        yield f"{target.kind.value} {named(target)}"
    if not (answer.affected or answer.tests or answer.routes):
        yield "nothing known depends on it"
    for depth, group in groupby(answer.affected, key=lambda each: each.depth):
        yield f"{depth} step{'s' * (depth > 1)} away:"
        yield from (f"  {_affected(each)}" for each in group)
    if answer.tests:
        yield "tests:"
        yield from (f"  {_affected(each)}" for each in answer.tests)
    for route, handler in answer.routes:
        yield f"route {one_line(route, _WIDE)} handled by {handler}"
    if answer.unresolved:
        yield f"{answer.unresolved} calls elsewhere may mean it too but could not be resolved"
        for each in answer.doubtful[:_LISTED]:
            yield f"  {each.symbol.qualname} at {each.symbol.file}:{each.line}"
    for name, count in answer.namesakes:
        which = f"which of {count} definitions of {name} they mean"
        yield f"calls that do not tell {which} are not listed"
    if answer.truncated:
        yield "more is affected than is shown here"


def _affected(each: Affected) -> str:
    return f"{named(each.symbol)} {VERBS[each.kind]} {each.via}, confidence {each.confidence:.2f}"


def tests_lines(answer: TestsAnswer) -> Iterator[str]:
    """Commands first, as they are wanted most."""
    yield from freshness(answer)
    if not answer.tests:
        yield "no test is known to cover this"
    for command in answer.commands:
        yield f"run: {one_line(command, 2_000)}"
    for test in answer.tests:
        yield f"  {test.node} ({one_line(test.reason, _WIDE)}, confidence {test.confidence:.2f})"
    for unknown in answer.unknown:
        yield f"not known: {one_line(unknown, 2 * _WIDE)}"


def why_lines(answer: WhyAnswer) -> Iterator[str]:
    """Place, proposals, walk and contributions."""
    yield from freshness(answer)
    yield named(answer.symbol)
    if answer.rank:
        yield f"rank {answer.rank} of {answer.candidates} candidates, score {answer.score:.3f}"
    else:
        yield f"not among the candidates, of which there are {answer.candidates}"
    if answer.section:
        yield f"in the pack, under {answer.section}"
    if answer.kept_out:
        yield f"not in the pack: {one_line(answer.kept_out, _WIDE)}"
    for each in answer.evidence:
        yield f"proposed by {each.channel}, rank {each.rank}: {one_line(each.reason, _WIDE)}"
    for step in answer.path:
        ends = (step.source, step.target) if step.forward else (step.target, step.source)
        writer, other = (end.qualname for end in ends)
        yield f"walk: {writer} {VERBS[step.kind]} {other} line {step.line}"
    for name, value in answer.contributions:
        if round(value, 3):
            yield f"score {name} {value:+.3f}"
