"""Who still uses what was in files that a diff deletes: the files that say their names are linked
once more, with the deleted ones beside them as they were."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from sonde.answers.diff import FileChange
from sonde.answers.removed import FormerUse
from sonde.discover.classify import language_and_kind
from sonde.discover.language import named
from sonde.extract import extract
from sonde.frozen import frozen
from sonde.link.file import link_file
from sonde.link.manifests import is_manifest, project_config
from sonde.link.tables import FileEntry, Memory, family
from sonde.model import TYPE_KINDS, EdgeKind, FileFacts, FileKind, Kind, Provenance
from sonde.retrieve.view import View
from sonde.store.documents import words_inside

_LARGEST = 1_000_000  # bytes of a deleted file
_DELETED = 200  # files that are read, at 3 ms each
_HOLDERS = 300  # symbols that say one name; a name that more say hardly tells who means it
_FILES = 200  # that may use something, at 5 ms each to read and link
_USERS = 200
_CODE = (FileKind.SOURCE, FileKind.TEST)
_TIES = frozenset(EdgeKind) - {
    EdgeKind.CONTAINS,
    EdgeKind.SIMILAR_TO,
    EdgeKind.TESTS,  # which comes with a use, or with likeness of names
}


@frozen
class _Read:
    """A file as linking takes it."""

    entry: FileEntry
    facts: FileFacts
    ids: tuple[int, ...]


def users_of_deleted(view: View, changes: Iterable[FileChange]) -> tuple[FormerUse, ...]:
    """What still names something that was in the deleted files."""
    free = len(view.index.graph.columns.file)
    gone: list[_Read] = []
    for change in changes:
        read = _as_it_was(change, free, -1 - len(gone))
        if read is not None and len(gone) < _DELETED:
            gone.append(read)
            free += len(read.ids)
    users = list(_saying(view, gone))
    texts = ((each.path, _text(view, each.path)) for each in view.files.values())
    memory = Memory(project_config((path, text) for path, text in texts if is_manifest(path)))
    for each in (*gone, *users):
        memory.add(each.entry, each.facts, each.ids)
    names = {
        id: symbol.name if place else each.entry.path
        for each in gone
        for place, (id, symbol) in enumerate(zip(each.ids, each.facts.symbols, strict=True))
    }
    found: dict[int, FormerUse] = {}
    for each in users:
        for id, name in sorted(_uses(view, each, memory, names).items()):
            for record in view.records([id]):
                found[id] = FormerUse(record, name)
    return tuple(found.values())[:_USERS]


def _as_it_was(change: FileChange, free: int, number: int) -> _Read | None:
    data = "\n".join(line for _, line in change.removed).encode("utf-8", "replace")
    seen = language_and_kind(change.old, named(change.old.rpartition("/")[2]), data)
    if seen is None or len(data) > _LARGEST:
        return None
    language, kind = seen
    facts = extract(change.old, language, data)
    if not facts.symbols or kind not in _CODE:
        return None
    ids = tuple(range(free, free + len(facts.symbols)))
    entry = FileEntry(number, change.old, language, facts.package, kind, ids[0])
    return _Read(entry, facts, ids)


def _saying(view: View, gone: Sequence[_Read]) -> Iterator[_Read]:
    """The files that say names of what was in the deleted ones, those that say most first."""
    homes: Counter[int] = Counter()
    for name in dict.fromkeys(name for each in gone for name in _names(each)):
        words, _ = words_inside(f" {name} ")
        having = view.index.fulltext.having(words, _HOLDERS, chunks=False) if words else []
        if len(having) < _HOLDERS:
            homes.update(set(view.index.graph.columns.file[having].tolist()))
    families = {family(each.entry.language) for each in gone}
    files = [view.files[id] for id in homes if id in view.files]
    files = [file for file in files if family(file.language) in families]
    for file in sorted(files, key=lambda file: (-homes[file.id], file.path))[:_FILES]:
        data = view.text(file.path)
        facts, ids = extract(file.path, file.language, data), view.index.ids_in_file(file.path)
        if len(ids) == len(facts.symbols):  # else it has just changed on disk
            module, kind = file.module, file.kind
            entry = FileEntry(file.id, file.path, file.language, facts.package, kind, module)
            yield _Read(entry, facts, tuple(ids))


def _names(read: _Read) -> Iterator[str]:
    """What other files would say: the file's own name, and what is no member of a type."""
    symbols = read.facts.symbols
    yield read.entry.path.rpartition("/")[2].partition(".")[0]
    for symbol in symbols:
        above = symbols[symbol.parent].kind if symbol.parent > 0 else Kind.NAMESPACE
        if above is Kind.NAMESPACE or above not in TYPE_KINDS:
            yield symbol.name


def _uses(view: View, user: _Read, memory: Memory, names: dict[int, str]) -> dict[int, str]:
    """Symbols of a file that used something deleted, by one name each; a file that only imports
    it if nothing else in it uses it. What leads elsewhere today is no such use."""
    links = link_file(user.entry, user.facts, user.ids, memory)
    graph = view.index.graph
    found: dict[int, str] = {}
    imported: dict[int, str] = {}
    for edge in links.edges:
        name = names.get(edge.target)
        if name is None or edge.kind not in _TIES or edge.provenance is Provenance.AMBIGUOUS:
            continue
        now = [id for id, _, line, _ in graph.out_edges(edge.source) if line == edge.line]
        if all(record.name != name for record in view.records(now)):
            which = imported if edge.kind is EdgeKind.IMPORTS else found
            which.setdefault(edge.source, name)
    return found or imported


def _text(view: View, path: str) -> str:
    return view.text(path).decode("utf-8", "replace") if is_manifest(path) else ""
