"""What every format says around the items: state of the index and what was left out."""

from __future__ import annotations

from sonde.model import Pack
from sonde.pack.cards import visible_path

_STALE_SHOWN = 3  # enough to recognise the change; the rest as a number


def notes(pack: Pack) -> list[str]:
    """Lines about the answer itself, each on one line."""
    lines: list[str] = []
    if pack.indexed_share < 1.0:
        # Rounded down: an index that still lacks files is never called complete.
        lines.append(f"partial: {int(pack.indexed_share * 100)} % of the files are indexed so far")
    if pack.stale:
        shown = ", ".join(visible_path(path) for path in pack.stale[:_STALE_SHOWN])
        rest = len(pack.stale) - _STALE_SHOWN
        lines.append(f"not refreshed: {shown}" + (f" and {rest} more" if rest > 0 else ""))
    if pack.omitted:
        lines.append(f"left out: {pack.omitted}")
    return lines
