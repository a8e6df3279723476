"""Workspaces written to disk for the walk."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

WriteTree = Callable[..., Path]


@pytest.fixture
def tree(tmp_path: Path) -> WriteTree:
    """Write files given as path → text or bytes into a fresh workspace and return its root."""

    def write(files: dict[str, str | bytes]) -> Path:
        root = tmp_path / "workspace"
        for path, content in files.items():
            target = root / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content.encode() if isinstance(content, str) else content)
        root.mkdir(exist_ok=True)
        return root

    return write


@pytest.fixture
def git(tmp_path: Path) -> Callable[..., str]:
    """Run git in a folder, untouched by the configuration of whoever runs the tests."""
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(tmp_path / "no-home"),
        "GIT_CONFIG_NOSYSTEM": "1",
        "LC_ALL": "C",
    }

    def run(folder: Path, *arguments: str) -> str:
        result = subprocess.run(
            ["git", "-C", str(folder), *arguments],
            env=environment,
            check=True,
            capture_output=True,
        )
        return result.stdout.decode("utf-8", "surrogateescape")

    return run
