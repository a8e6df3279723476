"""What git prints of a hostile repository is bounded while it is read."""

from __future__ import annotations

import subprocess
import time
import tracemalloc
from pathlib import Path

import pytest

from sonde.git import GitFailure, run_git

MEGABYTE = 1_000_000


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    return tmp_path


def blob(repository: Path, data: bytes) -> str:
    words = ["git", "hash-object", "-w", "--stdin"]
    done = subprocess.run(words, cwd=repository, input=data, check=True, capture_output=True)
    return done.stdout.decode().strip()


def test_bug_output_was_collected_before_its_limit_applied(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    large = blob(repository, b"a line\n" * (32 * MEGABYTE // 7))
    monkeypatch.setattr("sonde.git._LARGEST", MEGABYTE)
    tracemalloc.start()
    try:
        found = run_git(repository, ("cat-file", "-p", large))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert found == GitFailure("the diff is larger than 1 MB: give a smaller range", True)
    assert peak < 8 * MEGABYTE


def test_output_up_to_the_limit_is_whole(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = b"0123456789" * (MEGABYTE // 10)
    monkeypatch.setattr("sonde.git._LARGEST", MEGABYTE)
    assert run_git(repository, ("cat-file", "-p", blob(repository, data))) == data.decode()
    assert isinstance(
        run_git(repository, ("cat-file", "-p", blob(repository, data + b"x"))), GitFailure
    )


def test_complaints_are_told_by_their_first_line(repository: Path) -> None:
    found = run_git(repository, ("rev-parse", *(f"no-{n}" for n in range(3))))
    assert isinstance(found, GitFailure)
    assert found.message.startswith("git: fatal: ")
    assert "\n" not in found.message


def test_git_that_waits_ends_with_its_time(repository: Path) -> None:
    (repository / "waits").write_text("#!/bin/sh\nsleep 30\n")
    (repository / "waits").chmod(0o755)
    began = time.monotonic()
    found = run_git(repository, ("-c", "alias.wait=!./waits", "wait"), seconds=0.3)
    assert isinstance(found, GitFailure)
    assert "longer than" in found.message
    assert time.monotonic() - began < 10


@pytest.mark.parametrize("protocol", ["ext", "file"])
def test_a_repository_allowed_itself_a_protocol(
    repository: Path, tmp_path: Path, protocol: str
) -> None:
    trap = tmp_path / "trap.sh"
    trap.write_text(f"#!/bin/sh\ntouch {tmp_path}/sprung\n")
    trap.chmod(0o755)
    url = {"ext": f"ext::{trap}", "file": f"file://{tmp_path}"}[protocol]
    for key, value in (
        ("remote.origin.url", url),
        ("remote.origin.uploadpack", str(trap)),
        (f"protocol.{protocol}.allow", "always"),
    ):
        subprocess.run(["git", "config", key, value], cwd=repository, check=True)
    # what a git that knows no GIT_NO_LAZY_FETCH does for a missing object
    assert isinstance(run_git(repository, ("fetch", "origin")), GitFailure)
    assert not (tmp_path / "sprung").exists()
