"""The cost of a question: warm, repeated, and in a new process; on repositories of all sizes.

python -m bench.question_cost REPO… [--tasks 100] [--processes 10] [--out FILE]
Milliseconds of CPU time, which other work on the machine disturbs least, and wall time with the
load average. Tasks are all different and never answered from a cache unless stated. `cold`
includes the cost of starting and importing; the index exists, and no server runs.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bench.budgets import tasks
from bench.speed_archive import save
from sonde import Engine
from sonde.cli import collect_rarely
from sonde.store.errors import Problem

_WARMING = 15  # tasks asked before timing starts


def percentiles(milliseconds: list[float]) -> dict[str, float]:
    """p50, p95 and maximum."""
    ordered = sorted(milliseconds)

    def at(share: float) -> float:
        return round(ordered[min(len(ordered) - 1, int(share * len(ordered)))], 1)

    return {"p50": at(0.5), "p95": at(0.95), "most": at(1.0)}


def timed(action: Callable[[], Any]) -> tuple[float, float]:
    """Milliseconds of CPU and wall time."""
    cpu, wall = time.process_time(), time.perf_counter()
    action()
    return 1000 * (time.process_time() - cpu), 1000 * (time.perf_counter() - wall)


def warm(engine: Engine, count: int) -> dict[str, Any]:
    """`for_task` on one engine, task after task, then the last one repeatedly."""
    asked = tasks(engine, _WARMING + count, seed=time.time_ns())
    for task in asked[:_WARMING]:
        engine.for_task(task)
    costs = [timed(lambda task=task: engine.for_task(task)) for task in asked[_WARMING:]]  # type: ignore[misc]
    again = [timed(lambda: engine.for_task(asked[-1]))[0] for _ in range(50)]
    return {
        "warm_cpu_ms": percentiles([cpu for cpu, _ in costs]),
        "warm_wall_ms": percentiles([wall for _, wall in costs]),
        "repeated_cpu_ms": percentiles(again),
    }


def cold(repository: Path, asked: list[str]) -> dict[str, Any]:
    """`sonde context` from the start of its process to its answer."""
    spent, took = [], []
    environment = {**os.environ, "SONDE_ALONE": "1"}
    for task in asked:
        command = [sys.executable, "-m", "sonde", "context", "--repo", str(repository), task]
        before, began = _children(), time.perf_counter()
        subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, check=False)
        took.append(1000 * (time.perf_counter() - began))
        spent.append(1000 * (_children() - before))
    return {"cold_cpu_ms": percentiles(spent), "cold_wall_ms": percentiles(took)}


def _children() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def measure(repository: Path, count: int, processes: int) -> dict[str, Any]:
    """All figures of one repository."""
    with Engine(repository) as engine:
        status = engine.sync()
        if isinstance(status, Problem):
            raise SystemExit(f"question_cost: {status.message}")
        held = engine.status()
        figures = warm(engine, count)
        asked = tasks(engine, processes, seed=time.time_ns())
    return {
        "figure": "questions",
        "repository": repository.resolve().name,
        "symbols": 0 if isinstance(held, Problem) else held.symbols,
        **figures,
        **cold(repository, asked),
        "load_average": round(os.getloadavg()[0], 1),
    }


def main() -> None:
    """Measure each repository and print a line for it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("repositories", type=Path, nargs="+")
    parser.add_argument("--tasks", type=int, default=100)
    parser.add_argument("--processes", type=int, default=10)
    parser.add_argument("--out", type=Path, help="archive to write (default: by date and commit)")
    given = parser.parse_args()
    collect_rarely()  # as the command line and the servers do
    records = []
    for repository in given.repositories:
        records.append(measure(repository, given.tasks, given.processes))
        print(json.dumps(records[-1]), flush=True)
    print(f"written to {save(records, given.out).name}", file=sys.stderr)


if __name__ == "__main__":
    main()
