"""How each channel scored a candidate."""

from __future__ import annotations

import numpy

from sonde.model import FileKind, SymbolRecord
from sonde.rank.rule import Field, Rule, Values
from sonde.retrieve import neural
from sonde.retrieve.history import votes
from sonde.retrieve.meaning import nearness
from sonde.retrieve.names import split_dotted

_HOMONYMS = 4  # a name shared by more symbols does not say which one is meant


def _exactly_named(field: Field) -> Values:
    """Named outright by the task, with hardly any other symbol of that name."""
    return (field.channel("names") > 0.7).astype(float)


def _marked(field: Field) -> Values:
    """What the task asks for outright: rare names that it marks, and what a commit it names did."""
    return field.values_of(_changed_outright(field) | _named_outright(field))


def _named_outright(field: Field) -> dict[int, float]:
    """Written in backticks or with its owner, and the name is rare."""
    query = field.query
    written = () if query.frames else query.compounds  # a trace names everything that was running
    names = [split_dotted(name) for name in (*query.exact, *written)]
    found: dict[str, list[SymbolRecord]] = {last: [] for _, last in names}
    for record in field.records if names else ():
        if record.name in found and record.file_kind is not FileKind.TEST:
            found[record.name].append(record)
    marked: dict[int, float] = {}
    for place, (owner, last) in enumerate(names):
        same = found[last]
        owned = [one for one in same if owner and f".{one.qualname}".endswith(f".{owner}.{last}")]
        # a name without owner or mark only shows that the task mentions it
        meant = owned or (same if place < len(query.exact) else [])
        if len(meant) <= _HOMONYMS:
            marked.update((one.id, 1.0) for one in meant)
    return marked


def _changed_outright(field: Field) -> dict[int, float]:
    """Changed by a commit that the task names; a commit does not tell homonyms of a file apart."""
    changed = votes(field.query, field.view).outright
    return {
        one.id: 1.0 / len(field.view.named_in(one.file, one.name))
        for one in (field.records if changed else ())
        if (one.file, one.name) in changed and one.file_kind is not FileKind.TEST
    }


def _meaning(field: Field) -> Values:
    """How near each candidate is, whether or not the channel proposed it."""
    return nearness(field.query, field.view)[field.rows].astype(float)


def _neural(field: Field) -> Values:
    """The same, according to a larger model if the user chose one."""
    if field.view.models is None:
        return numpy.zeros(len(field.records))
    return neural.nearness(field.query, field.view)[field.rows].astype(float)


RULES = (
    Rule("fulltext", 0.11, lambda field: field.channel("fulltext")),
    Rule("names", 0.03, lambda field: field.channel("names")),
    Rule("exactly-named", 0.07, _exactly_named),
    Rule("marked", 1.2, _marked),
    Rule("frames", 0.50, lambda field: field.channel("frames")),
    Rule("text", 0.30, lambda field: field.channel("text")),
    Rule("aliases", 0.04, lambda field: field.channel("aliases")),
    Rule("documentation", 0.09, lambda field: field.channel("documentation")),
    Rule("tested", 0.03, lambda field: field.channel("tested")),
    Rule("history", 0.29, lambda field: field.channel("history")),
    Rule("meaning", 0.43, _meaning),
    Rule("neural", 0.40, _neural),
    Rule("concepts", 0.23, lambda field: field.channel("concepts")),
)
