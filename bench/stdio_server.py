"""`sonde mcp` on standard input and output: its first answer, and how it takes bad messages."""

from __future__ import annotations

import json
import os
import queue
import random
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bench.speed_archive import percentiles


def cold_initialize(repository: Path, cache: Path, rounds: int = 10) -> dict[str, float]:
    """Time from starting `sonde mcp` to its answer to `initialize`, without an index."""
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
    """Send bad messages of all kinds to one server; each must be answered within five seconds."""
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
    """Messages that are broken, too large, of wrong types, or cancelled immediately."""
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
