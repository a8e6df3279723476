"""How long answers take, counted in the shape that Prometheus reads."""

from __future__ import annotations

import threading
from bisect import bisect_left

BOUNDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)  # seconds


class Metrics:
    """One histogram for each kind of question."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._counts: dict[str, list[int]] = {}
        self._sums: dict[str, float] = {}

    def observe(self, name: str, seconds: float) -> None:
        """Count an answer."""
        with self._lock:
            counts = self._counts.setdefault(name, [0] * (len(BOUNDS) + 1))
            counts[bisect_left(BOUNDS, seconds)] += 1
            self._sums[name] = self._sums.get(name, 0.0) + seconds

    def lines(self, metric: str, labels: str) -> list[str]:
        """The histograms as text; `labels` are those of the owner."""
        rows = []
        with self._lock:
            for name in sorted(self._counts):
                own = f'{labels},question="{name}"'
                total = 0
                for bound, count in zip((*BOUNDS, "+Inf"), self._counts[name], strict=True):
                    total += count
                    rows.append(f'{metric}_bucket{{{own},le="{bound}"}} {total}')
                rows.append(f"{metric}_sum{{{own}}} {self._sums[name]:.6f}")
                rows.append(f"{metric}_count{{{own}}} {total}")
        return rows
