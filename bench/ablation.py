"""Switch off each ranking rule and channel in turn, and report the paired difference."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bench.compare import differences
from bench.data import DataError


def rule_names(wanted: str) -> list[str]:
    """The rules to switch off: those named, or all."""
    from sonde.rank.switches import SWITCHES

    known = sorted(SWITCHES)
    if wanted == "all":
        return known
    names = wanted.split(",")
    unknown = [name for name in names if name not in known]
    if unknown:
        raise DataError(f"no rule '{unknown[0]}'; there are {', '.join(known)}")
    return names


def ablation_rows(
    rule: str, complete: Mapping[str, Any], without: Mapping[str, Any], scores: Sequence[str]
) -> list[dict[str, Any]]:
    """The effect of switching one rule off, over all cases and for each repository."""
    return [
        {
            "rule": rule,
            "group": found.group,
            "score": found.score,
            "with": round(found.before, 4),
            "without": round(found.after, 4),
            "change": round(found.change, 4),
            "low": round(found.low, 4),
            "high": round(found.high, 4),
        }
        for found in differences(complete, without, scores)
        if found.group == "ALL" or found.group.startswith("repo ")
    ]


def ablation_table(rows: Sequence[Mapping[str, Any]]) -> str:
    """The changes over all cases, as text."""
    lines = [f"{'without':28s}{'score':>14s}{'with':>9s}{'without':>9s}{'change':>9s}  95 %"]
    lines.extend(
        f"{row['rule']:28.28s}{row['score']:>14s}{row['with']:>9.3f}{row['without']:>9.3f}"
        f"{row['change']:>+9.3f}  [{row['low']:+.3f}, {row['high']:+.3f}]"
        for row in rows
        if row["group"] == "ALL"
    )
    return "\n".join(lines) + "\n"
