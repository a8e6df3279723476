"""Which ignore files hold in a folder, strongest first."""

from __future__ import annotations

import os
from collections.abc import Iterable, Set
from typing import NamedTuple

from sonde.discover.gitconfig import repository_excludes_file
from sonde.discover.ignorefile import IgnoreFile, Ruleset
from sonde.discover.reading import read_start
from sonde.discover.rules import DiscoverRules

OWN_IGNORE_FILES = (".sondeignore", ".agenticcodexignore")
_IGNORE_FILE_LIMIT = 1_000_000  # bytes read of one ignore file


class Placed(NamedTuple):
    """An ignore file and the folder its patterns are relative to."""

    base: str
    file: IgnoreFile


class Scope(NamedTuple):
    """The ignore files in force, each group deepest first."""

    own: tuple[Placed, ...]  # configured globs and our ignore files, which overrule git's
    git: tuple[Placed, ...]


class Scopes:
    """Makes scopes for one walk; reads the ignore files as the walk comes by."""

    def __init__(self, root: str, rules: DiscoverRules) -> None:
        """Read what holds everywhere: configured globs and the user's excludes file."""
        self._root = root
        self._rules = rules
        self._configured = Placed("", IgnoreFile(rules.ignore))
        self._everywhere: tuple[Placed, ...] = ()
        if rules.respect_gitignore and rules.excludes_file is not None:
            everywhere = _load(os.path.realpath(rules.excludes_file))
            if everywhere is not None:
                self._everywhere = (Placed("", everywhere),)

    def outermost(self) -> Scope:
        """The scope before any folder is entered."""
        return Scope((), self._everywhere)

    def entered(self, scope: Scope, folder: str, names: Set[str]) -> Scope:
        """The scope inside `folder`, whose entries are `names`."""
        own, git = scope
        location = os.path.join(self._root, folder) if folder else self._root
        for name in OWN_IGNORE_FILES:
            if name in names and (file := _load(os.path.join(location, name))):
                own = (Placed(folder, file), *own)
        if self._rules.respect_gitignore:
            if ".git" in names and folder:  # rules of the outer repository end here
                git = self._everywhere_below(folder)
            if ".git" in names and (path := repository_excludes_file(self._root, location)):
                file = _load(path)
                git = (Placed(folder, file), *git) if file else git
            if ".gitignore" in names and (file := _load(os.path.join(location, ".gitignore"))):
                git = (Placed(folder, file), *git)
        return Scope(own, git)

    def own_rules(self, scope: Scope, folder: str) -> list[Ruleset]:
        """Rules of ours for the entries of a folder."""
        return _rules_in((self._configured, *scope.own), folder)

    def git_rules(self, scope: Scope, folder: str) -> list[Ruleset]:
        """Git's rules for the entries of a folder."""
        return _rules_in(scope.git, folder)

    def _everywhere_below(self, folder: str) -> tuple[Placed, ...]:
        return tuple(Placed(folder, placed.file) for placed in self._everywhere)


def _rules_in(files: Iterable[Placed], folder: str) -> list[Ruleset]:
    rulesets = []
    for base, file in files:
        below = folder[len(base) + 1 :] if base else folder
        ruleset = file.rules_in(below)
        if ruleset.for_folders:  # holds the tests for files too
            rulesets.append(ruleset)
    return rulesets


def _load(path: str) -> IgnoreFile | None:
    content = read_start(path, _IGNORE_FILE_LIMIT)
    if content is None:
        return None
    text = content.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "surrogateescape")
    return IgnoreFile(text.split("\n"))
