"""Python protocols and TypeScript interfaces that a class satisfies without naming them.

A class fits if it has every required member, by name. A single member is a coincidence unless its
name has several words.
"""

from __future__ import annotations

import re

from sonde.link.contracts import NAMED_FAMILIES, PROTOCOL, Contract, named_word
from sonde.link.edges import Edges
from sonde.link.receivers import Receivers
from sonde.link.tables import Entry
from sonde.model import EdgeKind, FileFacts, FileKind, Kind, Provenance

# Bound once: in Python 3.11 reading a member off its enum costs 15 times as much.
_EDGE_IMPLEMENTS = EdgeKind.IMPLEMENTS
_FILE_KIND_TEST = FileKind.TEST
_HOW_INFERRED = Provenance.INFERRED
_KIND_CLASS = Kind.CLASS

_MOST_IMPLEMENTED = 20  # interfaces of one class
_MOST_COMPARED = 400  # interfaces with one class
_NO_DEMAND = frozenset({PROTOCOL, "Generic", "ABC", "object"})  # bases that require nothing
_HIDDEN = frozenset({"private", "protected"})
_WORDS = re.compile(r"[a-z\d]_?[A-Z]|[^_]_[^_]")


def shape_links(facts: FileFacts, receivers: Receivers, edges: Edges) -> None:
    """Add an edge from each class of a file to the interfaces whose members it has."""
    family = NAMED_FAMILIES.get(receivers.file.language)
    if family is None:
        return
    shapes = _Shapes(family, receivers)
    for index, symbol in enumerate(facts.symbols):
        if symbol.kind is _KIND_CLASS:
            owner = receivers.entries[index]
            for interface in shapes.fitted(owner):
                edges.add(
                    owner.id, interface.id, _EDGE_IMPLEMENTS, symbol.start_line, _HOW_INFERRED
                )


class _Shapes:
    """What classes have and interfaces require, for one run of linking."""

    def __init__(self, family: str, receivers: Receivers) -> None:
        self._family = family
        self._file = receivers.file
        self._names = receivers.names
        self._tables = receivers.names.tables
        self._demands: dict[int, frozenset[str] | None] = {}

    def fitted(self, owner: Entry) -> list[Entry]:
        """The interfaces that a class fits and does not name, by the words they are indexed by."""
        if PROTOCOL in owner.bases:
            return []
        near = [
            contract
            for member in self._tables.members(owner)
            for contract in self._tables.contracts(named_word(self._family, member.name))
        ]
        if not near:
            return []
        members = self._members(owner)
        named = {each.id for each in self._names.line(owner)}
        # Of interfaces with equal requirements, the class means the one that it names.
        meant = {contract.methods for contract in near if contract.interface in named}
        found: dict[int, Entry] = {}
        for contract in near[:_MOST_COMPARED]:
            if contract.interface in named or contract.methods in meant:
                continue
            if contract.interface not in found and contract.methods <= members:
                interface = self._tables.entry(contract.interface)
                if self._fits(members, interface, contract):
                    found[interface.id] = interface
        return list(found.values())[:_MOST_IMPLEMENTED]

    def _members(self, owner: Entry) -> set[str]:
        """The names that a class offers to others, including inherited ones."""
        hidden = frozenset() if self._family == "python" else _HIDDEN
        return {
            member.name
            for each in self._names.line(owner)
            for member in self._tables.members(each)
            if member.visibility not in hidden
        }

    def _fits(self, members: set[str], interface: Entry, contract: Contract) -> bool:
        file = self._tables.file_of(interface)
        if file.kind is _FILE_KIND_TEST and file.id != self._file.id:
            return False  # an interface in a test is about the test's own classes
        if interface.id not in self._demands:
            self._demands[interface.id] = self._demanded(interface, contract)
        demanded = self._demands[interface.id]
        return demanded is not None and demanded <= members

    def _demanded(self, interface: Entry, contract: Contract) -> frozenset[str] | None:
        """The members of an interface; None if it fits anything or is not fully known."""
        demanded = set(contract.methods)
        for each in self._names.line(interface):
            known = len(self._names.bases(each)) + len(_NO_DEMAND.intersection(each.bases))
            if known < len(each.bases):
                return None
            if each.id != interface.id:
                own = [member.name for member in self._tables.members(each)]
                if not own:  # `interface Stop { (): void }`: something to be called
                    return None
                demanded.update(own)
        return frozenset(demanded) if len(demanded) > 1 or _says_what_it_is(*demanded) else None


def _says_what_it_is(name: str) -> bool:
    """Whether a name has several words: `get_response`, `toTransport`, but not `__call__`."""
    return bool(_WORDS.search(name)) and not name.startswith("__")
