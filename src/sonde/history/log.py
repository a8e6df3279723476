"""`git log` → commits with the functions that each changed.

Git's built-in diff drivers name the function around every hunk, which maps a
change to a symbol without following lines through later commits.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from sonde.git import GitFailure, run_git
from sonde.store.location import common_git_dir

_ATTRIBUTES = Path(__file__).with_name("attributes")
_FORMAT = "--format=%x01%H%x00%at%x00%an%x00%s%x00%b%x02"
_LOG = ("log", "--no-merges", "--no-renames", "--no-color", "--no-ext-diff", "--no-textconv")
_SUFFIXES = (
    *("py", "js", "jsx", "ts", "tsx", "java", "kt", "scala", "go", "rs", "rb", "c", "h", "cc"),
    *("cpp", "hpp", "cs", "php", "swift"),
)
_MOST_FILES = 30  # a commit that touches more is a sweep and says little about each
_BODY = 1_000  # characters of a message
_HUNK = re.compile(r"^@@ [^@]*@@ ?(.*)$", re.MULTILINE)
_FILE = re.compile(r"^\+\+\+ b/(.+?)\t?$", re.MULTILINE)
_NAME = re.compile(
    r"(?:class|def|func|fn|function|struct|interface|trait|impl|enum|module|type)\s+"
    r"(?:\([^)]*\)\s*)?(?:self\.)?([A-Za-z_][\w!?]*)|([A-Za-z_~][\w!?]*)\s*\("
)


class Commit(NamedTuple):
    """One commit; `touched` has (path, names of changed functions) of each code file."""

    sha: str
    time: int
    author: str
    subject: str
    body: str
    touched: tuple[tuple[str, tuple[str, ...]], ...]


def head_stamp(root: Path) -> tuple[int, ...]:
    """Changes whenever another commit may have been checked out; costs no process."""
    folder = common_git_dir(root)
    if folder is None:
        return ()
    marks = ("HEAD", "logs/HEAD", "packed-refs", "worktrees")
    return tuple(_changed_at(folder / mark) for mark in marks)


def _changed_at(path: Path) -> int:
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0


def head(root: Path) -> str:
    """The commit that is checked out, "" outside git or before the first commit."""
    found = run_git(root, ("rev-parse", "--verify", "--quiet", "HEAD"))
    return "" if isinstance(found, GitFailure) else found.strip()


def is_ancestor(root: Path, older: str, newer: str) -> bool:
    """Whether one commit is part of the other's history."""
    found = run_git(root, ("merge-base", "--is-ancestor", older, newer))
    return not isinstance(found, GitFailure)


class Log(NamedTuple):
    """A stretch of history; `walked` counts also the commits that say too little to keep."""

    commits: tuple[Commit, ...]
    walked: int


def read_log(root: Path, revisions: str, skip: int, count: int, seconds: float) -> Log | GitFailure:
    """Up to `count` commits, newest first. Where blobs are missing, files without functions."""
    paths = [f"*.{suffix}" for suffix in _SUFFIXES]
    start = (*_LOG, _FORMAT, f"--skip={skip}", f"--max-count={count}")
    end = ("--end-of-options", revisions, "--", *paths)
    text = run_git(root, (*start, "-U0", "--patch", *end), seconds, str(_ATTRIBUTES))
    if isinstance(text, GitFailure):
        text = run_git(root, (*start, "--name-only", *end), seconds)
    if isinstance(text, GitFailure):
        return text
    return Log(tuple(_commits(text)), text.count("\x01"))


def _commits(text: str) -> Iterator[Commit]:
    for entry in text.split("\x01")[1:]:
        heading, _, changes = entry.partition("\x02")
        parts = heading.split("\0")
        if len(parts) == 5:
            sha, time, author, subject, body = parts
            touched = tuple(_touched(changes))
            if 0 < len(touched) <= _MOST_FILES:
                yield Commit(sha, int(time), author, subject, body[:_BODY], touched)


def _touched(changes: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    files = list(_FILE.finditer(changes))
    if not files:
        for line in changes.strip().splitlines():
            if line and not line.startswith(("diff ", "index ", "---", "deleted", "@@", "-", "+")):
                yield line, ()
        return
    for at, match in enumerate(files):
        end = files[at + 1].start() if at + 1 < len(files) else len(changes)
        names: dict[str, None] = {}
        for hunk in _HUNK.finditer(changes, match.end(), end):
            if found := _NAME.search(hunk.group(1)):
                names[found.group(1) or found.group(2)] = None
        yield match.group(1), tuple(names)
