"""The cost of session passes: start, failure with 1 MB of output, far too much output.

Wall time, and CPU time, which other work on the machine disturbs least.

python -m bench.session_cost REPO [--tasks 40] [--out FILE]
"""

from __future__ import annotations

import argparse
import json
import os
import time
from pathlib import Path
from typing import Any

from bench.budgets import tasks
from bench.question_cost import percentiles, timed
from bench.speed_archive import save
from sonde.cli import collect_rarely
from sonde.engine import Engine
from sonde.session.session import Session

_MEGABYTE = 1_000_000
_FAILURES = 10
_LOG = "2026-01-01 12:00:00 INFO worker: handled request 4711 of client 12 in 35 ms\n"
_OUTPUT = (
    "_________ test_part_{n} _________\n\n    def test_part_{n}():\n>       assert part({n}) == 1\n"
    "E       assert {n} == 1\n\ntests/test_part.py:{n}: AssertionError\n"
)


def start(engine: Engine, count: int) -> dict[str, Any]:
    """Start passes: tasks that are new to the process, then almost the same words again."""
    asked = tasks(engine, count, seed=time.time_ns())
    first = [timed(lambda task=task: Session.start(engine, task)) for task in asked]  # type: ignore[misc]
    again = [
        timed(lambda task=task: Session.start(engine, f"{task} again"))  # type: ignore[misc]
        for task in asked
    ]
    return {**_told("new_words", first), **_told("known_words", again)}


def failure(engine: Engine) -> dict[str, Any]:
    """Failure passes over about 1 MB of test output: a log with few failures, and thousands."""
    few = [_failed(engine, run, 5) for run in range(_FAILURES)]
    many = [_failed(engine, run, _MEGABYTE // len(_OUTPUT)) for run in range(_FAILURES)]
    return {**_told("few_failures", few), **_told("thousands_of_failures", many)}


def _failed(engine: Engine, run: int, count: int) -> tuple[float, float]:
    told = "".join(_OUTPUT.format(n=number) for number in range(run, run + count))
    log = _LOG * ((_MEGABYTE - len(told)) // len(_LOG))
    session = _begun(engine, f"fix the parts of run {run}")
    output = f"{log}=== FAILURES ===\n{told}"
    return timed(lambda: session.failure(output))


def too_much(engine: Engine) -> dict[str, Any]:
    """100 MB of text, and 1 MB of noise."""
    session = _begun(engine, "fix the output of the parser")
    text = _OUTPUT.format(n=1) * (100 * _MEGABYTE // len(_OUTPUT))
    noise = os.urandom(_MEGABYTE).decode("latin-1")
    return {
        **_told("hundred_megabytes", [timed(lambda: session.failure(text))]),
        **_told("noise", [timed(lambda: session.failure(noise))]),
    }


def _begun(engine: Engine, task: str) -> Session:
    session = Session.start(engine, task)
    if not isinstance(session, Session):
        raise SystemExit(f"session_cost: {session}")
    return session


def _told(name: str, costs: list[tuple[float, float]]) -> dict[str, Any]:
    return {
        f"{name}_ms": percentiles([wall for _, wall in costs]),
        f"{name}_cpu_ms": percentiles([cpu for cpu, _ in costs]),
    }


def main() -> None:
    """Measure and archive."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("repository", type=Path)
    parser.add_argument("--tasks", type=int, default=40)
    parser.add_argument("--out", type=Path, help="archive to write (default: by date and commit)")
    given = parser.parse_args()
    collect_rarely()  # as the command line and the servers do
    with Engine(given.repository) as engine:
        engine.sync()
        figures = {
            "figure": "session passes",
            "repository": given.repository.resolve().name,
            **start(engine, given.tasks),
            **failure(engine),
            **too_much(engine),
            "load_average": round(os.getloadavg()[0], 1),
        }
    print(json.dumps(figures))
    print(f"written to {save([figures], given.out).name}")


if __name__ == "__main__":
    main()
