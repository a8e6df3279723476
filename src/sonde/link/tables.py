"""The lookup tables that linking reads: what each file offers to the others."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any, NamedTuple, Protocol

from sonde.link.contracts import Contract, contract_of, contract_rows
from sonde.link.manifests import NO_CONFIG, ProjectConfig
from sonde.link.similarity import Sketch, sketches
from sonde.model import RENAMED, FileFacts, FileKind, Import, Kind, Param, Symbol

_FAMILIES = {
    "javascript": "ecmascript",
    "jsx": "ecmascript",
    "typescript": "ecmascript",
    "tsx": "ecmascript",
    "vue": "ecmascript",
    "svelte": "ecmascript",
    "astro": "ecmascript",
    "java": "jvm",
    "kotlin": "jvm",
    "scala": "jvm",
    "c": "c",
    "cpp": "c",
}
# Languages in which a name may have several definitions, distinguished by their arguments.
OVERLOADING = frozenset({"java", "kotlin", "scala", "csharp", "cpp", "swift", "typescript", "tsx"})
_new: Any = tuple.__new__  # half the cost of calling the class, and there are hundreds of thousands


class Entry(NamedTuple):
    """One symbol, as other files need it for resolution."""

    id: int
    file: int
    name: str
    qualname: str
    kind: Kind
    parent: int  # symbol id, 0 for none
    owner: str
    bases: tuple[str, ...]
    returns: str
    visibility: str
    start_line: int  # orders same-named symbols; edges never depend on it
    static: bool
    declared: bool

    @property
    def renames(self) -> bool:
        """Whether it is a variable that is another name of a type: `Row = shop.Entry`."""
        return self.returns[:1] == RENAMED


class FileEntry(NamedTuple):
    """One file, as other files need it for resolution."""

    id: int
    path: str
    language: str
    package: str
    kind: FileKind
    module: int  # symbol id of the module symbol


class Source(Protocol):
    """Answers lookups, in memory or from the store. Sequences are sorted by (path, start line),
    so that answers do not depend on indexing order."""

    shared: dict[Hashable, tuple[Any, set[str]]]  # answers, each with the keys it depends on

    def named(self, name: str) -> Sequence[Entry]:
        """All symbols whose last name part this is."""

    def qualified(self, qualname: str) -> Sequence[Entry]:
        """All symbols with this qualified name inside their file."""

    def members(self, id: int) -> Sequence[Entry]:
        """The symbols whose parent is this one."""

    def owned(self, owner: str) -> Sequence[Entry]:
        """The members written outside their type's body, by the name of the type."""

    def entry(self, id: int) -> Entry:
        """The symbol with that id."""

    def file(self, path: str) -> FileEntry | None:
        """The file at that path."""

    def file_by_id(self, id: int) -> FileEntry:
        """The file with that id."""

    def package(self, language_family: str, package: str) -> Sequence[FileEntry]:
        """The files that declare that package or namespace."""

    def folder(self, folder: str) -> Sequence[FileEntry]:
        """The files directly in a folder."""

    def folders(self, tail: str) -> Sequence[str]:
        """The folders with files whose path is `tail` or ends with "/" and `tail`, sorted."""

    def imports(self, file: int) -> tuple[Import, ...]:
        """What a file imports and re-exports."""

    def suffix(self, tail: str) -> Sequence[FileEntry]:
        """The files whose path is `tail` or ends with "/" and `tail`."""

    def sketched(self, file: int) -> Sequence[tuple[int, Sketch]]:
        """The buckets and sketches of a file's callables."""

    def similar(self, bucket: int) -> Sequence[Sketch]:
        """The callables whose words fall into that bucket."""

    def contracts(self, word: str) -> Sequence[Contract]:
        """The interfaces that are found by that word."""

    def params(self, id: int) -> tuple[Param, ...]:
        """The parameters of a callable."""

    def signature(self, id: int) -> str:
        """The head of a definition as written."""

    def config(self) -> ProjectConfig:
        """What the manifests say about where modules live."""


def family(language: str) -> str:
    """The family of a language; languages that can import each other share one."""
    return _FAMILIES.get(language, language)


def folder_of(path: str) -> str:
    """The folder of a path, "" for the root."""
    return path.rpartition("/")[0]


def entries_of(file: int, symbols: Sequence[Symbol], ids: Sequence[int]) -> list[Entry]:
    """The symbols of a file as table entries."""
    found = []
    for id, symbol in zip(ids, symbols, strict=True):
        name, qualname, kind, start_line, _, _, _, parent, _, _, _, visibility, *rest = symbol
        _, returns, bases, owner, static, declared = rest
        above = ids[parent] if parent >= 0 else 0
        values = (
            id,
            file,
            name,
            qualname,
            kind,
            above,
            owner,
            bases,
            returns,
            visibility,
            start_line,
            static,
            declared,
        )
        found.append(_new(Entry, values))
    return found


