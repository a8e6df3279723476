"""The walk: a folder → every file worth indexing, and why the others are not.

A walker that walks again asks the folders it remembers only for their times: a folder's own
time changes whenever an entry is added, removed or renamed.
"""

from __future__ import annotations

import errno
import os
from array import array
from collections.abc import Mapping, Sequence
from operator import attrgetter
from pathlib import Path
from typing import TypeVar

from sonde.discover.classify import classify
from sonde.discover.folder import Folder, Here, Seen, Takes
from sonde.discover.ignorefile import IgnoreFile
from sonde.discover.language import named
from sonde.discover.leaveout import LeaveOut, group_by_content, group_by_name
from sonde.discover.links import link_reason
from sonde.discover.pattern import literal_text, parse_pattern
from sonde.discover.rules import NEVER_KNOWN, DiscoverRules, KnownFile
from sonde.discover.scope import OWN_IGNORE_FILES, FolderRules, Scope, Scopes
from sonde.discover.sighting import Link, Sighting, stamp_numbers
from sonde.discover.stamp import ABSENT, lasting_stamp, stamp_of
from sonde.discover.tracked import Tracks
from sonde.model import Discovery, SkippedFile, SkipReason, SourceFile

_CHANGES_SCOPE = frozenset({".git", ".gitignore", *OWN_IGNORE_FILES})
_LATEST = (1 << 63) - 1  # nanoseconds, in the year 2262; a table holds no later time
_TAKEN_OF_TRACKED = {
    Tracks.NOTHING: None,
    Tracks.BELOW: Takes.TRACKED,
    Tracks.ITSELF: Takes.ALL,
}
_THIRD_PARTY = frozenset({LeaveOut.DEPENDENCIES, LeaveOut.VENDORED})
T = TypeVar("T")


def discover(
    root: Path, rules: DiscoverRules, known: Mapping[str, KnownFile] | None = None
) -> Discovery:
    """Walk a workspace once. Files that `known` describes with equal size and time are not read.

    A root that is not a readable folder is reported as the skipped path ".".
    """
    return Walker(root, rules).walk(known or {})


