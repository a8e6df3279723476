"""Results as plain text and Markdown tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def number(value: float | None) -> str:
    """A figure formatted for a table."""
    if value is None:
        return "–"
    return f"{value:.3f}" if abs(value) < 10 else f"{value:.0f}"


def run_table(record: dict[str, Any], headline: Sequence[str]) -> str:
    """One run: a line for each group and one for all cases."""
    columns = (*headline, "ms_p50", "ms_p95")
    title = f"{record['suite']} · {record['adapter']} ({record['configuration']})"
    lines = [title, f"{'':28s}{'n':>5s} " + " ".join(f"{name:>10s}" for name in columns)]
    for group in record["groups"].values():
        lines.extend(_line(name, row, columns) for name, row in group.items())
    lines.append(_line("ALL", record["summary"], columns))
    return "\n".join(lines) + "\n"


def _line(name: str, row: dict[str, Any], columns: Sequence[str]) -> str:
    cells = " ".join(f"{number(row.get(column)):>10s}" for column in columns)
    return f"{name:28.28s}{row['cases']:>5d} {cells}"
