"""Without file events a server says so, looks at the disk itself, and recovers."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from served_repository import FILES, environment, write_files

HERE = Path(__file__).parent
OWN_LIMITS = ("unshare", "--user", "--map-root-user")
PROBE = "test -w /proc/sys/user/max_inotify_watches"


def test_exhausted_watches_were_passed_over_in_silence(tmp_path: Path) -> None:
    if shutil.which("unshare") is None:
        pytest.skip("limits of one's own need the program unshare")
    tried = subprocess.run([*OWN_LIMITS, "sh", "-c", PROBE], capture_output=True, check=False)
    if tried.returncode:
        pytest.skip("this machine lets nobody have limits of one's own (user namespaces)")
    root = write_files(tmp_path / "repository", FILES)
    done = subprocess.run(
        [
            *OWN_LIMITS,
            *(sys.executable, str(HERE / "exhausted_watches.py"), str(root)),
            str(tmp_path / "cache"),
        ],
        env=environment(tmp_path / "cache"),
        capture_output=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    seen = json.loads(done.stdout)
    assert seen["degraded"].startswith("file events are not available: OS file watch limit")
    assert (seen["state"], seen["state after"]) == ("degraded", "ready")
    assert seen["noticed"]
    assert seen["asked"] == 200
    assert seen["recovered"]
