"""A unified diff → which lines of which files it touches."""

from __future__ import annotations

import re
from dataclasses import dataclass

from sonde.git import unquoted

_HUNK = re.compile(r"^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
_MERGED = re.compile(r"^@(@{2,}) (?:-\S+ )+\+(\d+)(?:,(\d+))? @@")
_COLOURED = re.compile(r"^\x1b\[[\d;]*m(?:diff |--- )", re.MULTILINE)
_COLOUR = re.compile(r"\x1b\[[\d;]*[mK]")
_PREFIXES = ("a/", "b/", "c/", "i/", "o/", "w/")  # git's, and those of diff.mnemonicPrefix
_MODES = ("index ", "new file mode ", "deleted file mode ", "new mode ")
_SUBMODULE = " 160000"  # the mode of what is another repository's commit
_GIT = re.compile(r"^diff --git (?P<old>\"(?:[^\"\\]|\\.)*\"|\S+) (?P<new>.+)$")


@dataclass(frozen=True, slots=True)
class FileChange:
    """One file of a diff. Lines are numbered on their own side, with their text."""

    old: str  # "" when the file is new
    new: str  # "" when it is deleted
    removed: tuple[tuple[int, str], ...] = ()
    added: tuple[tuple[int, str], ...] = ()
    cuts: tuple[int, ...] = ()  # new-side lines before which something was removed
    binary: bool = False
    submodule: bool = False

    @property
    def path(self) -> str:
        """The file's name now."""
        return self.new or self.old

    @property
    def renamed(self) -> bool:
        """Whether the file had another name."""
        return bool(self.old and self.new and self.old != self.new)


def parse_diff(text: str) -> list[FileChange]:
    """The files of a diff, in order; empty if the text is not a diff."""
    if _COLOURED.search(text):
        text = _COLOUR.sub("", text)
    return _Parser(text.replace("\r\n", "\n").split("\n")).files()


class _Parser:
    """Reads a diff line by line. Hunks are read by their line counts, so that a removed line
    that looks like a header is not mistaken for one."""

    def __init__(self, lines: list[str]) -> None:
        self._lines = lines
        self._at = 0
        self._found: list[FileChange] = []
        self._bare = False  # whether the git header has no prefixes
        self._begin("", "")

    def _begin(self, old: str, new: str) -> None:
        self._old, self._new = old, new
        self._removed: list[tuple[int, str]] = []
        self._added: list[tuple[int, str]] = []
        self._cuts: list[int] = []
        self._binary = self._renamed = self._submodule = False
        self._open = bool(old or new)

    def _end(self) -> None:
        if self._open and (self._old or self._new):
            parts = (tuple(self._removed), tuple(self._added), tuple(self._cuts))
            kinds = (self._binary, self._submodule)
            self._found.append(FileChange(self._old, self._new, *parts, *kinds))

    def files(self) -> list[FileChange]:
        """All files."""
        while self._at < len(self._lines):
            line = self._lines[self._at]
            self._at += 1
            if line.startswith("diff --git "):
                self._end()
                self._begin(*self._git_names(line))
            elif line.startswith(("diff --cc ", "diff --combined ")):
                self._end()
                path = unquoted(line.split(" ", 2)[2])
                self._begin(path, path)
            elif line.startswith("--- ") and self._next().startswith("+++ "):
                self._names(line)
            elif match := _HUNK.match(line):
                if self._open:
                    self._hunk(*(int(part) if part else 1 for part in match.groups()))
            elif match := _MERGED.match(line):
                if self._open:
                    count = int(match[3]) if match[3] else 1
                    self._merged_hunk(len(match[1]), int(match[2]), count)
            else:
                self._header(line)
        self._end()
        return self._found

    def _next(self) -> str:
        return self._lines[self._at] if self._at < len(self._lines) else ""

    def _names(self, line: str) -> None:
        old, new = self._names_of(_written(line[4:]), _written(self._next()[4:]))
        self._at += 1
        if not self._open or self._added or self._removed:
            self._end()
            self._begin(old, new)
        if not self._renamed:
            self._old, self._new = old, new

    def _git_names(self, line: str) -> tuple[str, str]:
        """Both names in a git header. Names with blanks are not quoted, but then both are equal."""
        rest = line.removeprefix("diff --git ")
        middle = len(rest) // 2
        old, new = _written(rest[:middle]), _written(rest[middle + 1 :])
        if rest[middle : middle + 1] != " " or _tail(old) != _tail(new):
            match = _GIT.match(line)
            old, new = (_written(match["old"]), _written(match["new"])) if match else ("", "")
        self._bare = old == new
        return self._names_of(old, new)

    def _names_of(self, old: str, new: str) -> tuple[str, str]:
        """Names without the prefixes that git and diff add, if any."""
        if old and new:
            if old == new or (self._bare and self._open):
                return old, new
            if _tail(old) and _tail(old) == _tail(new):  # whatever the two prefixes are
                return _tail(old), _tail(new)
        elif self._bare and self._open:
            return old, new
        return _unprefixed(old), _unprefixed(new)

    def _header(self, line: str) -> None:
        if not self._open:
            return
        if line.startswith(_MODES) and line.endswith(_SUBMODULE):
            self._submodule = True
        if line.startswith("new file mode"):
            self._old = ""
        elif line.startswith("deleted file mode"):
            self._new = ""
        elif line.startswith("rename from "):
            self._old, self._renamed = unquoted(line.removeprefix("rename from ")), True
        elif line.startswith("rename to "):
            self._new = unquoted(line.removeprefix("rename to "))
        elif line.startswith(("Binary files ", "GIT binary patch")):
            self._binary = True

    def _hunk(self, old: int, old_count: int, new: int, new_count: int) -> None:
        # A side without lines has the number of the line before it.
        old, new = old + (old_count == 0), new + (new_count == 0)
        while (old_count > 0 or new_count > 0) and self._at < len(self._lines):
            line = self._lines[self._at]
            self._at += 1
            mark, text = line[:1], line[1:]
            if mark == "-":
                self._removed.append((old, text))
                self._cuts.append(new)
                old, old_count = old + 1, old_count - 1
            elif mark == "+":
                self._added.append((new, text))
                new, new_count = new + 1, new_count - 1
            elif mark != "\\":
                old, old_count = old + 1, old_count - 1
                new, new_count = new + 1, new_count - 1

    def _merged_hunk(self, parents: int, new: int, new_count: int) -> None:
        """A hunk of a merge diff: one mark per parent; the old sides are not on disk."""
        while new_count > 0 and self._at < len(self._lines):
            line = self._lines[self._at]
            self._at += 1
            marks, text = line[:parents], line[parents:]
            if "-" in marks:
                self._cuts.append(new)
            elif not line.startswith("\\"):
                if "+" in marks:
                    self._added.append((new, text))
                new, new_count = new + 1, new_count - 1


def _written(name: str) -> str:
    """The path in a header, without quotes and timestamp; "" for /dev/null."""
    path = unquoted(name.partition("\t")[0].strip())
    return "" if path == "/dev/null" else path


def _tail(path: str) -> str:
    return path.partition("/")[2]


def _unprefixed(path: str) -> str:
    return path[2:] if path.startswith(_PREFIXES) else path
