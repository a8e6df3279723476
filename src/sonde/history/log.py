"""`git log` → commits with the functions that each changed.

Git's diff drivers name the function around every hunk; the lines of a hunk name those that begin in
it. That maps a change to symbols without following lines through later commits. Drivers for
languages that git has none for are in `headings.py`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from sonde.git import GitFailure, run_git, unquoted
from sonde.history.definitions import defined_by, is_aside
from sonde.history.headings import DRIVERS, named_by
from sonde.store.git_folder import common_git_dir, common_to_worktrees, git_text, own_git_dir

_ATTRIBUTES = Path(__file__).with_name("attributes")
# The time of the commit, not of its author: what was picked or rebased later came later. The
# author by `.mailmap`, as `git log` and `git blame` name people.
_FORMAT = "--format=%x01%H%x00%ct%x00%aN%x00%s%x00%b%x02"
# Paths are relative to the workspace, which may be a folder of the repository, and nothing in a
# user's configuration decides how changes are written.
_LOG = (
    *(
        "-c",
        "core.quotePath=false",
        *DRIVERS,
        "log",
        "--no-merges",
        # also what a merge left out again: it was read if it was asked about before the merge
        "--full-history",
        "--relative",
        "--encoding=UTF-8",
    ),
    *("--no-color", "--no-ext-diff", "--no-textconv", "--no-show-signature"),
    *("--src-prefix=a/", "--dst-prefix=b/", "--inter-hunk-context=0", "--root"),
    "-O/dev/null",  # without it git fails where `diff.orderFile` names no file
)
# A moved file is reported as moved, with its changed lines: no dearer than all its lines twice.
# Beyond so many files added and removed in one commit, they are not compared.
_RENAMES = ("--find-renames", "-l200")
_SUFFIXES = (
    *("py", "pyi", "js", "jsx", "mjs", "cjs", "ts", "tsx", "mts", "cts", "java", "kt", "kts"),
    *("scala", "sc", "go", "rs", "rb", "c", "h", "cc", "hh", "cpp", "hpp", "cxx", "hxx", "cs"),
    *("php", "swift", "vue", "svelte", "astro"),
)
_MOST_FILES = 30  # a commit that touches more is a sweep and says little about each
_MOST_SWEPT = 3_000  # files of a sweep that are remembered as changed by it
_BODY = 1_000  # characters of a message
_DIGITS = 13  # digits of a time in seconds that is in no imaginable year
_SHA = re.compile(r"[0-9a-f]{40,64}")
_ENTRY = re.compile(r"\x01(?=[0-9a-f]{40,64}\0)")  # sources may have that character too
_HUNK = re.compile(r"^@@ [^@]*@@ ?(.*)$", re.MULTILINE)
_SECTION = re.compile(r"^diff --git ", re.MULTILINE)  # no line of a file begins so in a diff
# Git quotes a name that has control characters, quotes or backslashes, with its prefix.
_FILE = re.compile(r'^\+\+\+ (?:b/(.+?)|("b/.+"))\t?\n@@ ', re.MULTILINE)
# Of files that are not text, or that the repository wants no diff of.
_UNSHOWN = re.compile(r'^Binary files .+ and (?:b/(.+)|("b/.+")) differ$', re.MULTILINE)
_MOVED = re.compile(r"^rename from (.+)\nrename to (.+)$", re.MULTILINE)
_CHANGED = ("+", "-")

Touched = tuple[str, tuple[str, ...]]  # a path, and the names of its changed functions


class Commit(NamedTuple):
    """One commit and the code files that it changed."""

    sha: str
    time: int
    author: str
    subject: str
    body: str
    touched: tuple[Touched, ...]

    @property
    def is_sweep(self) -> bool:
        """Whether it touches so much that its message says little about each file."""
        return len(self.touched) > _MOST_FILES


class Rename(NamedTuple):
    """A file that a commit moved."""

    time: int
    old: str
    new: str
    sha: str


class Renamed(NamedTuple):
    """A function that a commit gave another name."""

    time: int
    path: str
    old: str
    new: str
    sha: str


class _Changed(NamedTuple):
    """A file in a commit, the functions that were changed in it, and new names of some."""

    path: str
    names: tuple[str, ...] = ()
    renamed: tuple[tuple[str, str], ...] = ()


def head_stamp(root: Path) -> tuple[int, ...]:
    """A value that changes whenever another commit may have been checked out; starts no process."""
    own = own_git_dir(root)
    if own is None:
        return ()
    common = common_to_worktrees(own)
    # Plain text: each question looks, and paths as objects took half of the time.
    marks = (f"{own}/HEAD", f"{own}/logs/HEAD", f"{common}/packed-refs", f"{common}/shallow")
    # Without a log of references (`core.logAllRefUpdates`) the branch itself is still written.
    branch = (f"{common}/{_branch(own)}", f"{common}/reftable/tables.list")
    return tuple([_changed_at(mark) for mark in (*marks, *branch)])


def _branch(own: Path) -> str:
    """The reference that is checked out; "HEAD" where it is a commit."""
    kind, _, name = git_text(own / "HEAD").partition(": ")
    return name if kind == "ref" and ".." not in name and "\0" not in name else "HEAD"


def cut_at(root: Path) -> frozenset[str]:
    """The oldest commits of a shallow clone; what they changed is not known."""
    folder = common_git_dir(root)
    try:
        return frozenset((folder / "shallow").read_text().split()) if folder else frozenset()
    except (OSError, ValueError):
        return frozenset()


def _changed_at(path: str) -> int:
    try:
        return os.stat(path).st_mtime_ns
    except OSError:
        return 0


def head(root: Path) -> str | GitFailure:
    """The commit that is checked out, "" before the first one; a failure that says why."""
    found = run_git(root, ("rev-parse", "--verify", "--quiet", "HEAD"))
    if isinstance(found, GitFailure):
        return found if found.message else ""
    named = _SHA.fullmatch(found.strip())
    # whatever else a program called git may print
    return named.group() if named else GitFailure("git does not tell which commit is checked out")


def fork(root: Path, one: str, other: str) -> str:
    """The last commit that two lines of history share; "" where it is not known, or not one."""
    found = run_git(root, ("merge-base", "--all", one, other))
    named = None if isinstance(found, GitFailure) else _SHA.fullmatch(found.strip())
    return named.group() if named else ""


def commits_between(root: Path, older: str, newer: str, most: int) -> list[str]:
    """The commits that lie between two, up to `most` of them."""
    found = run_git(root, ("rev-list", f"--max-count={most}", f"{older}..{newer}"))
    return [] if isinstance(found, GitFailure) else _SHA.findall(found)


def descendants(root: Path, older: str, newer: str) -> frozenset[str]:
    """The commits between two that stand on the older one; others are of lines merged late."""
    found = run_git(root, ("rev-list", "--ancestry-path", f"{older}..{newer}"))
    return frozenset(() if isinstance(found, GitFailure) else _SHA.findall(found))


class Log(NamedTuple):
    """A stretch of history; `told` also names commits that say too little to be kept."""

    commits: tuple[Commit, ...] = ()
    told: tuple[str, ...] = ()  # newest first
    renames: tuple[Rename, ...] = ()
    renamed: tuple[Renamed, ...] = ()
    is_last: bool = False  # nothing is older
    listed: bool = False  # files without functions: git lacks some of their contents

    @property
    def walked(self) -> int:
        """How many commits were read."""
        return len(self.told)

    def before(self, older: Log) -> Log:
        """Both stretches as one."""
        return Log(
            self.commits + older.commits,
            self.told + older.told,
            self.renames + older.renames,
            self.renamed + older.renamed,
            older.is_last,
        )


def read_log(root: Path, revisions: str, skip: int, count: int, seconds: float) -> Log | GitFailure:
    """Up to `count` commits, newest first; where blobs are missing, files without functions.

    Several commits that change too much for one answer are a failure, so that all but the vast
    one among them (a library that was copied in, say) can be read with their functions.
    """
    paths = [f"*.{suffix}" for suffix in _SUFFIXES]
    start = (*_LOG, _FORMAT, f"--skip={skip}", f"--max-count={count}")
    end = ("--end-of-options", revisions, "--", *paths)
    changed_by = _changed_functions
    text = run_git(root, (*start, *_RENAMES, "-U0", "--patch", *end), seconds, str(_ATTRIBUTES))
    if isinstance(text, GitFailure) and not (text.too_much and count > 1):
        changed_by = _listed_files
        text = run_git(root, (*start, "--no-renames", "--name-only", *end), seconds)
    if isinstance(text, GitFailure):
        return text
    log = _log(text, changed_by, cut_at(root))
    return log._replace(is_last=log.walked < count, listed=changed_by is _listed_files)


def _log(text: str, changed_by: Callable[[str], Iterator[_Changed]], cut: frozenset[str]) -> Log:
    commits: list[Commit] = []
    renames: list[Rename] = []
    renamed: list[Renamed] = []
    told: list[str] = []
    for entry in _ENTRY.split(text)[1:]:
        sha, date, author, subject, rest = (*entry.split("\0", 4), *("",) * 4)[:5]
        told.append(sha)
        body, _, changes = rest.partition("\x02")
        time = _seconds(date)
        renames += [
            Rename(time, unquoted(old), unquoted(new), sha) for old, new in _MOVED.findall(changes)
        ]
        changed = tuple(changed_by(changes))
        renamed += [
            Renamed(time, each.path, *names, sha) for each in changed for names in each.renamed
        ]
        touched = tuple((each.path, each.names) for each in changed)
        if 0 < len(touched) <= _MOST_SWEPT and sha not in cut:
            commits.append(Commit(sha, time, author, subject, body[:_BODY], touched))
    return Log(tuple(commits), tuple(told), tuple(renames), tuple(renamed))


def _seconds(date: str) -> int:
    """The time of a commit; 0 where git could not read it, or no clock will ever show it."""
    return int(date) if date.isdecimal() and len(date) < _DIGITS else 0


def _listed_files(changes: str) -> Iterator[_Changed]:
    yield from (_Changed(unquoted(path)) for path in changes.split("\n") if path)


def _changed_functions(changes: str) -> Iterator[_Changed]:
    for section in _SECTION.split(changes)[1:]:
        if match := _FILE.search(section):  # deleted files have no such line
            path = _written(match)
            suffix = path.rpartition(".")[2]
            names: dict[str, None] = {}
            renamed: list[tuple[str, str]] = []
            hunks = [*_HUNK.finditer(section, match.end() - len("@@ "))]
            ends = [*(each.start() for each in hunks[1:]), len(section)]
            for hunk, end in zip(hunks, ends, strict=True):
                read = _Hunk.of(section[hunk.end() : end], suffix)
                names |= dict.fromkeys(read.changed(hunk[1]))
                renamed += read.renamed
            yield _Changed(path, tuple(names), tuple(renamed))
        elif match := _UNSHOWN.search(section):
            yield _Changed(_written(match))


def _written(path: re.Match[str]) -> str:
    return path[1] or unquoted(path[2]).removeprefix("b/")


class _Hunk(NamedTuple):
    """The definitions that begin in lines taken away and added, and whether others lie before."""

    gone: tuple[str, ...]
    come: tuple[str, ...]
    inside: bool

    @classmethod
    def of(cls, lines: str, suffix: str) -> _Hunk:
        begun: dict[str, list[str]] = {"-": [], "+": []}
        inside = False
        for line in lines.split("\n"):
            sign, text = line[:1], line[1:]
            if sign in _CHANGED and not is_aside(text, suffix):
                if name := defined_by(text, suffix):
                    begun[sign].append(name)
                elif not any(begun.values()):
                    inside = inside or text[:1].isspace()  # at the margin it is in no function
        return cls(tuple(begun["-"]), tuple(begun["+"]), inside)

    def changed(self, heading: str) -> Iterator[str]:
        """The function around the first line, and those that begin in the hunk."""
        if self.inside and (name := named_by(heading)):
            yield name
        yield from (*self.gone, *self.come)

    @property
    def renamed(self) -> list[tuple[str, str]]:
        """The one name that went, with the one that came in its place."""
        gone = [name for name in dict.fromkeys(self.gone) if name not in self.come]
        come = [name for name in dict.fromkeys(self.come) if name not in self.gone]
        return [(gone[0], come[0])] if len(gone) == len(come) == 1 else []
