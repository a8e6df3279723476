"""One item as fields, for the machine-readable formats."""

from __future__ import annotations

from sonde.model import Fidelity, Item
from sonde.pack import cards

Field = str | int | tuple[str, ...]


def record(item: Item) -> dict[str, Field]:
    """The item's non-empty fields, in reading order."""
    symbol = item.symbol
    fields: dict[str, Field] = {
        "name": cards.qualified(symbol),
        "kind": str(symbol.kind),
        "file": cards.visible_path(symbol.file),
        "start_line": symbol.start_line,
        "end_line": symbol.end_line,
        "fidelity": item.fidelity.name.lower(),
        "why": item.reason,
    }
    if item.fidelity is Fidelity.FULL:
        fields["source"] = item.text
    else:
        compact = item.fidelity is Fidelity.COMPACT
        fields["signature"] = cards.signature(symbol)
        fields["doc"] = cards.summary(symbol) if compact else cards.paragraph(symbol)
        fields["members"] = item.members
    return {name: value for name, value in fields.items() if value not in ("", ())}
