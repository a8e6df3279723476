"""`sonde serve` over a repository, for the server benchmarks."""

from __future__ import annotations

import http.client
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any


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
        """Resident megabytes of the server, plus its workers' memory that is not file-backed.

        Libraries count once. Divided among all their users (Pss) they would count less
        whenever another program from the same environment runs.
        """
        total = _kilobytes(self.process.pid, "Rss")
        total += sum(_kilobytes(each, "Anonymous") for each in _children(self.process.pid))
        return round(total / 1024, 1)

    def cpu(self) -> float:
        """CPU seconds spent so far."""
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
    """All descendants of a process."""
    found: list[int] = []
    for task in Path(f"/proc/{process}/task").iterdir():
        for child in map(int, (task / "children").read_text().split()):
            found += [child, *_children(child)]
    return found
