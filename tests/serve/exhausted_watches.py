"""A server whose inotify watches are used up, and given back: `exhausted_watches.py ROOT CACHE`.

Runs in a user namespace of its own, whose limits concern nobody else:
`unshare --user --map-root-user python exhausted_watches.py …`. Prints what it saw as JSON.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from served_repository import HttpServer

LIMIT = Path("/proc/sys/user/max_inotify_watches")
_PATIENCE = 30.0


def until(told: Callable[[], Any]) -> Any:
    """What is told as soon as it is something, or at the end of our patience."""
    deadline = time.monotonic() + _PATIENCE
    while not (found := told()) and time.monotonic() < deadline:
        time.sleep(0.1)
    return found


def main(root: Path, cache: Path) -> None:
    """Take the watches away, change a file, ask, give them back."""
    before = LIMIT.read_text()
    LIMIT.write_text("1")
    seen: dict[str, Any] = {}
    with HttpServer(cache, "--repo", str(root)) as server:
        place = server.workspace

        def state() -> dict[str, Any]:
            found: dict[str, Any] = server.get(place)
            return found

        seen["degraded"] = until(lambda: state()["health"]["degraded"])
        seen["state"] = state()["state"]
        files = state()["files"]
        (root / "late.py").write_text("def written_late(): pass\n", "utf-8")
        # The state is told without looking at the disk: the watch itself has to look.
        seen["noticed"] = until(lambda: state()["files"] > files)
        (root / "later.py").write_text("def written_later(): pass\n", "utf-8")
        seen["asked"] = server.post("/v1/symbol", {"name": "written_later"})[0]
        LIMIT.write_text(before)
        seen["recovered"] = until(lambda: not state()["health"]["degraded"])
        seen["state after"] = state()["state"]
    print(json.dumps(seen))


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:3]))
