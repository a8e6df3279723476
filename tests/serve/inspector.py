"""The official inspector's command line: another implementation's view of our protocol."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

VERSION = "0.15.0"
_INSTALLING = 120.0  # seconds, once on a machine
_ASKING = 60.0


def program() -> Path:
    """The inspector, installed once into the user's cache; skips where it cannot be had."""
    if shutil.which("npm") is None or shutil.which("node") is None:
        pytest.skip("the inspector needs node and npm, which are not installed")
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    place = Path(base) / "sonde-tests" / f"inspector-{VERSION}"
    found = place / "node_modules" / ".bin" / "mcp-inspector"
    place.mkdir(parents=True, exist_ok=True)
    with (place / "lock").open("w") as lock:  # tests run in several processes
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (place / "installed").exists():
            _install(place)
    return found


def _install(place: Path) -> None:
    package = f"@modelcontextprotocol/inspector@{VERSION}"
    quick = ("--no-audit", "--no-fund", "--fetch-retries=0", "--fetch-timeout=30000")
    command = ["npm", "install", "--prefix", str(place), *quick, package]
    try:
        done = subprocess.run(command, capture_output=True, timeout=_INSTALLING, check=False)
    except subprocess.TimeoutExpired:
        pytest.skip(f"npm did not install the inspector within {_INSTALLING:.0f} s")
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").splitlines()
        told = [line for line in said if line.startswith(("npm error", "npm ERR!"))]
        pytest.skip(f"npm cannot install the inspector: {' '.join(told[:2]) or done.returncode}")
    (place / "installed").touch()


def inspected(*words: str) -> Any:
    """What the inspector prints about a server, as JSON."""
    done = subprocess.run(
        [str(program()), "--cli", *words], capture_output=True, timeout=_ASKING, check=False
    )
    assert done.returncode == 0, done.stderr.decode("utf-8", "replace")
    return json.loads(done.stdout)
