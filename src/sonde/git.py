"""Running git without letting the repository run anything, and reading the paths that it prints.

A repository's configuration can name programs for hooks, file-system monitors, filters, text
conversion and external diffs. All but filters are disabled here, and so is the network. Filters
run when the work tree is compared; a caller that does so must disable them too, and name the work
tree, as the configuration may place it anywhere.
"""

from __future__ import annotations

import os
import re
import selectors
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path

from sonde.frozen import frozen

_LARGEST = 50_000_000  # bytes of output
_MOST_SAID = 10_000  # bytes of complaints; their first line is shown
_PART = 1 << 16
_ESCAPE = re.compile(rb"\\([0-7]{3}|.)")
_CONTROL = dict(zip((b"a", b"b", b"f", b"n", b"r", b"t", b"v"), b"\a\b\f\n\r\t\v", strict=True))
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
    "mailmap.file=/dev/null",  # a repository may name any file of the machine
    "submodule.recurse=false",
)


@frozen
class GitFailure:
    """Why git gave no answer; the message is empty if it failed silently."""

    message: str
    too_much: bool = False  # it may well answer about a smaller range


def run_git(
    root: Path, arguments: Sequence[str], seconds: float = 20.0, attributes: str = os.devnull
) -> str | GitFailure:
    """The output of git. `attributes` is a file of ours that names built-in diff drivers."""
    settings = (*_SETTINGS, f"core.attributesFile={attributes}")
    flags = [part for setting in settings for part in ("-c", setting)]
    try:
        process = subprocess.Popen(
            ["git", "--no-pager", *flags, *arguments],
            cwd=root,
            env=_environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
    except FileNotFoundError:
        return GitFailure("git is not installed, or the workspace folder is gone")
    except OSError as error:
        return GitFailure(f"git cannot be started: {error.strerror}")
    with process:
        try:
            printed, said = _read(process, seconds)
        except subprocess.TimeoutExpired:
            return GitFailure(f"git took longer than {seconds:.0f} s: give a smaller range", True)
        finally:
            process.kill()  # does nothing to one that has ended
    if len(printed) > _LARGEST:
        limit = f"{_LARGEST // 1_000_000} MB"
        return GitFailure(f"the diff is larger than {limit}: give a smaller range", True)
    if process.returncode != 0:
        return GitFailure(_reason(said.decode("utf-8", "replace")))
    return printed.decode("utf-8", "replace")


def _reason(said: str) -> str:
    """Git's last word in one line, with the command that it proposes; "" if it said nothing."""
    lines = said.strip().splitlines()
    ends = (line for line in lines if line.startswith("fatal: "))  # warnings come before
    why = next(ends, lines[0] if lines else "")
    proposed = next(
        (f": '{line.strip()[:200]}'" for line in lines if line.startswith("\tgit ")), ""
    )
    return f"git: {why[:200]}{proposed}" if why else ""


def _read(process: subprocess.Popen[bytes], seconds: float) -> tuple[bytearray, bytearray]:
    """Output and complaints until git ends, or until there is more output than we take."""
    assert process.stdout is not None
    assert process.stderr is not None
    printed, said = bytearray(), bytearray()
    end = time.monotonic() + seconds
    with selectors.DefaultSelector() as pipes:
        pipes.register(process.stdout, selectors.EVENT_READ, (printed, _LARGEST + 1))
        pipes.register(process.stderr, selectors.EVENT_READ, (said, _MOST_SAID))
        while pipes.get_map() and len(printed) <= _LARGEST:
            left = end - time.monotonic()
            ready = pipes.select(max(left, 0.0))
            if not ready or left <= 0:
                raise subprocess.TimeoutExpired(process.args, seconds)
            for key, _ in ready:
                part = os.read(key.fd, _PART)
                into, most = key.data
                into += part[: most - len(into)]
                if not part:
                    pipes.unregister(key.fileobj)
    if len(printed) <= _LARGEST:
        process.wait(max(end - time.monotonic(), 0.1))
    return printed, said


def _environment() -> dict[str, str]:
    """The user's environment, without variables that redirect git or make it run programs."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    quiet = {"GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0", "GIT_NO_LAZY_FETCH": "1"}
    # A setting (`protocol.allow`) would yield to the repository's own for a protocol. Git before
    # 2.39.4 does not know GIT_NO_LAZY_FETCH, so that any reading may be a fetch.
    return {**kept, **quiet, "GIT_ALLOW_PROTOCOL": "", "LC_ALL": "C"}


def unquoted(path: str) -> str:
    """A path that git wrote with C escapes, as it is on disk."""
    if not (len(path) > 1 and path.startswith('"') and path.endswith('"')):
        return path

    def plain(match: re.Match[bytes]) -> bytes:
        code = match[1]
        number = int(code, 8) & 0xFF if len(code) == 3 else _CONTROL.get(code, code[0])
        return bytes([number])

    return _ESCAPE.sub(plain, path[1:-1].encode()).decode("utf-8", "replace")
