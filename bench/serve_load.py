"""Figures of a running server on loopback: latency, load, edits, memory, malformed messages.

python -m bench.serve_load REPO [--only NAME] [--seconds N] [--questions N] [--edits N]
                                [--switch COMMIT] [--out FILE]
Every figure is wall time on this machine with its load average beside it. Edits are made to a
copy of the repository, never to the one that was given.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from bench.served import Server
from bench.speed_archive import percentiles, save
from bench.stdio_server import cold_initialize, malformed

_WORDS = (
    "cache", "queryset", "form", "template", "migration", "session", "middleware", "validate",
    "request", "response", "signal", "transaction", "login", "paginate", "serialize", "translate",
    "upload", "index", "constraint", "prefetch", "router", "static", "handler", "filter",
)  # fmt: skip
_SETTLED = 40.0  # seconds; a server tidies up after 15 of quiet
_VERBS = ("fix", "extend", "speed up", "document", "test", "remove", "explain", "refactor")


def tasks(count: int, seed: int = 1) -> Iterator[str]:
    """Distinct tasks, so that no cache of answers helps."""
    chance = random.Random(seed)
    for number in range(count):
        first, second, third = chance.sample(_WORDS, 3)
        yield f"{chance.choice(_VERBS)} the {first} of the {second} {third}, part {number}"


@contextmanager
def server(repository: Path, cache: Path) -> Iterator[Server]:
    """A server that is indexed and warm."""
    running = Server(repository, cache)
    try:
        for task in tasks(5, seed=99):
            running.request("POST", "/v1/context", {"task": task})
        yield running
    finally:
        running.stop()


def one_client(running: Server, count: int = 100) -> dict[str, float]:
    """`context` questions from one client, one after another, with the CPU time of each."""
    took = []
    before = running.cpu()
    for task in tasks(count, seed=2):
        began = time.perf_counter()
        running.request("POST", "/v1/context", {"task": task})
        took.append(time.perf_counter() - began)
    return {**percentiles(took), "cpu_ms_each": round(1000 * (running.cpu() - before) / count, 1)}


def kept_answer(running: Server, count: int = 100) -> dict[str, float]:
    """The same question repeatedly: the cost of serving, without answering."""
    took = []
    for _ in range(count):
        began = time.perf_counter()
        running.request("POST", "/v1/context", {"task": "explain the cache of the template"})
        took.append(time.perf_counter() - began)
    return percentiles(took)


def many_clients(
    running: Server, clients: int, seconds: float, pause: float = 0.0
) -> dict[str, Any]:
    """Clients that ask for some seconds; each waits `pause` between two questions."""
    took: list[float] = []
    statuses: dict[int, int] = {}
    lock = threading.Lock()
    end = time.monotonic() + seconds

    def ask(number: int) -> None:
        for task in tasks(1_000_000, seed=number + 10):
            if time.monotonic() > end:
                return
            began = time.perf_counter()
            try:
                status = running.raw("POST", "/v1/context", {"task": task})[0]
            except OSError:
                status = 0
            with lock:
                statuses[status] = statuses.get(status, 0) + 1
                if status == 200:
                    took.append(time.perf_counter() - began)
            time.sleep(1.0 if status == 429 else pause)

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(clients)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return {**percentiles(took), "statuses": dict(sorted(statuses.items()))}


def through_server(running: Server, repository: Path, count: int = 20) -> dict[str, float]:
    """`sonde context` in a process that uses the running server."""
    took = []
    for task in tasks(count, seed=3):
        began = time.perf_counter()
        command = [sys.executable, "-m", "sonde", "context", "--repo", str(repository), task]
        subprocess.run(command, env=running.environment, capture_output=True, check=False)
        took.append(time.perf_counter() - began)
    return percentiles(took)


def edits(running: Server, repository: Path, count: int) -> dict[str, float]:
    """From saving a file to an answer that shows it."""
    took = []
    place = sorted(repository.rglob("*.py"))[0].parent / "sonde_bench_edit.py"
    try:
        for number in range(count):
            place.write_text(f"def edited_number_{number}():\n    return {number}\n")
            began = time.perf_counter()
            name = {"name": f"edited_number_{number}"}
            while not running.request("POST", "/v1/symbol", name)[1]["found"]:
                if time.perf_counter() - began > 60:
                    raise SystemExit("an edit was not seen for a minute")
            took.append(time.perf_counter() - began)
    finally:
        place.unlink(missing_ok=True)
    return percentiles(took)


def memory(running: Server, repository: Path, questions: int, edited: int) -> dict[str, float]:
    """Growth of an idle server over many questions and edits.

    The baseline is an idle server after a hundred questions and ten edits of the same kind, which
    fill some of its caches. Before each measurement it is asked a hundred questions, as a
    generation that was never queried holds less, and then left alone until it has tidied up.
    """

    def after(count: int, changes: int, seed: int) -> float:
        if changes:
            edits(running, repository, changes)
        for task in tasks(count, seed):
            running.raw("POST", "/v1/context", {"task": task})
        time.sleep(_SETTLED)
        return running.memory()

    before = after(100, 10, 4)
    asked = after(questions, 0, 5)
    changed = after(100, edited, 6)
    return {
        "questions": questions,
        "edits": edited,
        "before_mb": before,
        "after_questions_mb": asked,
        "after_edits_mb": changed,
        "growth_percent": round(100 * (max(asked, changed) / before - 1), 2),
    }


def switches(repository: Path, commit: str, temporary: Path) -> dict[str, float]:
    """One client's questions while another commit is checked out and indexed, and back again."""
    clone = temporary / "switched"
    subprocess.run(["git", "clone", "-q", "--shared", repository, clone], check=True)
    git = ["git", "-C", str(clone)]
    changed = subprocess.check_output([*git, "diff", "--name-only", "HEAD", commit])
    took: list[float] = []
    fresh: list[float] = []
    every = tasks(1_000_000, seed=12)
    with server(clone, temporary / "switching") as running:
        for target in (commit, "-"):
            began = time.perf_counter()
            checkout = subprocess.Popen([*git, "checkout", "-q", target])
            stale = True
            while stale or checkout.poll() is None:
                asked = time.perf_counter()
                answer = running.request("POST", "/v1/context", {"task": next(every)})[1]
                took.append(time.perf_counter() - asked)
                stale = bool(answer["stale"])
            fresh.append(time.perf_counter() - began)
    most = {"fresh_after_s": round(max(fresh), 1), "changed_files": len(changed.splitlines())}
    return {**percentiles(took), **most}


