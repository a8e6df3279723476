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
# "=" would end a name given to git, and what is not UTF-8 was replaced when it was read.
_PLAIN = re.compile(r"filter\.[\w./ -]+", re.ASCII)
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
    diff = _diff(root)
    modified = tuple(dict.fromkeys(change.path for change in parse_diff(diff)))
    return GitState(_branch(root), modified, diff)


def _diff(root: Path) -> str:
    """What changed since the last commit; "" where git cannot tell, or might run a program."""
    quiet = _without_filters(root)
    if quiet is None:
        return ""
    # Named here, as a hostile repository could name any other folder (`core.worktree`).
    here = f"--work-tree={root}"
    printed = run_git(root, (here, *quiet, *_DIFF), _SECONDS)
    return "" if isinstance(printed, GitFailure) else printed[:_LARGEST]


def _without_filters(root: Path) -> list[str] | None:
    """Settings that empty every configured filter, as comparing files would run them.

    None when one may be left: the list cannot be had, or a name cannot be repeated exactly.
    """
    listed = run_git(root, ("config", "--name-only", "--get-regexp", r"^filter\."), _SECONDS)
    if isinstance(listed, GitFailure):
        return None if listed.message else []  # it fails silently when there are none
    lines = listed.removesuffix("\n").split("\n")
    if not all(map(_PLAIN.fullmatch, lines)):
        return None
    names = {match[1] for line in lines if (match := _FILTER.match(line))}
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