class Walker:
    """Walks one workspace, each time with less to look at than the first."""

    def __init__(self, root: Path, rules: DiscoverRules) -> None:
        self._root = os.path.realpath(root)
        self._rules = rules
        self._include = IgnoreFile(rules.include)
        self._leads_to_included = _folders_above(rules.include)
        self._scopes = Scopes(self._root, rules)
        self._seen: dict[str, Seen] = {}
        self._before: dict[str, Seen] = {}
        self._known: Mapping[str, KnownFile] = {}
        self._files: list[SourceFile] = []
        self._skipped: list[SkippedFile] = []
        self._pending: list[Folder] = []
        self._doubtful = False  # something in the folder may change without a trace
        self._asked: list[tuple[str, Tracks]] = []  # of git about the folder, and its answers
        # What a sighting needs besides: links and files too large that were met in this walk, and
        # whether there was anything else that times do not tell.
        self._links: list[Link] = []
        self._large: list[tuple[str, int, int]] = []
        self._unsure = False

    def walk(self, known: Mapping[str, KnownFile]) -> Discovery:
        """All files as they are now; those that `known` still describes are not read.

        Folders wait in a list, not in a recursion, so that any depth will do.
        """
        if not self._scopes.refresh():
            self._scopes = Scopes(self._root, self._rules)
            self._seen = {}
        self._before, self._seen, self._known = self._seen, {}, known
        self._files, self._skipped = [], []
        self._links, self._large, self._unsure = [], [], False
        self._pending = [Folder("", self._scopes.outermost(), Takes.ALL)]
        while self._pending:
            folder = self._pending.pop()
            seen = self._before.get(folder.path)
            if seen is None or not self._is_as_before(seen, folder):
                seen = self._seen_now(folder, seen)
            self._seen[seen.folder.path] = seen
        files = sorted(self._files, key=attrgetter("path"))
        skipped = sorted(self._skipped, key=attrgetter("path"))
        return Discovery(tuple(files), tuple(skipped))

    def sighting(self) -> Sighting | None:
        """What the last walk saw; None when times could not tell later whether it still holds."""
        rules = self._scopes.stamps()
        if self._unsure or rules is None or not all(seen.listed for seen in self._seen.values()):
            return None
        seen = [seen.listed or ABSENT for seen in self._seen.values()]
        files = [(each.path, each.mtime_ns, each.size) for each in self._files]
        files += [(each.path, each.mtime_ns, each.size) for each in self._skipped if each.mtime_ns]
        files += self._large
        return Sighting(
            list(self._seen),
            stamp_numbers(seen),
            [path for path, _, _ in files],
            array("q", (number for _, *numbers in files for number in numbers)),
            self._links,
            list(rules),
            stamp_numbers(rules.values()),
        )

    def consulted(self) -> tuple[str, ...]:
        """Absolute paths of the files that told the last walk what to leave out."""
        return self._scopes.read()

    def _is_as_before(self, seen: Seen, folder: Folder) -> bool:
        """Take over a folder whose time is unchanged, checking the files' own times."""
        if seen.stamp is None or seen.folder != folder:
            return False
        if stamp_of(f"{self._root}/{folder.path}") != seen.stamp:
            return False
        if seen.asked and not _is_tracked_as_before(seen):
            return False
        if not self._are_as_before(seen.files) or not self._are_as_before(seen.skipped):
            return False
        self._files += seen.files
        self._skipped += seen.skipped
        self._pending += seen.below
        return True

    def _are_as_before(self, found: Sequence[SourceFile | SkippedFile]) -> bool:
        prefix, known, lstat = f"{self._root}/", self._known, os.lstat
        for each in found:
            mtime_ns = each.mtime_ns
            if not mtime_ns:
                continue  # told by its name alone
            old = known.get(each.path)
            if old is None or old[1] != mtime_ns or old[0] != each.size:
                return False
            try:
                status = lstat(prefix + each.path)
            except OSError:
                return False
            if status.st_mtime_ns != mtime_ns or status.st_size != each.size:
                return False
        return True

    def _seen_now(self, folder: Folder, before: Seen | None) -> Seen:
        stamp = lasting_stamp(f"{self._root}/{folder.path}")
        files, skipped, below = len(self._files), len(self._skipped), len(self._pending)
        self._doubtful = False
        self._asked = []
        marks, scope = self._visit(folder, before)
        if before is not None:
            # What is unchanged stays the same object: a new one for each would lie wherever
            # there was room this moment, and keep a megabyte of memory from being returned.
            folder = before.folder if before.folder == folder else folder
            _replace_equal(self._files, files, before.files)
            _replace_equal(self._skipped, skipped, before.skipped)
            _replace_equal(self._pending, below, before.below)
        return Seen(
            folder,
            None if self._doubtful else stamp,
            stamp,
            marks,
            scope,
            tuple(self._files[files:]),
            tuple(self._skipped[skipped:]),
            tuple(self._pending[below:]),
            tuple(self._asked),
        )

    def _visit(self, folder: Folder, before: Seen | None) -> tuple[frozenset[str], Scope]:
        """List a folder; returns what in it changes the ignore rules, and the rules inside."""
        entries = self._list(folder.path)
        names = {entry.name for entry in entries}
        marks = _CHANGES_SCOPE & names
        if folder.path and folder.takes is not Takes.INCLUDED:
            group = group_by_content(names, self._rules.leave_out)
            if group is not None:
                self._leave_out(folder.path, group)
                return frozenset(), folder.scope
        scope = self._scope_inside(folder, names, marks, before)
        here = Here(
            f"{folder.path}/" if folder.path else "",
            scope,
            folder.takes,
            names,
            self._scopes.rules(scope, folder.path),
            self._included_in(folder.path),
        )
        verdicts, takes_all = here.rules.file_verdicts, here.takes is Takes.ALL
        for entry in entries:
            name = entry.name
            if entry.is_dir(follow_symlinks=False):
                self._meet_folder(name, here)
                continue
            ignored = verdicts.get(name)
            if ignored is None:
                ignored = here.rules.ignores_file(name)
            if (ignored or not takes_all) and not self._is_kept(name, here):
                continue
            if entry.is_file(follow_symlinks=False):
                self._meet_file(entry, here.prefix + name, name)
            else:
                self._meet_other(entry, here.prefix + name)
        return marks, scope

    def _scope_inside(
        self, folder: Folder, names: set[str], marks: frozenset[str], before: Seen | None
    ) -> Scope:
        if before is not None and (before.folder, before.marks) == (folder, marks):
            return before.scope
        if before is not None:
            self._before = {}  # other rules apply below, so nothing there can be taken over
        return self._scopes.entered(folder.scope, folder.path, names) if marks else folder.scope

    def _included_in(self, folder: str) -> FolderRules | None:
        if self._include.is_empty:
            return None
        return FolderRules([self._include.rules_in(folder)], [])

    def _list(self, folder: str) -> list[os.DirEntry[str]]:
        try:
            with os.scandir(f"{self._root}/{folder}") as entries:
                return list(entries)
        except OSError as error:
            self._skip_failed(folder, error)
            return []

    def _meet_folder(self, name: str, here: Here) -> None:
        path = here.prefix + name
        if f"{self._root}/{path}" in self._rules.own:
            return
        if not _is_proper(name):
            self._skip(path, SkipReason.BAD_NAME)
            return
        takes, group = self._taken_of_folder(name, path, here)
        if takes is None and path in self._leads_to_included:
            takes, group = Takes.INCLUDED, None
        if takes is not None:
            self._pending.append(Folder(path, here.scope, takes))
        elif group is not None:
            self._leave_out(path, group)

    def _taken_of_folder(
        self, name: str, path: str, here: Here
    ) -> tuple[Takes | None, LeaveOut | None]:
        """What to take of a folder; for None also the group that leaves it out, if one does."""
        if here.included is not None and here.included.folder_verdicts(name)[0]:
            return Takes.ALL, None
        if here.takes is Takes.INCLUDED:
            return None, None
        left_out, ignored_by_git = here.rules.folder_verdicts(name)
        if left_out:
            return None, None
        group = None
        if left_out is None:
            group = group_by_name(name, here.names, self._rules.leave_out)
            if group is not None:
                return None, group
        if here.takes is Takes.ALL and not (left_out is None and ignored_by_git):
            return Takes.ALL, None
        return _TAKEN_OF_TRACKED[self._tracks(path, here)], None

    def _is_kept(self, name: str, here: Here) -> bool:
        """Whether a file is taken although a rule leaves it or its folder out."""
        if here.included is not None and here.included.ignores_file(name):
            return True
        if here.takes is Takes.INCLUDED or here.scope.tracked is None:
            return False
        if here.rules.leaves_out_file(name):
            return False
        return self._tracks(here.prefix + name, here) is Tracks.ITSELF

    def _tracks(self, path: str, here: Here) -> Tracks:
        """What git tracks of a path that it would ignore."""
        if here.scope.tracked is None:
            return Tracks.NOTHING
        answer = here.scope.tracked.tracks(path)
        self._asked.append((path, answer))
        return answer

    def _leave_out(self, path: str, group: LeaveOut) -> None:
        if group in _THIRD_PARTY:
            self._skip(f"{path}/", SkipReason.VENDORED, f"{group.value} folder")

    def _meet_other(self, entry: os.DirEntry[str], path: str) -> None:
        self._doubtful = True  # where a link leads may change elsewhere
        if not _is_proper(path):
            self._unsure = True
            self._skip(path, SkipReason.BAD_NAME)
        elif not entry.is_symlink():
            self._unsure = True
            self._skip(path, SkipReason.SPECIAL_FILE)
        else:
            reason = link_reason(self._root, path)
            self._links.append(Link(path, reason or ""))
            if reason is not None:
                self._skip(path, reason)

    def _meet_file(self, entry: os.DirEntry[str], path: str, name: str) -> None:
        found = self._known.get(path)
        guess = None
        if found is None or found.reason is not None:
            if not _is_proper(name):
                self._skip(path, SkipReason.BAD_NAME)
                return
            guess = named(name)
            if guess is not None and guess.reason is not None:
                if name != ".git":
                    self._skipped.append(SkippedFile(path, guess.reason, guess.detail))
                return
        try:
            status = entry.stat(follow_symlinks=False)
        except OSError as error:
            self._skip_failed(path, error)
            return
        size, mtime_ns = status.st_size, min(status.st_mtime_ns, _LATEST)
        # Elsewhere no time means "told by its name alone", so the next walk has to look again.
        self._doubtful = self._doubtful or not mtime_ns
        if size > self._rules.max_file_bytes:
            self._doubtful = True
            self._large.append((path, mtime_ns, size))
            self._skip(path, SkipReason.TOO_LARGE, f"{size} bytes")
            return
        if (
            found is None
            or found.size != size
            or found.mtime_ns != mtime_ns
            or found.reason in NEVER_KNOWN
        ):
            found = classify(entry.path, path, guess or named(name), size, mtime_ns)
        if found.reason in NEVER_KNOWN:
            self._doubtful = self._unsure = True
        if found.reason is None:
            self._files.append(SourceFile(path, found.language, found.kind, size, mtime_ns))
        else:
            self._unsure = self._unsure or not mtime_ns
            self._skipped.append(SkippedFile(path, found.reason, "", size, mtime_ns))

    def _skip_failed(self, path: str, error: OSError) -> None:
        self._doubtful = self._unsure = True
        if path and isinstance(error, FileNotFoundError):
            return  # deleted since its folder was listed
        too_deep = error.errno == errno.ENAMETOOLONG
        reason = SkipReason.TOO_DEEP if too_deep else SkipReason.UNREADABLE
        self._skip(path or ".", reason, (error.strerror or "").lower())

    def _skip(self, path: str, reason: SkipReason, detail: str = "") -> None:
        self._skipped.append(SkippedFile(_printable(path), reason, detail))


def _is_tracked_as_before(seen: Seen) -> bool:
    """Whether git would answer all that it was asked about a folder as it did."""
    tracked = seen.scope.tracked
    return tracked is not None and all(tracked.tracks(path) is was for path, was in seen.asked)


def _is_proper(name: str) -> bool:
    """Whether a name is valid UTF-8; the bytes that are not arrive as lone surrogates."""
    if name.isascii():
        return True
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def _printable(path: str) -> str:
    return path if _is_proper(path) else os.fsencode(path).decode("utf-8", "backslashreplace")


def _folders_above(globs: tuple[str, ...]) -> frozenset[str]:
    """Folders that are left out but must be passed through to reach what the globs name."""
    folders: set[str] = set()
    for glob in globs:
        pattern = parse_pattern(glob)
        path = ""
        for part in (pattern.folder or ()) if pattern else ():
            text = None if part == "**" else literal_text(part)
            if text is None:
                break
            path = f"{path}/{text}" if path else text
            folders.add(path)
    return frozenset(folders)


def _replace_equal(found: list[T], since: int, before: Sequence[T]) -> None:
    """Put those of `before` in the place of their equals."""
    known = {each: each for each in before}
    found[since:] = [known.get(each, each) for each in found[since:]]
