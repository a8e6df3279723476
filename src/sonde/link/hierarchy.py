"""Types and their ancestors: what they extend, implement, override and inherit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sonde.link.edges import Edges
from sonde.link.names import Names, is_on_the_spot
from sonde.link.nearness import Nearness
from sonde.link.receivers import Receivers
from sonde.link.tables import OVERLOADING, Entry
from sonde.model import (
    CALLABLE_KINDS,
    TYPE_KINDS,
    EdgeKind,
    FileFacts,
    FileKind,
    Kind,
    Param,
    Provenance,
    RefKind,
    Unresolved,
)

# Bound once: in Python 3.11 reading a member off its enum costs 15 times as much.
_EDGE_EXTENDS = EdgeKind.EXTENDS
_EDGE_IMPLEMENTS = EdgeKind.IMPLEMENTS
_EDGE_INHERITS = EdgeKind.INHERITS
_EDGE_OVERRIDES = EdgeKind.OVERRIDES
_FILE_KIND_TEST = FileKind.TEST
_KIND_CLASS = Kind.CLASS
_KIND_CONSTRUCTOR = Kind.CONSTRUCTOR
_KIND_PROPERTY = Kind.PROPERTY
_KIND_TYPE_ALIAS = Kind.TYPE_ALIAS
_HOW_HIERARCHY = Provenance.HIERARCHY
_HOW_IMPORT = Provenance.IMPORT
_HOW_SYNTAX = Provenance.SYNTAX
_REF_BASE = RefKind.BASE

_MOST_INHERITED = 200
_MOST_CANDIDATES = 5
_OVERLOADED = OVERLOADING - {"typescript", "tsx"}  # whose overloads share one body
_CONTRACTS = frozenset({Kind.INTERFACE, Kind.TRAIT, Kind.PROTOCOL})
_MEMBERS = CALLABLE_KINDS | {Kind.PROPERTY}


def hierarchy_links(facts: FileFacts, receivers: Receivers, edges: Edges) -> list[Unresolved]:
    """Add the edges of every type in a file; return the bases that could not be resolved."""
    unresolved: list[Unresolved] = []
    for index, symbol in enumerate(facts.symbols):
        if symbol.kind in TYPE_KINDS and symbol.bases:
            owner = receivers.entries[index]
            unresolved += _base_links(owner, symbol.start_line, receivers, edges)
            # Test cases would repeat their framework's whole interface: 57 % of all edges in a
            # large project, and nobody looks for any of them.
            # An alias has the members of its type without inheriting them.
            if receivers.file.kind is not _FILE_KIND_TEST and symbol.kind is not _KIND_TYPE_ALIAS:
                _inherited_links(owner, symbol.start_line, receivers.names, edges)
        elif symbol.kind in _MEMBERS and (owner_type := _owner_type(index, receivers)) is not None:
            line = receivers.names.line(owner_type)[1:]
            _override_link(receivers.entries[index], owner_type, line, receivers, edges)
        elif is_on_the_spot(symbol):
            for base in receivers.spots.bases(index):
                line = receivers.names.line(base)
                _override_link(receivers.entries[index], base, line, receivers, edges)
    _declared_apart(facts, receivers, edges)
    return unresolved


def _owner_type(index: int, receivers: Receivers) -> Entry | None:
    entry = receivers.entries[index]
    if entry.owner or entry.parent:
        owner = receivers.owner(index)
        if owner is not None and entry.qualname == f"{owner.qualname}.{entry.name}":
            return owner
    return None


def _relation(owner: Entry, base: Entry) -> EdgeKind:
    if base.kind in _CONTRACTS and owner.kind not in _CONTRACTS:
        return _EDGE_IMPLEMENTS
    return _EDGE_EXTENDS


def _base_links(owner: Entry, line: int, receivers: Receivers, edges: Edges) -> list[Unresolved]:
    unresolved = []
    for text in owner.bases:
        base = receivers.names.base(owner, text)
        if base is not None:
            own = base.file == owner.file
            how = _HOW_SYNTAX if own else _HOW_IMPORT
            for each in _and_what_it_stands_for(base, receivers.names):
                edges.add(owner.id, each.id, _relation(owner, each), line, how)
        elif receivers.names.meaning(owner, text) is None:
            head, _, name = text.rpartition(".")
            tables = receivers.names.tables
            near = Nearness(receivers.file, tables).first(tables.named(name), _MOST_CANDIDATES)
            unresolved.append(Unresolved(owner.id, _REF_BASE, name, head, line, near))
    return unresolved


def _and_what_it_stands_for(base: Entry, names: Names) -> Iterator[Entry]:
    """A base, and if it is an alias, the type behind it."""
    seen = set()
    while base.id not in seen:
        seen.add(base.id)
        yield base
        if base.kind is _KIND_TYPE_ALIAS:
            base = names.stands_for(base) or base


def _inherited_links(owner: Entry, line: int, names: Names, edges: Edges) -> None:
    seen = {member.name for part in names.parts(owner) for member in names.tables.members(part)}
    count = 0
    for ancestor in names.line(owner)[1:]:
        for member in names.tables.members(ancestor):
            if member.kind not in _MEMBERS or member.name in seen or is_on_the_spot(member):
                continue
            seen.add(member.name)
            edges.add(owner.id, member.id, _EDGE_INHERITS, line, _HOW_HIERARCHY)
            count += 1
            if count == _MOST_INHERITED:
                return


def _override_link(
    member: Entry, owner: Entry, ancestors: Sequence[Entry], receivers: Receivers, edges: Edges
) -> None:
    if not ancestors or (member.kind is _KIND_CONSTRUCTOR and member.name == owner.name):
        return
    for ancestor in ancestors:
        found = receivers.names.own_member(ancestor, member.name)
        if found is None:
            continue
        if found.kind not in _MEMBERS:
            return
        apart = receivers.family.calls_self and found.static is not member.static
        if apart and (found.static or ancestor.kind is _KIND_CLASS):
            continue  # a module may be mixed into the class itself
        meant = _overloaded(member, found, receivers)
        if meant is not None:
            edges.add(member.id, meant.id, _EDGE_OVERRIDES, member.start_line, _HOW_HIERARCHY)
            return


def _overloaded(member: Entry, found: Entry, receivers: Receivers) -> Entry | None:
    """Of the overloads that an ancestor has, the one with the parameters of this member."""
    if receivers.file.language not in _OVERLOADED or _KIND_PROPERTY in (member.kind, found.kind):
        return found
    tables = receivers.names.tables
    named = tables.qualified(found.qualname)
    several = [each for each in named if each.file == found.file and each.kind in CALLABLE_KINDS]
    own = tables.params(member)
    takes = {each.id: tables.params(each) for each in several}
    fitting = [each for each in several if len(takes[each.id]) == len(own)]
    return max(fitting, key=lambda each: _likeness(own, takes[each.id]), default=None)


def _likeness(own: Sequence[Param], others: Sequence[Param]) -> int:
    """How many types and labels of parameters correspond."""
    return sum(
        2 * (one.type == other.type)
        + (one.type.partition("<")[0] == other.type.partition("<")[0])  # Bag<T> and Bag<Row>
        + (one.mark == other.mark)
        for one, other in zip(own, others, strict=True)
    )


def _declared_apart(facts: FileFacts, receivers: Receivers, edges: Edges) -> None:
    """Bases declared away from the head of their type: `impl Trait for Type`, mixins."""
    module = receivers.entries[0]
    names = receivers.names
    for reference in facts.references:
        if reference.kind is not _REF_BASE:
            continue
        owner: Entry | None
        if receivers.family.bases_apart and reference.receiver:
            owner = names.named_type(module, reference.receiver)
            base = names.named_type(module, reference.name)
        else:
            around = receivers.entries[reference.scope]
            owner = names.named_type(around, reference.args) if reference.args else around
            text = f"{reference.receiver}.{reference.name}".lstrip(".")
            if (
                owner is None
                or owner.kind not in TYPE_KINDS
                or {reference.name, text} & set(owner.bases)
            ):
                continue
            base = names.named_type(around, text)
        if owner is not None and base is not None:
            how = _HOW_SYNTAX if base.file == module.file else _HOW_IMPORT
            for each in _and_what_it_stands_for(base, names):
                edges.add(owner.id, each.id, _relation(owner, each), reference.line, how)
