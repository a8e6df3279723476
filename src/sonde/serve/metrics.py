"""How long answers take, counted in the shape that Prometheus reads."""

from __future__ import annotations

import threading
from array import array
from bisect import bisect_left

BOUNDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)  # seconds


class Metrics:
    """One histogram for each kind of question."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        # In arrays: single numbers would lie among what questions remember only for a moment.
        self._counts: dict[str, array[int]] = {}
        self._sums: dict[str, array[float]] = {}

    def observe(self, name: str, seconds: float) -> None:
        """Count an answer."""
        with self._lock:
            if name not in self._counts:
                self._counts[name] = array("Q", bytes(8 * (len(BOUNDS) + 1)))
                self._sums[name] = array("d", [0.0])
            self._counts[name][bisect_left(BOUNDS, seconds)] += 1
            self._sums[name][0] += seconds

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
                rows.append(f"{metric}_sum{{{own}}} {self._sums[name][0]:.6f}")
                rows.append(f"{metric}_count{{{own}}} {total}")
        return rows
