"""Go: a type implements an interface by having its methods, without mentioning it."""

from __future__ import annotations

import re
from collections.abc import Mapping

from sonde.link.contracts import NAME, PARAMETER, composed_of, outline
from sonde.link.edges import Edges
from sonde.link.names import Names
from sonde.link.receivers import Receivers
from sonde.link.space import OUTSIDE, Space
from sonde.link.tables import Entry, FileEntry, folder_of
from sonde.model import TYPE_KINDS, EdgeKind, FileFacts, Kind, Provenance

# Bound once: in Python 3.11 reading a member off its enum costs 15 times as much.
_EDGE_IMPLEMENTS = EdgeKind.IMPLEMENTS
_HOW_INFERRED = Provenance.INFERRED
_KIND_INTERFACE = Kind.INTERFACE
_KIND_METHOD = Kind.METHOD
_KIND_TYPE_ALIAS = Kind.TYPE_ALIAS

_IMPLEMENTING = TYPE_KINDS - {Kind.INTERFACE}
_MOST_IMPLEMENTED = 50  # interfaces of one type
_MOST_COMPARED = 400  # interfaces under one word
_ANY = "?"  # stands for the type parameter of a generic type
_WRITTEN = frozenset({"chan", "func", "interface", "map", "struct"})


def structural_links(facts: FileFacts, receivers: Receivers, edges: Edges) -> None:
    """Add an edge from each type of a Go file to the interfaces whose methods it has."""
    if receivers.file.language != "go":
        return
    sets = _MethodSets(receivers.names)
    for index, symbol in enumerate(facts.symbols):
        if symbol.kind in _IMPLEMENTING and symbol.qualname == symbol.name:
            owner = receivers.entries[index]
            if symbol.kind is _KIND_TYPE_ALIAS and receivers.names.stands_for(owner) is not None:
                continue  # the type itself has an edge
            for interface in sets.implemented(owner):
                edges.add(
                    owner.id, interface.id, _EDGE_IMPLEMENTS, symbol.start_line, _HOW_INFERRED
                )


class _MethodSets:
    """The methods that types have and interfaces require, for one run of linking."""

    def __init__(self, names: Names) -> None:
        self._names = names
        self._tables = names.tables
        self._family = names.family("go")
        self._required: dict[int, Mapping[str, Entry] | None] = {}
        self._shapes: dict[int, tuple[str, ...]] = {}
        self._types: dict[tuple[int, str], str] = {}
        self._places: dict[tuple[int, str], str] = {}

    def implemented(self, owner: Entry) -> list[Entry]:
        """The interfaces that a type satisfies, in the order of the words they are indexed by."""
        methods = self._methods(owner)
        found: dict[int, Entry] = {}
        words = sorted(methods)
        known: set[str] | None = None
        for word in words:
            for contract in self._tables.contracts(word)[:_MOST_COMPARED]:
                if known is None:
                    known = {*methods, *map(self._outline, methods.values())}
                if contract.interface in found or not contract.methods <= known:
                    continue
                interface = self._tables.entry(contract.interface)
                if self._fits(methods, interface):
                    found[interface.id] = interface
                    words.append(composed_of(interface.name))
            if len(found) >= _MOST_IMPLEMENTED:
                break
        return list(found.values())[:_MOST_IMPLEMENTED]

    def _outline(self, method: Entry) -> str:
        return outline(method.name, self._taken(method), method.returns)

    def _taken(self, method: Entry) -> tuple[str, ...]:
        return tuple([param.type for param in self._tables.params(method)])

    def _methods(self, owner: Entry) -> dict[str, Entry]:
        """The methods of a type by name: its own, then those of embedded types."""
        found: dict[str, Entry] = {}
        for each in self._names.line(owner):
            members = self._tables.members(each) if each.kind is _KIND_INTERFACE else None
            for member in self._declared(each) if members is None else members:
                if member.kind is _KIND_METHOD:
                    found.setdefault(member.name, member)
        return found

    def _declared(self, owner: Entry) -> list[Entry]:
        """The methods whose receiver is this type; they may be in any file of its folder."""
        folder = folder_of(self._tables.file_of(owner).path)
        return [each for each in self._tables.owned(owner.name) if self._folder(each) == folder]

    def _folder(self, entry: Entry) -> str:
        return folder_of(self._tables.file_of(entry).path)

    def _fits(self, methods: Mapping[str, Entry], interface: Entry) -> bool:
        if interface.id not in self._required:
            self._required[interface.id] = self._demands(interface)
        required = self._required[interface.id]
        if required is None or not required.keys() <= methods.keys():
            return False
        if len(required) == 1 and interface.visibility == "private":
            # `type stringer interface { String() string }`: any type at all may satisfy it.
            (have,) = [methods[name] for name in required]
            if self._folder(have) != self._folder(interface):
                return False
        return all(self._same(methods[name], need) for name, need in required.items())

    def _demands(self, interface: Entry) -> Mapping[str, Entry] | None:
        """The methods of an interface; None if it embeds one that is not in the workspace."""
        for each in self._names.line(interface):
            if len(self._names.bases(each)) < len(each.bases):
                return None
        return self._methods(interface) or None

    def _same(self, have: Entry, need: Entry) -> bool:
        """Whether a method is the required one: a private name belongs to its package."""
        if have.id == need.id:
            return True
        if not need.name[:1].isupper() and self._folder(have) != self._folder(need):
            return False
        ours, theirs = self._shape(have), self._shape(need)
        return ours == theirs or (
            len(ours) == len(theirs)
            and all(one == other or _ANY in other for one, other in zip(ours, theirs, strict=True))
        )

    def _shape(self, method: Entry) -> tuple[str, ...]:
        """The types that a method takes and returns, each name with its package."""
        known = self._shapes.get(method.id)
        if known is None:
            file = self._tables.file_of(method)
            texts = (*self._taken(method), method.returns)
            known = self._shapes[method.id] = tuple(self._canonical(file, text) for text in texts)
        return known

    def _canonical(self, file: FileEntry, text: str) -> str:
        """A type written in a file, in a form that is the same for every file that means it."""
        if text in self._family.everywhere:
            return text
        key = (file.id, text)
        known = self._types.get(key)
        if known is None:

            def with_package(found: re.Match[str]) -> str:
                if not found[1] and PARAMETER.fullmatch(found[2]):
                    return _ANY
                return f"{self._place(file, found[1], found[2])}.{found[2]}"

            known = self._types[key] = NAME.sub(with_package, text)
        return known

    def _place(self, file: FileEntry, qualifier: str | None, name: str) -> str:
        """The package of a name written in a file: its folder, or its import path if outside."""
        if not qualifier:
            words = name in _WRITTEN or name in self._family.everywhere
            return "" if words else folder_of(file.path)
        key = (file.id, qualifier)
        known = self._places.get(key)
        if known is None:
            known = self._places[key] = self._imported(file, qualifier)
        return known

    def _imported(self, file: FileEntry, qualifier: str) -> str:
        for item in self._tables.imports(file):
            if item.alias == qualifier:
                found = self._family.imported(self._names, file, item)
                if isinstance(found, Space) and found is not OUTSIDE:
                    return found.name
                return item.module
        return qualifier
