"""Asking git for a diff without letting the repository run anything.

A repository's configuration can name programs for hooks, file-system monitors, filters,
text conversion and external diffs. Only committed trees are compared, so no filter runs;
the others are switched off.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Sequence
from pathlib import Path

from sonde.answers.results import Refusal

_SECONDS = 20.0
_LARGEST = 50_000_000  # bytes of a diff
_SETTINGS = (
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "core.attributesFile=/dev/null",
    "core.pager=cat",
    "core.sshCommand=false",
    "core.askPass=",
    "core.quotePath=true",
    "credential.helper=",
    "diff.external=",
    "diff.submodule=short",
    "protocol.allow=never",
    "submodule.recurse=false",
)
_DIFF = (
    "diff",
    "--no-ext-diff",
    "--no-textconv",
    "--no-color",
    "--find-renames",
    "--ignore-submodules=all",
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
    if name.startswith("-") or not re.fullmatch(r"[^\s\0:?*\[\\]+", name):
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
    """What git prints; a refusal without a message when it failed silently."""
    settings = [part for setting in _SETTINGS for part in ("-c", setting)]
    try:
        done = subprocess.run(
            ["git", "--no-pager", *settings, *arguments],
            cwd=root,
            env=_environment(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_SECONDS,
            check=False,
        )
    except FileNotFoundError:
        return Refusal("git is not installed, or the workspace folder is gone")
    except subprocess.TimeoutExpired:
        return Refusal(f"git took longer than {_SECONDS:.0f} s: give a smaller range")
    except OSError as error:
        return Refusal(f"git cannot be started: {error.strerror}")
    if done.returncode != 0:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()
        return Refusal(f"git: {said[0][:200]}" if said else "")
    if len(done.stdout) > _LARGEST:
        return Refusal(f"the diff is larger than {_LARGEST // 1_000_000} MB: give a smaller range")
    return done.stdout.decode("utf-8", "replace")


def _environment() -> dict[str, str]:
    """The user's environment without what would point git elsewhere or make it run programs."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    quiet = {"GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0", "GIT_NO_LAZY_FETCH": "1"}
    return {**kept, **quiet, "LC_ALL": "C"}
