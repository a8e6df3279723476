"""Figures of a running server on loopback: latency, load, edits, memory, malformed messages.

python -m bench.serve_load REPO [--only NAME] [--seconds N] [--questions N] [--edits N]
                                [--switch COMMIT] [--out FILE]
Every figure is wall time on this machine with its load average beside it. Edits are made to a
copy of the repository, never to the one that was given.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import queue
import random
import re
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

from bench.speed_archive import save

_WORDS = (
    "cache", "queryset", "form", "template", "migration", "session", "middleware", "validate",
    "request", "response", "signal", "transaction", "login", "paginate", "serialize", "translate",
    "upload", "index", "constraint", "prefetch", "router", "static", "handler", "filter",
)  # fmt: skip
_SETTLED = 40.0  # seconds; a server tidies up after 15 of quiet
_VERBS = ("fix", "extend", "speed up", "document", "test", "remove", "explain", "refactor")


def tasks(count: int, seed: int = 1) -> Iterator[str]:
    """Tasks that are all different, so that no cache of answers helps."""
    chance = random.Random(seed)
    for number in range(count):
        first, second, third = chance.sample(_WORDS, 3)
        yield f"{chance.choice(_VERBS)} the {first} of the {second} {third}, part {number}"


class Server:
    """`sonde serve` over a repository."""

    def __init__(self, repository: Path, cache: Path) -> None:
        self.environment = {**os.environ, "SONDE_CACHE_DIR": str(cache)}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "sonde", "serve", "--port", "0", "--repo", str(repository)],
            env=self.environment,
            stdout=subprocess.PIPE,
        )
        assert self.process.stdout is not None
        line = self.process.stdout.readline().decode()
        found = re.search(r":(\d+)/mcp", line)
        if not found:
            raise SystemExit(f"the server did not start: {line}")
        self.port = int(found[1])
        listed = self.request("GET", "/v1/workspaces")[1]["workspaces"]
        self.workspace = f"/v1/workspaces/{listed[0]['id']}"
        self.raw("GET", f"{self.workspace}/progress")

    def raw(self, method: str, path: str, value: Any = None) -> tuple[int, bytes]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=600)
        body = None if value is None else json.dumps(value).encode()
        try:
            connection.request(method, path, body, {"content-type": "application/json"})
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()

    def request(self, method: str, path: str, value: Any = None) -> tuple[int, Any]:
        status, body = self.raw(method, path, value)
        return status, json.loads(body)

    def memory(self) -> float:
        """Resident megabytes of the server, and of its workers what belongs to no file.

        Libraries count once. Shared out among all who use them (Pss) they would count less
        whenever another program of the same environment runs.
        """
        total = _kilobytes(self.process.pid, "Rss")
        total += sum(_kilobytes(each, "Anonymous") for each in _children(self.process.pid))
        return round(total / 1024, 1)

    def cpu(self) -> float:
        """Seconds of processor time spent so far."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(10)
        assert self.process.stdout is not None
        self.process.stdout.close()


def _kilobytes(process: int, kind: str) -> int:
    text = Path(f"/proc/{process}/smaps_rollup").read_text()
    return sum(map(int, re.findall(rf"^{kind}:\s+(\d+)", text, re.MULTILINE)))


def _children(process: int) -> list[int]:
    """The processes that a process started, and those that they did."""
    found: list[int] = []
    for task in Path(f"/proc/{process}/task").iterdir():
        for child in map(int, (task / "children").read_text().split()):
            found += [child, *_children(child)]
    return found


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


def percentiles(seconds: list[float]) -> dict[str, float]:
    """p50, p99 and most, in milliseconds."""
    ordered = sorted(seconds)

    def at(share: float) -> float:
        return round(1000 * ordered[min(len(ordered) - 1, int(share * len(ordered)))], 1)

    return {"count": len(ordered), "p50_ms": at(0.5), "p99_ms": at(0.99), "max_ms": at(1.0)}


def one_client(running: Server, count: int = 100) -> dict[str, float]:
    """`context` asked by one client, one after another; with the processor time of each."""
    took = []
    before = running.cpu()
    for task in tasks(count, seed=2):
        began = time.perf_counter()
        running.request("POST", "/v1/context", {"task": task})
        took.append(time.perf_counter() - began)
    return {**percentiles(took), "cpu_ms_each": round(1000 * (running.cpu() - before) / count, 1)}


def kept_answer(running: Server, count: int = 100) -> dict[str, float]:
    """The same question again and again: what serving costs besides answering."""
    took = []
    for _ in range(count):
        began = time.perf_counter()
        running.request("POST", "/v1/context", {"task": "explain the cache of the template"})
        took.append(time.perf_counter() - began)
    return percentiles(took)


