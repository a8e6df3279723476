"""What a diff takes out of a file: definitions that are gone, and who still names them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sonde.answers.diff import FileChange
from sonde.answers.edges import sources
from sonde.extract import extract
from sonde.frozen import frozen
from sonde.model import CALLABLE_KINDS, TYPE_KINDS, EdgeKind, Symbol, SymbolRecord
from sonde.retrieve.view import View

_LARGEST = 1_000_000  # characters of a file whose former state is read
_FILES = 60  # that are searched for uses
_USERS = 30
_DEFINITIONS = CALLABLE_KINDS | TYPE_KINDS
_TIES = (EdgeKind.IMPORTS, EdgeKind.CALLS, EdgeKind.TESTS, EdgeKind.REFERENCES)


@frozen
class TakenOut:
    """Removed lines by what they were part of."""

    gone: tuple[str, ...]  # qualified names of definitions that are not there any more
    left: tuple[tuple[int, int], ...]  # symbol that has lost a line, and the line below it now


@frozen
class FormerUse:
    """A symbol that still names a definition that the diff removes."""

    symbol: SymbolRecord
    name: str

    @property
    def reason(self) -> str:
        """Why it is shown."""
        return f"names {self.name}, which is removed"


def taken_out(view: View, change: FileChange, lines: Sequence[str]) -> TakenOut | None:
    """What a change removes from a file that is on disk as it is afterwards; None if that cannot
    be told: the file is no code, or the patch of a merge does not have its former lines."""
    record = view.file_at(change.path)
    known = {each.qualname: each.id for each in view.records(_ids(view, change.path))[::-1]}
    if record is None or len(change.removed) != len(change.cuts):
        return None
    former = _former(lines, change)
    if sum(map(len, former)) > _LARGEST:
        return None
    path, text = change.old or change.path, "\n".join(former)
    symbols = extract(path, record.language, text.encode("utf-8", "replace")).symbols[1:]
    definitions = [each for each in symbols if each.kind in _DEFINITIONS]
    if not definitions:
        return None
    gone = [each for each in definitions if each.qualname not in known]
    left = []
    for (number, line), cut in zip(change.removed, change.cuts, strict=True):
        if line.strip() and not any(_around(each, number) for each in gone):
            around = [each for each in definitions if _around(each, number)]
            left.append((known[around[-1].qualname] if around else record.module, cut))
    # what a gone type had is gone with it
    outer = [one for one in gone if not any(_inside(one, other) for other in gone)]
    return TakenOut(tuple(dict.fromkeys(each.qualname for each in outer)), tuple(left))


def _ids(view: View, path: str) -> list[int]:
    record = view.file_at(path)
    return list(view.index.ids_in_file(path)) if record is not None else []


def _former(lines: Sequence[str], change: FileChange) -> list[str]:
    """The lines before the change, from those after it."""
    added = {at for at, _ in change.added}
    removed = dict(change.removed)
    kept = (line for at, line in enumerate(lines, 1) if at not in added)
    former: list[str] = []
    for line in kept:
        while len(former) + 1 in removed:
            former.append(removed[len(former) + 1])
        former.append(line)
    while len(former) + 1 in removed:
        former.append(removed[len(former) + 1])
    return former


def _around(symbol: Symbol, line: int) -> bool:
    return symbol.start_line <= line <= symbol.end_line


def _inside(one: Symbol, other: Symbol) -> bool:
    return one.qualname.startswith(f"{other.qualname}.")


def former_users(view: View, gone: Iterable[tuple[str, str]]) -> tuple[FormerUse, ...]:
    """Who still names what is gone, (file, qualified name) each: uses that mean nothing now."""
    names: dict[str, set[str]] = {}
    for path, qualname in gone:
        names.setdefault(path, set()).add(qualname.rpartition(".")[2])
    found: dict[int, FormerUse] = {}
    for path, wanted in names.items():
        for file in _files_around(view, path)[:_FILES]:
            for use in view.index.unresolved_in(file):
                if use.name in wanted and not use.candidates and use.source not in found:
                    for record in view.records([use.source]):
                        found[record.id] = FormerUse(record, use.name)
    return tuple(found.values())[:_USERS]


def _files_around(view: View, path: str) -> list[int]:
    """The file, those that use something in it, and those beside it in its language."""
    own = view.file_at(path)
    if own is None:
        return []
    graph = view.index.graph
    users = {user for id in _ids(view, path) for user in sources(graph, id, *_TIES)}
    using = {int(graph.columns.file[id]) for id in view.by_place(users)}
    folder = path.rpartition("/")[0]
    beside = {
        each.id
        for each in view.files.values()
        if each.language == own.language and each.path.rpartition("/")[0] == folder
    }
    paths = {each.id: each.path for each in view.files.values()}
    ordered = sorted(using - {own.id}, key=lambda id: paths[id])
    return [own.id, *ordered, *sorted(beside - using - {own.id}, key=lambda id: paths[id])]
