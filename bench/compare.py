"""Two runs on the same cases: paired differences with bootstrap intervals."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

_SEED = 20240229
_SAMPLES = 10_000
# For wrong files and tokens, fewer is better.
LOWER_IS_BETTER = frozenset({"A2", "tokens", "tokensPerSymbol"})
GROUPS = ("repo", "language", "tier", "category")


@dataclass(frozen=True, slots=True)
class Difference:
    """Mean change of a score from one run to another, with its 95 % interval."""

    group: str
    score: str
    cases: int
    before: float
    after: float
    low: float
    high: float

    @property
    def change(self) -> float:
        """How much the mean moved."""
        return self.after - self.before

    @property
    def verdict(self) -> str:
        """ "better" or "worse" if the interval excludes zero, else empty."""
        if self.low <= 0 <= self.high:
            return ""
        return "better" if (self.low > 0) != (self.score in LOWER_IS_BETTER) else "worse"


def paired_interval(differences: Sequence[float]) -> tuple[float, float]:
    """95 % percentile interval of the mean of paired differences; deterministic."""
    values = np.asarray(differences, dtype=np.float64)
    generator = np.random.default_rng(_SEED)
    picks = generator.integers(0, len(values), size=(_SAMPLES, len(values)))
    low, high = np.percentile(values[picks].mean(axis=1), (2.5, 97.5))
    return float(low), float(high)


def differences(
    before: Mapping[str, Any], after: Mapping[str, Any], scores: Iterable[str]
) -> list[Difference]:
    """Differences over all shared cases, then for each repository, language, tier, category."""
    shared = [case for case in before["cases"] if case in after["cases"]]
    members: dict[str, list[str]] = {"ALL": shared}
    for group in GROUPS:
        for case in shared:
            value = after["cases"][case].get(group)
            if value:
                members.setdefault(f"{group} {value}", []).append(case)
    found = []
    for score in scores:
        for name, cases in members.items():
            pairs = [
                (before["cases"][case]["scores"][score], after["cases"][case]["scores"][score])
                for case in cases
                if score in before["cases"][case]["scores"]
                and score in after["cases"][case]["scores"]
            ]
            if pairs:
                found.append(_difference(name, score, pairs))
    return found


def _difference(group: str, score: str, pairs: Sequence[tuple[float, float]]) -> Difference:
    low, high = paired_interval([new - old for old, new in pairs])
    count = len(pairs)
    return Difference(
        group,
        score,
        count,
        sum(old for old, _ in pairs) / count,
        sum(new for _, new in pairs) / count,
        low,
        high,
    )


def regressions(found: Iterable[Difference]) -> list[Difference]:
    """Repositories where a score got worse, the worst first."""
    lost = [
        difference
        for difference in found
        if difference.group.startswith("repo ") and _loss(difference) > 0
    ]
    return sorted(lost, key=lambda difference: (-_loss(difference), difference.group))


def _loss(difference: Difference) -> float:
    return difference.change if difference.score in LOWER_IS_BETTER else -difference.change


def matching_runs(
    before: Mapping[str, Any], after: Mapping[str, Any], adapters: tuple[str, str] | None
) -> list[tuple[Mapping[str, Any], Mapping[str, Any]]]:
    """Runs of two archives to compare: same suite and tool, or the two tools named."""
    pairs = []
    for old in before["runs"]:
        for new in after["runs"]:
            names = (old["adapter"], new["adapter"])
            wanted = names == adapters if adapters else names[0] == names[1]
            same_setting = adapters or old["configuration"] == new["configuration"]
            if old["suite"] == new["suite"] and wanted and same_setting:
                pairs.append((old, new))
    return pairs


def comparison_table(found: Sequence[Difference]) -> str:
    """Differences as text, one line each, repositories that lost named at the end."""
    lines = [f"{'':32s}{'score':>14s}{'n':>5s}{'before':>9s}{'after':>9s}{'change':>9s}  95 %"]
    lines.extend(
        f"{d.group:32.32s}{d.score:>14s}{d.cases:>5d}{d.before:>9.3f}{d.after:>9.3f}"
        f"{d.change:>+9.3f}  [{d.low:+.3f}, {d.high:+.3f}] {d.verdict}"
        for d in found
    )
    lost = regressions(found)
    if lost:
        names = ", ".join(f"{d.group[5:]} {d.score} {d.change:+.3f}" for d in lost)
        lines.append(f"regressions: {names}")
    return "\n".join(line.rstrip() for line in lines) + "\n"
