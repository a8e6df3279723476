"""A Source that records every lookup, so that a change relinks exactly the affected files."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import TypeVar

from sonde.link.arity import type_params
from sonde.link.codeowners import owners_of
from sonde.link.contracts import Contract
from sonde.link.fingerprint import member_key
from sonde.link.manifests import Dependency, Layout
from sonde.link.similarity import Sketch
from sonde.link.tables import Entry, FileEntry, Source
from sonde.model import Import, Param

T = TypeVar("T")


class Recorder:
    """Answers from a source and records the key of each lookup in `consulted`."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self.file_by_id = source.file_by_id
        self.consulted: set[str] = set()
        # the most frequent lookups: a lookup here costs half of building its key again
        self._qualified: dict[str, Sequence[Entry]] = {}
        self._files: dict[str, FileEntry | None] = {}

    def shared(self, question: Hashable, find: Callable[[Recorder], T]) -> T:
        """The result of `find`, which depends on lookups alone: computed once for all files."""
        known = self._source.shared.get(question)
        if known is None:
            apart = Recorder(self._source)
            known = self._source.shared[question] = (find(apart), apart.consulted)
        self.consulted |= known[1]
        found: T = known[0]
        return found

    def named(self, name: str) -> Sequence[Entry]:
        self.consulted.add("n:" + name)
        return self._source.named(name)

    def qualified(self, qualname: str) -> Sequence[Entry]:
        found = self._qualified.get(qualname)
        if found is None:
            self.consulted.add("q:" + qualname)
            found = self._qualified[qualname] = self._source.qualified(qualname)
        return found

    def members(self, owner: Entry) -> Sequence[Entry]:
        self.consulted.add(member_key(self.file_of(owner).path, owner.qualname))
        return self._source.members(owner.id)

    def owned(self, owner: str) -> Sequence[Entry]:
        self.consulted.add("o:" + owner)
        return self._source.owned(owner)

    def entry(self, id: int) -> Entry:
        entry = self._source.entry(id)
        self.consulted.add("q:" + entry.qualname)
        return entry

    def known(self, id: int) -> Entry:
        """The entry for an id that an earlier, recorded lookup returned."""
        return self._source.entry(id)

    def file(self, path: str) -> FileEntry | None:
        if path not in self._files:
            self.consulted.add("f:" + path)
            self._files[path] = self._source.file(path)
        return self._files[path]

    def file_of(self, entry: Entry) -> FileEntry:
        """The file of a known entry; the key that led to the entry covers its file too."""
        return self.file_by_id(entry.file)

    def module(self, file: FileEntry) -> Entry:
        """The module symbol of a file."""
        self.consulted.add("f:" + file.path)
        return self._source.entry(file.module)

    def package(self, family: str, package: str) -> Sequence[FileEntry]:
        self.consulted.add(f"p:{family} {package}")
        return self._source.package(family, package)

    def folder(self, folder: str) -> Sequence[FileEntry]:
        self.consulted.add("d:" + folder)
        return self._source.folder(folder)

    def folders(self, tail: str) -> Sequence[str]:
        self.consulted.add("y:" + tail.rpartition("/")[2])
        return self._source.folders(tail)

    def imports(self, file: FileEntry) -> tuple[Import, ...]:
        self.consulted.add("i:" + file.path)
        return self._source.imports(file.id)

    def suffix(self, tail: str) -> Sequence[FileEntry]:
        self.consulted.add("x:" + tail.rpartition("/")[2])
        return self._source.suffix(tail)

    def sketched(self, file: FileEntry) -> Sequence[tuple[int, Sketch]]:
        """The sketches of the file being linked, which is relinked whenever they change."""
        return self._source.sketched(file.id)

    def similar(self, bucket: int) -> Sequence[Sketch]:
        self.consulted.add(f"s:{bucket}")
        return self._source.similar(bucket)

    def contracts(self, word: str) -> Sequence[Contract]:
        self.consulted.add("k:" + word)
        return self._source.contracts(word)

    def params(self, function: Entry) -> tuple[Param, ...]:
        self.consulted.add("a:" + function.qualname)
        return self._source.params(function.id)

    def head(self, type_: Entry) -> str:
        """The head of a type of Kotlin or Scala as written."""
        self.consulted.add("h:" + type_.qualname)
        return self._source.signature(type_.id)

    def type_params(self, function: Entry) -> tuple[str, ...]:
        """The type parameters that a function declares itself."""
        self.consulted.add("a:" + function.qualname)
        return type_params(self._source.signature(function.id), function.name)

    def layout(self) -> Layout:
        self.consulted.add("c:")
        return self._source.config().layout

    def dependencies(self, path: str) -> tuple[Dependency, ...]:
        self.consulted.add("e:" + path)
        return dict(self._source.config().dependencies).get(path, ())

    def owners(self, path: str) -> tuple[str, ...]:
        self.consulted.add("w:")
        return owners_of(path, self._source.config().owners)
