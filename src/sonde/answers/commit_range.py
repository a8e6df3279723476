"""The diff of a range of commits."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from sonde.answers.results import Refusal
from sonde.git import GitFailure, run_git
from sonde.store.git_folder import own_git_dir

_DIFF = (
    "diff",
    "--no-ext-diff",
    "--no-textconv",
    "--no-color",
    "--find-renames",
    "--ignore-submodules=dirty",
    "--submodule=short",
    "--src-prefix=a/",
    "--dst-prefix=b/",
    "-U0",
)


def range_diff(root: Path, text: str) -> str | Refusal:
    """The diff of `base..head`, `base...head` or `base` (up to HEAD), as text."""
    written = text.strip()
    base, dots, head = written.partition("...") if "..." in written else written.partition("..")
    if not written or not base:
        return Refusal(f"{text[:80]!r} is not a range of commits: write base..head")
    if own_git_dir(root) is None:
        return Refusal(f"{root} is not in a git repository: give files or a diff, not commits")
    commits = []
    for name in (base, head or "HEAD"):
        commit = _commit(root, name)
        if isinstance(commit, Refusal):
            return commit
        commits.append(commit)
    if dots == "...":
        merge_base = _run(root, ("merge-base", *commits))
        if isinstance(merge_base, Refusal):
            return Refusal(f"{base!r} and {head or 'HEAD'!r} have no common commit: use base..head")
        commits[0] = merge_base.strip()
    return _run(root, (*_DIFF, *commits, "--"))


def _commit(root: Path, name: str) -> str | Refusal:
    if name.startswith("-") or not re.fullmatch(r"[^\s\0:?*\[\\]{1,250}", name):
        return Refusal(f"{name[:80]!r} is not the name of a commit, branch or tag")
    found = _run(
        root, ("rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}")
    )
    if not isinstance(found, Refusal):
        return found.strip()
    if found.message:
        return found
    return Refusal(f"there is no commit, branch or tag {name[:80]!r} in {root}")


def _run(root: Path, arguments: Sequence[str]) -> str | Refusal:
    printed = run_git(root, arguments)
    return Refusal(printed.message) if isinstance(printed, GitFailure) else printed
