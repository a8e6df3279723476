"""Speed archives, in a folder of their own beside the quality archives."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bench.archive import RESULTS, commit, machine

SPEED = RESULTS / "speed"


def save(figures: Sequence[dict[str, Any]], out: Path | None = None) -> Path:
    """Add figures to an archive; its default name has the date and commit."""
    now = datetime.now(UTC)
    path = out or SPEED / f"{now:%Y-%m-%d}-{commit()}.json"
    before = json.loads(path.read_text("utf-8"))["figures"] if path.is_file() else []
    document = {
        "date": f"{now:%Y-%m-%dT%H:%M:%SZ}",
        "commit": commit(),
        "machine": machine(),
        "figures": [*before, *figures],
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(document, indent=1) + "\n", "utf-8")
    return path


def percentiles(seconds: list[float]) -> dict[str, float]:
    """p50, p99 and maximum, in milliseconds."""
    ordered = sorted(seconds)

    def at(share: float) -> float:
        return round(1000 * ordered[min(len(ordered) - 1, int(share * len(ordered)))], 1)

    return {"count": len(ordered), "p50_ms": at(0.5), "p99_ms": at(0.99), "max_ms": at(1.0)}
