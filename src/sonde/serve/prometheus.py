"""The server's figures as Prometheus text."""

from __future__ import annotations

import time
from collections.abc import Mapping

from sonde.serve.memory import resident
from sonde.serve.workspaces import Workspaces, identity

_HELP = (
    ("sonde_index_age_seconds", "gauge", "Seconds since the index was last found fresh"),
    ("sonde_files_waiting", "gauge", "Files left of a running sync, and told of for the next"),
    ("sonde_questions_waiting", "gauge", "Questions without an answer"),
    ("sonde_degraded", "gauge", "1 while file events do not come"),
    ("sonde_answer_seconds", "histogram", "Time from question to answer"),
    ("sonde_refused_total", "counter", "Requests refused at the door by status"),
    ("sonde_memory_bytes", "gauge", "Resident memory of the server"),
)


def exposition(workspaces: Workspaces, refused: Mapping[int, int]) -> str:
    """All figures, each with its help."""
    rows: dict[str, list[str]] = {name: [] for name, _, _ in _HELP}
    now = time.time()
    for served in workspaces.all():
        label = f'workspace="{identity(served)}"'
        health = served.health()
        age = max(0.0, now - health.synced_at) if health.synced_at else 0.0
        left = max(0, health.total - health.done) + served.noticed_files
        rows["sonde_index_age_seconds"].append(f"sonde_index_age_seconds{{{label}}} {age:.1f}")
        rows["sonde_files_waiting"].append(f"sonde_files_waiting{{{label}}} {left}")
        rows["sonde_questions_waiting"].append(
            f"sonde_questions_waiting{{{label}}} {served.waiting}"
        )
        rows["sonde_degraded"].append(f"sonde_degraded{{{label}}} {int(bool(health.degraded))}")
        rows["sonde_answer_seconds"] += served.metrics.lines("sonde_answer_seconds", label)
    for status in sorted(refused):
        rows["sonde_refused_total"].append(
            f'sonde_refused_total{{status="{status}"}} {refused[status]}'
        )
    rows["sonde_memory_bytes"].append(f"sonde_memory_bytes {resident()}")
    lines = []
    for name, kind, text in _HELP:
        lines += [f"# HELP {name} {text}", f"# TYPE {name} {kind}", *rows[name]]
    return "\n".join(lines) + "\n"