def idle(running: Server, seconds: float = 30.0) -> dict[str, float]:
    """CPU share of an idle server."""
    time.sleep(2)
    before = running.cpu()
    time.sleep(seconds)
    return {"cpu_percent": round(100 * (running.cpu() - before) / seconds, 2)}


def main() -> None:
    """Measure what was requested and print a line for each figure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("repository", type=Path)
    parser.add_argument("--cache", type=Path, help="index to use (default: a new one)")
    parser.add_argument("--only", action="append", help="measure only this; may be repeated")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--questions", type=int, default=10_000)
    parser.add_argument("--edits", type=int, default=1_000)
    parser.add_argument("--messages", type=int, default=10_000)
    parser.add_argument("--switch", metavar="COMMIT", help="also measure a switch to it and back")
    parser.add_argument("--out", type=Path, help="archive to write (default: by date and commit)")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        cache = given.cache or Path(temporary) / "cache"
        copy = Path(temporary) / given.repository.resolve().name
        shutil.copytree(
            given.repository, copy, symlinks=True, ignore=shutil.ignore_patterns(".git")
        )
        with server(copy, cache) as running:
            figures = list(_measure(running, copy, cache, Path(temporary), given))
    print(f"written to {save(figures, given.out).name}")


def _measure(
    running: Server, copy: Path, cache: Path, temporary: Path, given: argparse.Namespace
) -> Iterator[dict[str, Any]]:
    """Each figure as soon as it is known, printed too."""
    figures: dict[str, Callable[[], Any]] = {
        "one client": lambda: one_client(running),
        "kept answer": lambda: kept_answer(running),
        # More processes start in the first seconds of load and stay for a minute.
        "8 clients, from idle": lambda: many_clients(running, 8, 8.0),
        "8 clients": lambda: many_clients(running, 8, min(20.0, given.seconds)),
        "50 clients": lambda: many_clients(running, 50, given.seconds),
        "context through a server": lambda: through_server(running, copy),
        "edit to answer": lambda: edits(running, copy, 20),
        "idle": lambda: idle(running),
        "memory": lambda: memory(running, copy, given.questions, given.edits),
        "cold initialize": lambda: cold_initialize(copy, temporary),
        "malformed": lambda: malformed(copy, cache, given.messages),
    }
    if given.switch:
        figures["switch"] = lambda: switches(given.repository, given.switch, temporary)
    for name, measure in figures.items():
        if not given.only or name in given.only:
            load = round(os.getloadavg()[0], 1)
            found = {"figure": name, "repository": copy.name, **measure(), "load_average": load}
            print(json.dumps(found), flush=True)
            yield found


if __name__ == "__main__":
    main()
