"""Which symbols a diff or a list of files is about."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from sonde.answers.commit_range import range_diff
from sonde.answers.deleted import users_of_deleted
from sonde.answers.diff import FileChange, parse_diff
from sonde.answers.diff_folder import from_root
from sonde.answers.removed import FormerUse, TakenOut, former_users, taken_out
from sonde.answers.results import NoSuchFile, NotFound, Refusal
from sonde.discover import is_inside
from sonde.expression import expression
from sonde.model import SkipReason, SymbolRecord
from sonde.retrieve.view import View
from sonde.store.source import Stale

_LARGEST = 50_000_000  # characters of a patch
_NAMED = 3  # files that a note names
_READ = 500  # files whose former state is read, at 3 ms each
_ALIKE = 90  # of 100; two letters of a path of twenty
_LONGEST_PATH = 300
_COMMENT = expression(r"\s*(?://|/\*|\*|#(?!\w)|--|@\w|\[[A-Z])")  # or a mark of what follows
_LONGEST_COMMENT = 100  # lines

Paths = str | os.PathLike[str] | Sequence[str | os.PathLike[str]]


@dataclass(frozen=True, slots=True)
class Changed:
    """A symbol that a diff touches, and in which lines."""

    symbol: SymbolRecord
    at: frozenset[int]

    @property
    def lines(self) -> int:
        """How many lines."""
        return len(self.at)


@dataclass(frozen=True, slots=True)
class ChangeSet:
    """What a diff touches in the workspace, and notes about it."""

    symbols: tuple[Changed, ...]  # most lines first
    files: tuple[str, ...]
    notes: tuple[str, ...]
    former_users: tuple[FormerUse, ...] = ()  # of definitions that the diff removes


def changes_in(
    view: View, *, commits: str | None = None, patch: str | None = None
) -> ChangeSet | Refusal:
    """The symbols that a range of commits or a patch changes."""
    if (commits is None) == (patch is None):
        return Refusal("give either a range of commits (base..head) or a patch")
    text = patch if patch is not None else ""
    if commits is not None:
        found = range_diff(view.index.workspace.root, commits)
        if isinstance(found, Refusal):
            return found
        text = found
        if not text.strip():
            return Refusal(
                f"{commits.strip()!r} changes nothing: both sides are equal; give what is not"
                " committed as a patch (git diff)"
            )
    if not text.strip():
        return Refusal("the patch is empty: pass the output of 'git diff'")
    if len(text) > _LARGEST:
        return Refusal(f"the patch is larger than {_LARGEST // 1_000_000} MB: pass a part of it")
    files = parse_diff(text)
    if not files:
        return Refusal("the patch is no unified diff: pass the output of 'git diff'")
    return _change_set(view, files)


def _change_set(view: View, changes: Sequence[FileChange]) -> ChangeSet | Refusal:
    root = str(view.index.workspace.root)
    known: list[FileChange] = []
    unknown, deleted, binary, submodules, moved = [], [], [], [], []
    gone: list[tuple[str, str]] = []
    lost: list[FileChange] = []
    for change in from_root(view, changes, lambda change: _fits(view, change)):
        path = change.path
        if os.path.isabs(path) or not is_inside(root, os.path.normpath(os.path.join(root, path))):
            return Refusal(f"the patch names {path[:80]!r}, which lies outside the workspace")
        if change.submodule:
            submodules.append(path)
        elif change.binary:
            binary.append(path)
        elif not change.new:
            deleted.append(path)
        if view.index.file_record(path) is not None:
            known.append(change)
        elif not change.new and change.removed:
            lost.append(change)
        elif change.new and not change.binary and not change.submodule:
            unknown.append(path)
    touching: dict[int, set[int]] = {}
    for place, change in enumerate(known):
        touched = _touched(view, change, place < _READ)
        if touched is None:
            moved.append(change.path)
        lines = touched.lines if touched is not None else _lines_of(change, old=False)
        owners = _owners(view, change.path, lines)
        if touched is not None and touched.taken is not None:
            gone += [(change.path, name) for name in touched.taken.gone]
            module = _module(view, change.path)
            owners = [*owners, *touched.taken.left] or [(module, at) for at, _ in change.removed]
        for id, line in owners:
            touching.setdefault(id, set()).add(line)
    notes = [
        *_note("deleted", deleted),
        *_note("binary, not looked into", binary),
        *_note("submodule, not looked into", submodules),
        *_note("not indexed", unknown),
        *_note("differ from the diff, so lines may be off", moved),
        *_note("removed", [f"{name} of {path}" for path, name in gone]),
        *_note("renamed", [f"{c.old} to {c.new}" for c in known if c.renamed]),
    ]
    users = (*former_users(view, gone), *users_of_deleted(view, lost))
    if not known and not users:
        rest = ", and nothing in the index names what was in it" * bool(lost)
        return NotFound(f"no file of the diff is in the index{rest} ({'; '.join(notes)})")
    records = view.records(list(touching))
    symbols = [Changed(record, frozenset(touching[record.id])) for record in records]
    symbols.sort(key=lambda one: (-one.lines, one.symbol.file, one.symbol.start_line))
    paths = dict.fromkeys(change.path for change in known)
    return ChangeSet(tuple(symbols), tuple(paths), tuple(notes), users)


@dataclass(frozen=True, slots=True)
class _Touched:
    lines: list[int]
    taken: TakenOut | None = None


def _touched(view: View, change: FileChange, read: bool) -> _Touched | None:
    """Lines of the file as it is on disk, which may be the state before or after the change; with
    `read` also what the change took out."""
    data = view.index.source_bytes(change.path)
    if isinstance(data, Stale):
        return None
    lines = data.decode("utf-8", "replace").replace("\r\n", "\n").split("\n")
    for old in (False, True):
        expected = change.removed if old else change.added
        if _has(lines, expected) and (expected or _has_not(lines, change, old)):
            taken = taken_out(view, change, lines) if read and change.cuts and not old else None
            if taken is not None:
                return _Touched([at for at, _ in change.added], taken)
            return _Touched(_lines_of(change, old=old))
    return None


def _fits(view: View, change: FileChange) -> bool:
    known = view.index.file_record(change.path) is not None
    return known and _touched(view, change, False) is not None


def _owners(view: View, path: str, touched: Sequence[int]) -> list[tuple[int, int]]:
    """What each changed line belongs to: a comment to what it stands above, an attribute also to
    the function that sets it, a blank line to nothing, unless nothing else changed."""
    text = view.text(path).decode("utf-8", "replace").split("\n")
    found, blank = [], []
    for line in touched:
        id = view.running(path, line) or _module(view, path)
        if 0 < line <= len(text) and not text[line - 1].strip():
            blank.append((id, line))
            continue
        below = _below(view, path, text, line)
        owners = [below] if below else [id, view.innermost(path, line) or id]
        found += [(owner, line) for owner in owners]
    return found or blank


def _below(view: View, path: str, text: Sequence[str], line: int) -> int | None:
    """The definition that begins right below a comment."""
    at = line
    while at <= min(len(text), line + _LONGEST_COMMENT) and _COMMENT.match(text[at - 1]):
        at += 1
    if at == line or at > len(text):
        return None
    id = view.running(path, at)
    (record,) = view.records([id]) if id is not None else (None,)
    return id if record is not None and record.start_line > line else None


def _has(lines: Sequence[str], expected: Iterable[tuple[int, str]]) -> bool:
    return all(0 < at <= len(lines) and lines[at - 1] == text for at, text in expected)


def _has_not(lines: Sequence[str], change: FileChange, old: bool) -> bool:
    """A side without lines of its own matches where the other side's lines are absent."""
    other = change.added if old else change.removed
    return not other or not _has(lines, other)


