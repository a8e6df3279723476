"""What is checked out and what was changed since; runs no program of the repository."""

from __future__ import annotations

import re
from pathlib import Path

from sonde.answers.diff import parse_diff
from sonde.git import GitFailure, run_git
from sonde.session.editor import GitState

_SECONDS = 5.0
_LARGEST = 200_000  # characters of a diff that are looked at
_FILTER = re.compile(r"^filter\.(.+)\.(?:clean|smudge|process|required)$")
_DIFF = (
    "diff",
    "HEAD",
    "--no-ext-diff",
    "--no-textconv",
    "--no-color",
    "--ignore-submodules=all",
    "--src-prefix=a/",
    "--dst-prefix=b/",
    "-U1",
    "--",
)


def git_state(root: Path) -> GitState | None:
    """Branch, modified files and diff of a work tree; None where there is no repository."""
    if not (root / ".git").exists():
        return None
    # Named here, as a hostile repository could name any other folder (`core.worktree`).
    here = f"--work-tree={root}"
    printed = run_git(root, (here, *_without_filters(root), *_DIFF), _SECONDS)
    diff = "" if isinstance(printed, GitFailure) else printed[:_LARGEST]
    modified = tuple(dict.fromkeys(change.path for change in parse_diff(diff)))
    return GitState(_branch(root), modified, diff)


def _without_filters(root: Path) -> list[str]:
    """Settings that empty every configured filter, as comparing files would run them."""
    listed = run_git(root, ("config", "--name-only", "--get-regexp", r"^filter\."), _SECONDS)
    if isinstance(listed, GitFailure):
        return []
    names = {match[1] for line in listed.splitlines() if (match := _FILTER.match(line))}
    flags = []
    for name in sorted(names):
        for key, value in (("clean", ""), ("smudge", ""), ("process", ""), ("required", "false")):
            flags += ["-c", f"filter.{name}.{key}={value}"]
    return flags


def _branch(root: Path) -> str:
    """The branch, or the beginning of the commit's hash when none is checked out."""
    named = run_git(root, ("symbolic-ref", "--quiet", "--short", "HEAD"), _SECONDS)
    if not isinstance(named, GitFailure):
        return named.strip()
    commit = run_git(root, ("rev-parse", "--short=12", "--verify", "--quiet", "HEAD"), _SECONDS)
    return "" if isinstance(commit, GitFailure) else commit.strip()
