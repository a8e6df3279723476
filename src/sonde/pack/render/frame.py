"""What every format says around the items: state of the index and what was left out."""

from __future__ import annotations

from sonde.model import Pack
from sonde.pack.freshness import freshness


def notes(pack: Pack) -> list[str]:
    """Lines about the answer itself, each on one line."""
    return [*freshness(pack), *([f"left out: {pack.omitted}"] if pack.omitted else [])]