class Memory:
    """A Source in memory: the whole workspace during a full index, and in tests."""

    def __init__(self, config: ProjectConfig = NO_CONFIG) -> None:
        self._config = config
        self.shared: dict[Hashable, tuple[Any, set[str]]] = {}
        self._named: dict[str, list[Entry]] = {}
        self._qualified: dict[str, list[Entry]] = {}
        self._members: dict[int, list[Entry]] = {}
        self._owned: dict[str, list[Entry]] = {}
        self._entries: dict[int, Entry] = {}
        self._files: dict[str, FileEntry] = {}
        self._by_id: dict[int, FileEntry] = {}
        self._of_file: dict[int, list[Entry]] = {}
        self._packages: dict[tuple[str, str], list[FileEntry]] = {}
        self._folders: dict[str, list[FileEntry]] = {}
        self._basenames: dict[str, list[FileEntry]] = {}
        self._imports: dict[int, tuple[Import, ...]] = {}
        self._similar: dict[int, list[Sketch]] = {}
        self._sketches: dict[int, list[tuple[int, Sketch]]] = {}
        self._contracts: dict[str, list[Contract]] = {}
        self._facts: dict[int, tuple[FileFacts, Sequence[int]]] = {}

    def add(self, file: FileEntry, facts: FileFacts, ids: Sequence[int]) -> None:
        """Enter a file; adding files in path order is fastest."""
        self.shared.clear()
        self._files[file.path] = self._by_id[file.id] = file
        self._imports[file.id] = facts.imports
        entries = self._of_file[file.id] = entries_of(file.id, facts.symbols, ids)
        for entry in entries:
            self._entries[entry.id] = entry
            self._place(self._named.setdefault(entry.name, []), entry)
            self._place(self._qualified.setdefault(entry.qualname, []), entry)
            if entry.parent:
                self._place(self._members.setdefault(entry.parent, []), entry)
            if entry.owner:
                self._place(self._owned.setdefault(entry.owner, []), entry)
        for files in self._lists_of(file):
            files.append(file)
            if len(files) > 1 and files[-2].path > file.path:
                files.sort(key=lambda each: each.path)
        found = self._sketches[file.id] = sketches(facts, ids)
        for bucket, sketch in found:
            self._similar.setdefault(bucket, []).append(sketch)
        self._facts[file.id] = (facts, ids)
        for word, id, methods in contract_rows(facts, ids):
            self._contracts.setdefault(word, []).append(contract_of(id, methods))

    def remove(self, file: FileEntry) -> None:
        """Take a file out again."""
        self.shared.clear()
        for word, id, methods in contract_rows(*self._facts.pop(file.id)):
            self._contracts[word].remove(contract_of(id, methods))
        for entry in self._of_file.pop(file.id):
            del self._entries[entry.id]
            self._named[entry.name].remove(entry)
            self._qualified[entry.qualname].remove(entry)
            if entry.parent:
                self._members[entry.parent].remove(entry)
            if entry.owner:
                self._owned[entry.owner].remove(entry)
        for files in self._lists_of(file):
            files.remove(file)
        for bucket, sketch in self._sketches.pop(file.id):
            self._similar[bucket].remove(sketch)
        del self._files[file.path], self._by_id[file.id], self._imports[file.id]

    def _lists_of(self, file: FileEntry) -> list[list[FileEntry]]:
        lists = [
            self._folders.setdefault(folder_of(file.path), []),
            self._basenames.setdefault(file.path.rpartition("/")[2], []),
        ]
        if file.package:
            key = (family(file.language), file.package)
            lists.append(self._packages.setdefault(key, []))
        return lists

    def _place(self, entries: list[Entry], entry: Entry) -> None:
        entries.append(entry)
        if len(entries) > 1 and self._order(entries[-2]) > self._order(entry):
            entries.sort(key=self._order)

    def _order(self, entry: Entry) -> tuple[str, int, int]:
        return (self._by_id[entry.file].path, entry.start_line, entry.id)

    def named(self, name: str) -> Sequence[Entry]:
        return self._named.get(name, ())

    def qualified(self, qualname: str) -> Sequence[Entry]:
        return self._qualified.get(qualname, ())

    def members(self, id: int) -> Sequence[Entry]:
        return self._members.get(id, ())

    def owned(self, owner: str) -> Sequence[Entry]:
        return self._owned.get(owner, ())

    def entry(self, id: int) -> Entry:
        return self._entries[id]

    def file(self, path: str) -> FileEntry | None:
        return self._files.get(path)

    def file_by_id(self, id: int) -> FileEntry:
        return self._by_id[id]

    def package(self, language_family: str, package: str) -> Sequence[FileEntry]:
        return self._packages.get((language_family, package), ())

    def folder(self, folder: str) -> Sequence[FileEntry]:
        return self._folders.get(folder, ())

    def folders(self, tail: str) -> Sequence[str]:
        ending = "/" + tail
        found = [each for each in self._folders if each == tail or each.endswith(ending)]
        return sorted(each for each in found if self._folders[each])

    def imports(self, file: int) -> tuple[Import, ...]:
        return self._imports[file]

    def suffix(self, tail: str) -> Sequence[FileEntry]:
        ending = "/" + tail
        files = self._basenames.get(tail.rpartition("/")[2], ())
        return [each for each in files if each.path == tail or each.path.endswith(ending)]

    def sketched(self, file: int) -> Sequence[tuple[int, Sketch]]:
        return self._sketches[file]

    def similar(self, bucket: int) -> Sequence[Sketch]:
        return sorted(self._similar.get(bucket, ()))

    def contracts(self, word: str) -> Sequence[Contract]:
        found = self._contracts.get(word, ())
        return sorted(found, key=lambda each: self._order(self._entries[each.interface]))

    def params(self, id: int) -> tuple[Param, ...]:
        facts, ids = self._facts[self._entries[id].file]
        return facts.symbols[ids.index(id)].params

    def signature(self, id: int) -> str:
        facts, ids = self._facts[self._entries[id].file]
        return facts.symbols[ids.index(id)].signature

    def config(self) -> ProjectConfig:
        return self._config