def many_clients(
    running: Server, clients: int, seconds: float, pause: float = 0.0
) -> dict[str, Any]:
    """Clients that ask for some seconds; `pause` is what each waits between two questions."""
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
    """`sonde context` as a process that uses the running server."""
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

    The start is an idle server after a hundred questions and ten edits of the same kind, which
    fill some of what is kept. Each time it was just asked a hundred questions, as a generation
    that nobody asked about yet holds less, and then left alone until it has tidied up.
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
        "before_mb": before,
        "after_questions_mb": asked,
        "after_edits_mb": changed,
        "growth_percent": round(100 * (max(asked, changed) / before - 1), 2),
    }


def switches(repository: Path, commit: str, temporary: Path) -> dict[str, float]:
    """Questions of one client while another commit is checked out and indexed, and back again."""
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
    """Processor share of a server that nobody asks."""
    time.sleep(2)
    before = running.cpu()
    time.sleep(seconds)
    return {"cpu_percent": round(100 * (running.cpu() - before) / seconds, 2)}


def cold_initialize(repository: Path, cache: Path, rounds: int = 10) -> dict[str, float]:
    """From starting `sonde mcp` to its answer to `initialize`, with no index there."""
    took = []
    greeting = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {}}
    for number in range(rounds):
        environment = {**os.environ, "SONDE_CACHE_DIR": str(cache / f"cold{number}")}
        began = time.perf_counter()
        process = _mcp(repository, environment)
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(_line(1, "initialize", greeting))
        process.stdin.flush()
        process.stdout.readline()
        took.append(time.perf_counter() - began)
        process.stdin.close()
        process.wait(10)
        process.stdout.close()
        shutil.rmtree(cache / f"cold{number}", ignore_errors=True)
    return percentiles(took)


def malformed(repository: Path, cache: Path, count: int) -> dict[str, float]:
    """Bad messages of all kinds to one server; each must be answered within five seconds."""
    process = _mcp(repository, {**os.environ, "SONDE_CACHE_DIR": str(cache)})
    assert process.stdin is not None
    assert process.stdout is not None
    answers: queue.Queue[Any] = queue.Queue()
    output = process.stdout

    def read() -> None:
        for line in output:
            message = json.loads(line)
            if "method" not in message:
                answers.put(message)

    threading.Thread(target=read, daemon=True).start()
    took = []
    for message in bad_messages(count):
        began = time.perf_counter()
        process.stdin.write(message)
        process.stdin.flush()
        answers.get(timeout=30)
        took.append(time.perf_counter() - began)
    process.stdin.write(_line("last", "ping", {}))
    process.stdin.flush()
    lives = answers.get(timeout=5)["id"] == "last" and process.poll() is None
    process.stdin.close()
    process.wait(10)
    return {**percentiles(took), "over_5_s": sum(each > 5 for each in took), "lives": lives}


def bad_messages(count: int) -> Iterator[bytes]:
    """Messages that are broken, too large, of wrong types, or cancelled at once."""
    chance = random.Random(11)
    whole = _line(1, "tools/call", {"name": "symbol", "arguments": {"name": "x"}})
    values: list[Any] = [None, True, -1, 1e300, "", "\ud800", [], {}, [[]], "x" * 5000]
    for number in range(count):
        kind = number % 6
        if kind == 0:
            cut = whole[: chance.randrange(1, len(whole) - 2)]
            yield cut.replace(b"\n", b"") + b"\n"
        elif kind == 1:
            yield bytes(chance.choice(b'{}[]":,x1\xff') for _ in range(60)) + b"\n"
        elif kind == 2:
            arguments = {"name": chance.choice(values), "budget": chance.choice(values)}
            yield _line(number, "tools/call", {"name": "symbol", "arguments": arguments})
        elif kind == 3:
            yield _line(number, str(chance.choice(values)), chance.choice(values))
        elif kind == 4 and number % 500 == 4:
            yield b'{"jsonrpc":"2.0","id":1,"method":"' + b"x" * (5 << 20) + b'"}\n'
        elif kind == 4:
            yield b"[" * chance.randrange(1, 20_000) + b"\n"
        else:
            call = {"name": "search", "arguments": {"query": f"part {number}"}}
            cancel = {
                "jsonrpc": "2.0",
                "method": "notifications/cancelled",
                "params": {"requestId": number},
            }
            yield _line(number, "tools/call", call) + json.dumps(cancel).encode() + b"\n"


def _line(id: Any, method: str, params: Any) -> bytes:
    message = {"jsonrpc": "2.0", "id": id, "method": method, "params": params}
    return json.dumps(message).encode() + b"\n"


def _mcp(repository: Path, environment: dict[str, str]) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "sonde", "mcp", "--repo", str(repository)],
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )


def main() -> None:
    """Measure what was asked for and print a line for each figure."""
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
        # Further processes start under the first seconds of a load and stay for a minute.
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
