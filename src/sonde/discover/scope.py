"""Which ignore files apply in a folder, strongest first."""

from __future__ import annotations

import os
from collections.abc import Iterable, Set
from typing import NamedTuple

from sonde.discover.gitconfig import index_file, repository_excludes_file
from sonde.discover.ignorefile import IgnoreFile, NameTest, Ruleset
from sonde.discover.pattern import as_bytes_text
from sonde.discover.reading import read_start
from sonde.discover.rules import DiscoverRules
from sonde.discover.stamp import Stamp, lasting_stamp, stamp_of
from sonde.discover.tracked import Tracked

OWN_IGNORE_FILES = (".agenticcodexignore", ".sondeignore")  # the later overrides the earlier
_IGNORE_FILE_LIMIT = 1_000_000  # bytes read of one ignore file


class Placed(NamedTuple):
    """An ignore file and the folder its patterns are relative to."""

    base: str
    file: IgnoreFile


class Scope(NamedTuple):
    """The ignore files in force, each group deepest first."""

    own: tuple[Placed, ...]  # our ignore files, which override git's
    git: tuple[Placed, ...]
    tracked: Tracked | None  # of the repository around; None outside of any


class FolderRules:
    """The verdicts on the entries of a folder; most folders of a tree share one."""

    def __init__(self, own: list[Ruleset], git: list[Ruleset]) -> None:
        """Line up the tests, strongest first."""
        self._own_for_files = [test for rules in own for test in rules.for_files]
        self._for_files = [
            *self._own_for_files,
            *(test for rules in git for test in rules.for_files),
        ]
        self._own_for_folders = [test for rules in own for test in rules.for_folders]
        self._git_for_folders = [test for rules in git for test in rules.for_folders]
        # Names recur (half of them in a large tree), so each is judged once.
        self.file_verdicts: dict[str, bool] = {}
        self._folder_verdicts: dict[str, tuple[bool | None, bool]] = {}

    def ignores_file(self, name: str) -> bool:
        """Whether a file of this name is left out; kept in `file_verdicts`."""
        verdict = self.file_verdicts[name] = _first_verdict(self._for_files, name) or False
        return verdict

    def leaves_out_file(self, name: str) -> bool:
        """Whether our own rules leave out a file of this name, whatever git's say."""
        return _first_verdict(self._own_for_files, name) or False

    def folder_verdicts(self, name: str) -> tuple[bool | None, bool]:
        """What our rules say about a folder, None for nothing, and whether git's leave it out."""
        verdicts = self._folder_verdicts.get(name)
        if verdicts is None:
            own = _first_verdict(self._own_for_folders, name)
            git = _first_verdict(self._git_for_folders, name) or False
            verdicts = self._folder_verdicts[name] = (own, git)
        return verdicts


class Scopes:
    """Makes scopes for walks; reads ignore files as the walk reaches them."""

    def __init__(self, root: str, rules: DiscoverRules) -> None:
        """Read what applies everywhere: configured globs and the user's excludes file."""
        self._root = root
        self._respect_gitignore = rules.respect_gitignore
        self._configured = IgnoreFile(rules.ignore)
        self._everywhere: IgnoreFile | None = None
        self._stamps: dict[str, Stamp | None] = {}  # of all that was read
        if rules.respect_gitignore and rules.excludes_file is not None:
            self._everywhere = self._load(os.path.realpath(rules.excludes_file))
        self._tracked: dict[str, Tracked] = {}  # by folder of the repository
        self._shared: dict[tuple[Ruleset, ...], FolderRules] = {}

    def refresh(self) -> bool:
        """Let git be asked again; False if an ignore file is no longer as it was when read."""
        for tracked in self._tracked.values():
            tracked.refresh()
        return all(stamp == stamp_of(path) for path, stamp in self._stamps.items())

    def stamps(self) -> dict[str, Stamp] | None:
        """The state of all that was read, by path; None while one is too fresh to tell."""
        asked = [tracked for tracked in self._tracked.values() if tracked.was_asked]
        stamps = {**self._stamps, **{tracked.index: tracked.stamp for tracked in asked}}
        known = {path: stamp for path, stamp in stamps.items() if stamp is not None}
        return known if len(known) == len(stamps) else None

    def read(self) -> tuple[str, ...]:
        """The paths of all that was read to decide what to leave out."""
        asked = (tracked.index for tracked in self._tracked.values() if tracked.was_asked)
        return (*self._stamps, *asked)

    def outermost(self) -> Scope:
        """The scope before any folder is entered."""
        return Scope((), self._git_outermost(""), None)

    def entered(self, scope: Scope, folder: str, names: Set[str]) -> Scope:
        """The scope inside `folder`, whose entries are `names`."""
        own, git, tracked = scope
        location = os.path.join(self._root, folder) if folder else self._root
        for name in OWN_IGNORE_FILES:
            if name in names:
                own = _put_first(own, folder, self._load(os.path.join(location, name)))
        if self._respect_gitignore:
            if ".git" in names:
                git = self._git_outermost(folder)  # the outer repository's rules end here
                self._note_pointer(os.path.join(location, ".git"))
                tracked = self._tracked_in(folder, location)
                excludes = repository_excludes_file(self._root, location)
                git = _put_first(git, folder, self._load(excludes) if excludes else None)
            if ".gitignore" in names:
                git = _put_first(git, folder, self._load(os.path.join(location, ".gitignore")))
        return Scope(own, git, tracked)

    def rules(self, scope: Scope, folder: str) -> FolderRules:
        """The rules for the entries of a folder."""
        own = _rules_in(scope.own, folder)
        if not self._configured.is_empty:
            own.insert(0, self._configured.rules_in(folder))
        git = _rules_in(scope.git, folder)
        key = (*own, _BETWEEN, *git)
        shared = self._shared.get(key)
        if shared is None:
            shared = self._shared[key] = FolderRules(own, git)
        return shared

    def _tracked_in(self, folder: str, location: str) -> Tracked | None:
        index = index_file(location)
        if index is None:
            return None
        tracked = self._tracked.get(folder)
        if tracked is None or tracked.index != index:
            tracked = self._tracked[folder] = Tracked(location, folder, index)
        return tracked

    def _note_pointer(self, git: str) -> None:
        """A `.git` file tells where the repository's excludes are; a folder is where they are."""
        if not os.path.isdir(git):
            self._stamps[git] = lasting_stamp(git)

    def _load(self, path: str) -> IgnoreFile | None:
        self._stamps[path] = lasting_stamp(path)
        content = read_start(path, _IGNORE_FILE_LIMIT)
        if content is None:
            return None
        text = content.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "surrogateescape")
        return IgnoreFile(text.split("\n"))

    def _git_outermost(self, folder: str) -> tuple[Placed, ...]:
        return _put_first((), folder, self._everywhere)


_BETWEEN = Ruleset((), ())  # keeps the two groups apart in a key


def _put_first(
    files: tuple[Placed, ...], folder: str, file: IgnoreFile | None
) -> tuple[Placed, ...]:
    return files if file is None or file.is_empty else (Placed(folder, file), *files)


def _rules_in(files: Iterable[Placed], folder: str) -> list[Ruleset]:
    return [file.rules_in(folder[len(base) + 1 :] if base else folder) for base, file in files]


def _first_verdict(tests: list[NameTest], name: str) -> bool | None:
    name = as_bytes_text(name)
    for test in tests:
        if test.matches(name):
            return test.verdict
    return None
