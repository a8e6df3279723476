"""What merges say of the commits that they brought: the title of a pull request, and its number.

The commits of a branch often say little themselves ("fix", "review"), and never the number that
everybody knows them by.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from sonde.git import GitFailure, run_git

_MOST = 20_000  # commits that are looked at
_MOST_BROUGHT = 50  # commits; a merge of more says little about each
_BODY = 1_000  # characters of a message
_FORMAT = "--format=%H%x00%s%x00%b%x01"
# What git, GitHub, GitLab, Bitbucket, Gitea and Mercurial write, with what may stand before it.
_BY_TOOLS = (
    r"(?:\w+(?:\([^)]*\))?!?: )?"
    r"(?:automat(?:ic|ed) merge|merged? (?:pull request|branch|remote|tag|commit))\b"
)
_WRITTEN_BY_TOOLS = re.compile(_BY_TOOLS, re.IGNORECASE)
# The title then follows as the body. Bors, and people's "merge" and "fix merge conflicts", say no
# more either.
_SAYS_NOTHING = re.compile(
    rf"{_BY_TOOLS}|(?:(?:auto|rollup)[- ])?merg(?:e[ds]?|ing)\b"
    r"|(?:fix(?:ed|es)? |resolved? )?merge conflicts?\W*$",
    re.IGNORECASE,
)
# What tools add to a message: who signed it, and the titles of all commits that were merged.
_ADDED = re.compile(
    r"^(?:(?:[a-z]+-)+(?:by|id|on|revid): .*|# (?:By|Via) .*|\* .*:(?:\n  .*)*|--HG--(?:\n.+)*)$"
    r"\n?",
    re.IGNORECASE | re.MULTILINE,
)
_NUMBERED = re.compile(r"[#!]\d")
_CONFLICTS = re.compile(r"^#?\s*conflicts:.*", re.IGNORECASE | re.MULTILINE | re.DOTALL)

Parents = Mapping[str, tuple[str, ...]]  # of each commit that is looked at


class Merge(NamedTuple):
    """A merge that says more than that it is one, and the commits that came with it."""

    sha: str
    subject: str
    body: str
    brought: tuple[str, ...]


class Merges(NamedTuple):
    """The merges between two commits, or all that led to the newer one."""

    found: tuple[Merge, ...]
    all: bool


def read_merges(root: Path, known: str, now: str, seconds: float) -> Merges | GitFailure:
    """The merges since a known commit; all of them where `now` does not stand on it directly.

    A branch that was known before it was merged is told of by a merge since.
    """
    revisions = f"{known}..{now}" if known else now
    parents = _parents(root, revisions, seconds)
    if known and not isinstance(parents, GitFailure) and _bottom(now, parents) != known:
        known, revisions = "", now
        parents = _parents(root, revisions, seconds)
    if isinstance(parents, GitFailure):
        return parents
    messages = dict[str, tuple[str, str]]()
    if any(len(each) > 1 for each in parents.values()):
        told = run_git(
            root,
            (
                *("log", "--merges", "--no-color", "--no-show-signature", "--encoding=UTF-8"),
                *(_FORMAT, f"--max-count={_MOST}", "--end-of-options", revisions),
            ),
            seconds,
        )
        if isinstance(told, GitFailure):
            return told
        messages = dict(_messages(told))
    brought = _brought(now, parents, messages)
    merges = (
        Merge(sha, *messages[sha], tuple(commits))
        for sha, commits in brought.items()
        if 0 < len(commits) <= _MOST_BROUGHT
    )
    return Merges(tuple(merges), all=not known)


def stands_on(root: Path, newer: str, older: str, seconds: float) -> bool:
    """Whether first parents lead from a commit to an older one, so that both have one main line."""
    parents = _parents(root, f"{older}..{newer}", seconds)
    return not isinstance(parents, GitFailure) and _bottom(newer, parents) == older


def _parents(root: Path, revisions: str, seconds: float) -> Parents | GitFailure:
    arguments = ("rev-list", "--parents", f"--max-count={_MOST}", "--end-of-options", revisions)
    listed = run_git(root, arguments, seconds)
    if isinstance(listed, GitFailure):
        return listed
    rows = (line.split() for line in listed.splitlines())
    return {sha: tuple(parents) for sha, *parents in rows}


def _messages(told: str) -> Iterator[tuple[str, tuple[str, str]]]:
    for entry in told.split("\x01")[:-1]:  # each ends so
        sha, subject, body = (*entry.strip("\n").split("\0", 2), "", "")[:3]
        said = _ADDED.sub("", _CONFLICTS.sub("", body.replace("\r", ""))).strip()
        if (message := _message(subject, said)) is not None:
            yield sha, message


def _message(subject: str, body: str) -> tuple[str, str] | None:
    """The title of what was merged and the rest; None if nothing is said of it."""
    if subject and not _SAYS_NOTHING.match(subject):
        return subject, body[:_BODY]
    while _WRITTEN_BY_TOOLS.match(body):  # as bots do that merge by queue
        body = body.partition("\n")[2].lstrip()
    title, _, rest = body.partition("\n")
    if title:
        return title, f"{subject}\n{rest}"[:_BODY]
    return (subject, "") if _NUMBERED.search(subject) else None


def _bottom(now: str, parents: Parents) -> str:
    """The commit that a line stands on, following first parents; "" for none."""
    each = now
    while before := parents.get(each, ()):
        each = before[0]
    return "" if each in parents else each


def _brought(now: str, parents: Parents, telling: Iterable[str]) -> dict[str, list[str]]:
    """The commits that each telling merge brought to the line it is on, directly or by others.

    A commit came with the first merge that brought it. One from within a branch says more about
    it than the merge of that branch.
    """
    brought: dict[str, list[str]] = {sha: [] for sha in telling}
    passed: set[str] = set()
    lines = [(now, "")]
    while lines:
        each, merge = lines.pop()
        merges: list[tuple[str, str]] = []
        while each in parents and each not in passed:
            passed.add(each)
            first, *others = parents[each] or ("",)
            if others:
                telling_one = each if each in brought else merge
                merges += [(other, telling_one) for other in others]
            elif merge:
                brought[merge].append(each)
            each = first
        lines += merges  # the oldest is followed first, with all that it brought
    return brought
