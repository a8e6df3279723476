"""The pack as JSON: one object, one item per line."""

from __future__ import annotations

import json

from sonde.model import Item, Pack, Section
from sonde.pack.render.frame import notes
from sonde.pack.render.record import record


def render(pack: Pack) -> str:
    """The whole pack as one JSON object."""
    fields = [
        f'"intent":{_dump(str(pack.intent))}',
        f'"confidence":{pack.confidence:.2f}',
        f'"pack":{_dump(pack.root)}',
        f'"budget":{pack.budget}',
    ]
    fields += [_section(section) for section in pack.sections]
    if pack.edges:
        rows = [_dump([edge.source, edge.kind, edge.target]) for edge in pack.edges]
        fields.append(f'"relations":{_list(rows)}')
    told = notes(pack)
    if told:
        fields.append(f'"notes":{_list([_dump(note) for note in told])}')
    return "{" + ",\n".join(fields) + "}\n"


def fragment(item: Item) -> str:
    """One item as it appears in its section."""
    return _dump(record(item))


def _section(section: Section) -> str:
    rows = [fragment(item) for item in section.items]
    rows += [_dump(line) for line in section.lines]
    return f'"{section.name}":{_list(rows)}'


def _list(rows: list[str]) -> str:
    return "[\n" + ",\n".join(rows) + "]"


def _dump(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
