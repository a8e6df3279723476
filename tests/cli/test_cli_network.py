"""Nothing leaves the machine."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

PROGRAM = """
import sys
def refuse(event, arguments):
    local = event == "socket.connect" and isinstance(arguments[1], (str, bytes))
    if event in ("socket.connect", "socket.getaddrinfo", "socket.bind") and not local:
        raise SystemExit(f"network: {event} {arguments}")
sys.addaudithook(refuse)
from sonde.cli import main
codes = [
    main(["index"]),
    main(["context", "an empty url is accepted by Client.connect"]),
    main(["symbol", "pay"]),
    main(["search", "bank"]),
    main(["impact", "pay"]),
    main(["tests", "--files", "bank/payment.py"]),
]
sys.exit(max(codes))
"""


def test_no_question_opens_a_connection(indexed: tuple[Path, Path]) -> None:
    repo, cache = indexed
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        cwd=repo,
        env={**os.environ, "SONDE_CACHE_DIR": str(cache)},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr


def test_the_guard_of_this_test_would_notice_a_connection() -> None:
    attempt = PROGRAM.split("from sonde", maxsplit=1)[0] + (
        "import socket\nsocket.create_connection(('127.0.0.1', 9), 0.1)"
    )
    done = subprocess.run([sys.executable, "-c", attempt], capture_output=True, check=False)
    assert b"network: socket." in done.stderr
