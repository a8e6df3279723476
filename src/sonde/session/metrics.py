"""Figures over the finished tasks of a workspace. They stay on this machine."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from sonde.session.opinions import read_opinions
from sonde.session.outcome import read


@dataclass(frozen=True, slots=True)
class Metrics:
    """Means over tasks; None where no task or opinion says anything."""

    tasks: int
    judged: int  # tasks whose diff or feedback shows what was relevant
    precision: float | None  # at 10
    recall: float | None
    reciprocal_rank: float | None
    utilisation: float | None
    iterations: float | None  # failures a task
    tokens: float | None  # a task
    artefacts: int  # different ones sent
    reused: float | None  # share of them that went to more than one task
    opinions: int
    praised: float | None  # share of the symbols named in opinions that were useful


def metrics(folder: Path) -> Metrics:
    """The figures of the workspace whose cache folder this is."""
    ended = list(read(folder))
    judged = [each for each in ended if each.recall is not None]
    used = Counter(name for each in ended for name in set(each.artefacts))
    opinions = list(read_opinions(folder))
    useful = sum(len(row[1]) for row in opinions)
    named = useful + sum(len(row[2]) + len(row[3]) for row in opinions)
    return Metrics(
        len(ended),
        len(judged),
        _mean(each.precision for each in judged),
        _mean(each.recall for each in judged),
        _mean(each.reciprocal_rank for each in judged),
        _mean(each.utilisation for each in judged),
        _mean(float(each.iterations) for each in ended),
        _mean(float(each.tokens) for each in ended),
        len(used),
        _share(sum(count > 1 for count in used.values()), len(used)),
        len(opinions),
        _share(useful, named),
    )


def _mean(values: Iterable[float | None]) -> float | None:
    known: Sequence[float] = [value for value in values if value is not None]
    return round(sum(known) / len(known), 4) if known else None


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None
