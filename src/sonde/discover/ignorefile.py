"""A whole ignore file, compiled so that a name costs a few set and prefix tests."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

from sonde.discover.pattern import (
    Pattern,
    as_bytes_text,
    folder_matches,
    literal_text,
    parse_pattern,
    translate,
)


class NameTest(NamedTuple):
    """Matches a name against many globs of equal meaning at once."""

    verdict: bool  # True: ignored, False: taken back in
    literals: frozenset[str]
    prefixes: tuple[str, ...]
    suffixes: tuple[str, ...]
    expression: re.Pattern[str] | None

    def matches(self, name: str) -> bool:
        """Whether any of the globs matches the name."""
        return (
            name in self.literals
            or name.endswith(self.suffixes)
            or name.startswith(self.prefixes)
            or (self.expression is not None and self.expression.fullmatch(name) is not None)
        )


@dataclass(frozen=True, slots=True, eq=False)
class Ruleset:
    """The tests that hold in one folder, last line first. Equal only to itself."""

    for_files: tuple[NameTest, ...]
    for_folders: tuple[NameTest, ...]


EMPTY = Ruleset((), ())


class IgnoreFile:
    """Patterns of one file; `rules_in` narrows them to a folder below it."""

    def __init__(self, lines: Iterable[str]) -> None:
        """Parse the lines; later ones win."""
        parsed = (parse_pattern(as_bytes_text(line)) for line in lines)
        self._patterns = [pattern for pattern in parsed if pattern is not None]
        self._anywhere: list[int] = []
        self._at: dict[str, list[int]] = {}  # folder known literally
        self._below: dict[str, list[int]] = {}  # first part of the folder known
        self._named: dict[str, list[int]] = {}  # last part of the folder known
        self._searched: list[int] = []
        for index, pattern in enumerate(self._patterns):
            self._place(index, pattern)
        self._rulesets: dict[tuple[int, ...], Ruleset] = {}
        self._usual = self._ruleset(())

    @property
    def is_empty(self) -> bool:
        """Whether the file has no patterns at all."""
        return not self._patterns

    def _place(self, index: int, pattern: Pattern) -> None:
        if pattern.folder is None:
            self._anywhere.append(index)
            return
        literals = [None if part == "**" else literal_text(part) for part in pattern.folder]
        known = [text for text in literals if text is not None]
        if len(known) == len(literals):
            self._at.setdefault("/".join(known), []).append(index)
        elif (first := literals[0]) is not None:
            self._below.setdefault(first, []).append(index)
        elif (last := literals[-1]) is not None:
            self._named.setdefault(last, []).append(index)
        else:
            self._searched.append(index)

    def rules_in(self, folder: str) -> Ruleset:
        """The rules for entries of `folder`, which is relative to this file's own folder."""
        folder = as_bytes_text(folder)
        likely = [
            *self._searched,
            *self._below.get(folder.partition("/")[0], ()),
            *self._named.get(folder.rpartition("/")[2], ()),
        ]
        active = list(self._at.get(folder, ()))
        if not likely and not active:
            return self._usual
        parts = folder.split("/") if folder else []
        for index in likely:
            segments = self._patterns[index].folder
            if segments is not None and folder_matches(segments, parts):
                active.append(index)
        return self._ruleset(tuple(sorted(active)))

    def _ruleset(self, placed: tuple[int, ...]) -> Ruleset:
        ruleset = self._rulesets.get(placed)
        if ruleset is None:
            indices = sorted([*self._anywhere, *placed])
            ruleset = _compile([self._patterns[index] for index in indices])
            self._rulesets[placed] = ruleset
        return ruleset


def _compile(patterns: list[Pattern]) -> Ruleset:
    if not patterns:
        return EMPTY
    runs = [
        (negated, list(run)) for negated, run in groupby(patterns, key=lambda each: each.negated)
    ]
    runs.reverse()
    folders = [_name_test(not negated, [each.name for each in run]) for negated, run in runs]
    files = [
        _name_test(not negated, [each.name for each in run if not each.folders_only])
        for negated, run in runs
    ]
    return Ruleset(
        tuple(test for test in files if test is not None),
        tuple(test for test in folders if test is not None),
    )


def _name_test(verdict: bool, globs: list[str]) -> NameTest | None:
    literals: set[str] = set()
    prefixes: list[str] = []
    suffixes: list[str] = []
    expressions: list[str] = []
    for glob in globs:
        text = literal_text(glob)
        if text is not None:
            literals.add(text)
        elif glob.startswith("*") and literal_text(glob[1:]) == glob[1:]:
            suffixes.append(glob[1:])
        elif glob.endswith("*") and literal_text(glob[:-1]) == glob[:-1]:
            prefixes.append(glob[:-1])
        elif (expression := translate(glob)) is not None:
            expressions.append(expression)
    if not (literals or prefixes or suffixes or expressions):
        return None
    return NameTest(
        verdict,
        frozenset(literals),
        tuple(prefixes),
        tuple(suffixes),
        re.compile("|".join(expressions)) if expressions else None,
    )
