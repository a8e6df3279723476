"""Running git without letting the repository run anything.

A repository's configuration can name programs for hooks, file-system monitors, filters, text
conversion and external diffs. All but filters are disabled here, and so is the network. Filters
run when the work tree is compared; a caller that does so must disable them too, and name the work
tree, as the configuration may place it anywhere.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

from sonde.frozen import frozen

_LARGEST = 50_000_000  # bytes of output
_SETTINGS = (
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
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


@frozen
class GitFailure:
    """Why git gave no answer; the message is empty if it failed silently."""

    message: str


def run_git(
    root: Path, arguments: Sequence[str], seconds: float = 20.0, attributes: str = os.devnull
) -> str | GitFailure:
    """The output of git. `attributes` is a file of ours that names built-in diff drivers."""
    settings = (*_SETTINGS, f"core.attributesFile={attributes}")
    flags = [part for setting in settings for part in ("-c", setting)]
    try:
        done = subprocess.run(
            ["git", "--no-pager", *flags, *arguments],
            cwd=root,
            env=_environment(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=seconds,
            check=False,
        )
    except FileNotFoundError:
        return GitFailure("git is not installed, or the workspace folder is gone")
    except subprocess.TimeoutExpired:
        return GitFailure(f"git took longer than {seconds:.0f} s: give a smaller range")
    except OSError as error:
        return GitFailure(f"git cannot be started: {error.strerror}")
    if done.returncode != 0:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()
        return GitFailure(f"git: {said[0][:200]}" if said else "")
    if len(done.stdout) > _LARGEST:
        limit = f"{_LARGEST // 1_000_000} MB"
        return GitFailure(f"the diff is larger than {limit}: give a smaller range")
    return done.stdout.decode("utf-8", "replace")


def _environment() -> dict[str, str]:
    """The user's environment, without variables that redirect git or make it run programs."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    quiet = {"GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0", "GIT_NO_LAZY_FETCH": "1"}
    return {**kept, **quiet, "LC_ALL": "C"}
