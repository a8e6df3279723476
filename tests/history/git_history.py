"""Repositories of a few commits."""

from __future__ import annotations

import subprocess
from pathlib import Path


def git(root: Path, *arguments: str, author: str = "A Dev") -> str:
    identity = ("-c", f"user.name={author}", "-c", "user.email=dev@example.invalid")
    done = subprocess.run(
        ["git", *identity, *arguments], cwd=root, check=True, capture_output=True, text=True
    )
    return done.stdout.strip()


def new_repository(root: Path) -> Path:
    """A repository without a commit."""
    root.mkdir()
    git(root, "init", "-q", "-b", "main")
    return root


def commit(root: Path, message: str, author: str = "A Dev", **files: str) -> str:
    """Write files, `__` standing for the dot of their names, and commit all."""
    for name, text in files.items():
        (root / name.replace("__", ".")).write_text(text)
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", message, author=author)
    return git(root, "rev-parse", "HEAD")
