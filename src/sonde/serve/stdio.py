"""MCP over standard input and output: one message per line, nothing else on stdout."""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
from pathlib import Path
from typing import Any, BinaryIO

from sonde.serve.protocol import INVALID_REQUEST, PARSE_ERROR, Connection
from sonde.serve.roots import Roots
from sonde.serve.workspaces import Workspaces

_LONGEST = 4 << 20  # bytes of one message


class _Wire:
    """Messages out. After the client is gone they go nowhere."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._lock = threading.Lock()

    def send(self, message: Any) -> None:
        data = json.dumps(message, separators=(",", ":")).encode("ascii") + b"\n"
        with self._lock:
            try:
                self._stream.write(data)
                self._stream.flush()
            except (OSError, ValueError):
                os._exit(0)  # nobody reads any more


def serve_stdio(cache: Path, roots: list[Path], fallback: Path | None) -> None:
    """Serve until standard input ends, then end the process at once."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever else prints must not break the protocol
    sys.stdout = sys.stderr
    workspaces = Workspaces(cache, roots)
    wire = _Wire(answers)
    connection = Connection(workspaces, wire.send, Roots(workspaces, fallback, fixed=bool(roots)))
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        for line in _lines(sys.stdin.buffer):
            _take(line, connection, wire)
    except (OSError, KeyboardInterrupt):
        pass
    connection.close()
    workspaces.leave()
    # Threads may be deep in an index; it is consistent at any moment, and workers end with us.
    os._exit(0)


def _lines(stream: BinaryIO) -> Any:
    """Lines of bounded length; None stands for one that was too long."""
    while line := stream.readline(_LONGEST + 1):
        if len(line) <= _LONGEST:
            yield line
            continue
        while not line.endswith(b"\n"):
            line = stream.readline(_LONGEST)
            if not line:
                break
        yield None


def _take(line: bytes | None, connection: Connection, wire: _Wire) -> None:
    if line is None:
        wire.send(_error(INVALID_REQUEST, f"a message is longer than {_LONGEST >> 20} MiB"))
        return
    if not line.strip():
        return
    try:
        message = json.loads(line)
    except (ValueError, RecursionError):
        wire.send(_error(PARSE_ERROR, "not a JSON message"))
        return
    connection.receive(message)


def _error(code: int, message: str) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": None, "error": {"code": code, "message": message}}