def _lines_of(change: FileChange, *, old: bool) -> list[int]:
    if old:
        return [at for at, _ in change.removed] or [at for at, _ in change.added[:1]]
    own = [at for at, _ in change.added]
    return sorted({*own, *change.cuts})


def _module(view: View, path: str) -> int:
    record = view.index.file_record(path)
    return record.module if record is not None else 0


def _note(what: str, paths: Sequence[str]) -> list[str]:
    paths = list(dict.fromkeys(paths))
    if not paths:
        return []
    shown = ", ".join(paths[:_NAMED])
    rest = f" and {len(paths) - _NAMED} more" if len(paths) > _NAMED else ""
    return [f"{what}: {shown}{rest}"]


def path_texts(paths: Paths) -> tuple[str, ...]:
    """Paths as text; a single one is a list of one, not of its letters."""
    if isinstance(paths, (str, os.PathLike)):
        return (os.fspath(paths),)
    return tuple(os.fspath(path) for path in paths)


def known_files(view: View, paths: Sequence[str]) -> list[str] | Refusal:
    """Paths below the root as the index spells them; unknown paths are refused."""
    if not paths:
        return Refusal("no file given: name at least one file of the workspace")
    root = view.index.workspace.root
    found = []
    for path in paths:
        relative = relative_path(root, path)
        if isinstance(relative, Refusal):
            return relative
        if view.index.file_record(relative) is None:
            return _unknown(view, root, relative)
        found.append(relative)
    return list(dict.fromkeys(found))


def relative_path(root: Path, path: str) -> str | Refusal:
    """A workspace path as the index spells it; paths outside are refused."""
    if not path.strip() or "\0" in path:
        return Refusal("an empty path, or one with a zero byte, names no file")
    if path.encode("utf-8", "replace").decode() != path:
        return Refusal(f"{path[:200]!r} is not indexed: {SkipReason.BAD_NAME.value}")
    full = os.path.normpath(os.path.join(root, path))
    if not is_inside(str(root), full):
        resolved = os.path.realpath(full)  # the root may have been given through a link
        if not is_inside(str(root), resolved):
            return Refusal(f"{path[:200]!r} lies outside the workspace {root}")
        full = resolved
    return os.path.relpath(full, root).replace(os.sep, "/")


def _unknown(view: View, root: Path, path: str) -> Refusal:
    for skipped, reason, _ in view.index.skipped():
        if skipped == path:
            return Refusal(f"{path!r} is not indexed: {reason.value}")
    if os.path.isdir(root / path):
        return Refusal(f"{path!r} is a folder: name files")
    near = view.paths_ending(path)[:_NAMED] or _alike(view, path)
    hint = f"; did you mean {', '.join(near)}?" if near else ""
    return NoSuchFile(f"there is no indexed file {path[:200]!r}{hint}")


def _alike(view: View, path: str) -> list[str]:
    """Indexed files whose path differs by a slip of the pen."""
    from rapidfuzz import fuzz, process  # only for those who mistype

    paths = sorted(file.path for file in view.files.values())
    written = path[:_LONGEST_PATH]
    found = process.extract(written, paths, scorer=fuzz.ratio, limit=_NAMED, score_cutoff=_ALIKE)
    return [near for near, _, _ in found]
