"""References → edges; what stays unresolved is kept with its nearest candidates.

| use                          | edge                                              |
|------------------------------|---------------------------------------------------|
| call                         | user CALLS callee; for a type its constructor too |
| type in the user's signature | user TYPE_HINT_OF type                            |
| other type, name             | user REFERENCES definition, CALLS a Ruby method   |
| decorator                    | decorated DECORATES decorator                     |
| raise                        | user THROWS type                                  |
| field access                 | user ACCESSES_FIELD field, REFERENCES otherwise   |
| call of an accessor that     | user ACCESSES_FIELD field                         |
| an annotation generates      |                                                   |
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from sonde.link.arity import without_arity
from sonde.link.chain import WRAPPING
from sonde.link.companions import LANGUAGES, applied, run_by
from sonde.link.edges import Edges
from sonde.link.expressions import declaration
from sonde.link.free_operators import FreeOperators
from sonde.link.names import HOLDERS, Found
from sonde.link.nearness import Nearness
from sonde.link.overloads import Meant
from sonde.link.receivers import Receivers
from sonde.link.space import UNKNOWN
from sonde.link.tables import Entry
from sonde.model import (
    CALLABLE_KINDS,
    TYPE_KINDS,
    EdgeKind,
    FileFacts,
    Kind,
    Provenance,
    Reference,
    RefKind,
    Unresolved,
)

# Bound once: in Python 3.11 reading a member off its enum costs 15 times as much.
_EDGE_ACCESSES_FIELD = EdgeKind.ACCESSES_FIELD
_EDGE_CALLS = EdgeKind.CALLS
_EDGE_REFERENCES = EdgeKind.REFERENCES
_EDGE_TYPE_HINT_OF = EdgeKind.TYPE_HINT_OF
_HOW_OVERLOAD = Provenance.OVERLOAD
_KIND_CONSTRUCTOR = Kind.CONSTRUCTOR
_KIND_ENUM = Kind.ENUM
_KIND_PROPERTY = Kind.PROPERTY
_KIND_TYPE_ALIAS = Kind.TYPE_ALIAS
_REF_CALL = RefKind.CALL
_REF_DECORATOR = RefKind.DECORATOR
_REF_FIELD = RefKind.FIELD
_REF_NAME = RefKind.NAME
_REF_OPERATOR = RefKind.OPERATOR
_REF_TYPE = RefKind.TYPE

_new = tuple.__new__  # half the cost of calling the class, and there are hundreds of thousands
_WORD = re.compile(r"\w+")
_HEAD = re.compile(r"(?:\w+(?:::|\.))*(\w+)")  # the name of a type without its arguments
_POINTING = frozenset({"c", "cpp"})
_MOST_CANDIDATES = 5
_ELSEWHERE = frozenset({RefKind.BASE, RefKind.ENV, RefKind.PROCESS})  # hierarchy, leaves
# Unresolved field accesses and passed names are mostly locals, so they are not kept.
_KEPT = frozenset({RefKind.CALL, RefKind.TYPE, RefKind.DECORATOR, RefKind.RAISE})
_OF_TYPES = frozenset({RefKind.TYPE, RefKind.RAISE, RefKind.DECORATOR})
_PLAIN = {
    RefKind.DECORATOR: EdgeKind.DECORATES,
    RefKind.RAISE: EdgeKind.THROWS,
    RefKind.NAME: EdgeKind.REFERENCES,
}
# Methods of every language's strings, lists and maps: they rarely mean a project's symbol of that
# name, and offering it would make thousands of files depend on one another.
_COMMON_METHODS = """
get set add append extend insert pop remove update items keys values copy clear join split
strip format replace lower upper encode decode startswith endswith find index count sort
read write close open push map filter forEach reduce slice splice indexOf includes concat
length size toString equals hashCode isEmpty contains put len is_empty iter into unwrap
clone collect to_string as_str expect ok_or next first last each select reject any all
nil? empty? to_s to_i to_sym Error String Errorf Sprintf Printf Println New main then catch
log trim test exec match call apply bind assertEqual assertTrue assertEquals
"""
_COMMONPLACE = frozenset(_COMMON_METHODS.split())


class ReferenceLinks:
    """Walks the references of one file once."""

    def __init__(self, facts: FileFacts, receivers: Receivers, edges: Edges) -> None:
        self._facts = facts
        self._receivers = receivers
        self._edges = edges
        self._names_call = receivers.family.names_call
        self._initializes = receivers.file.language == "cpp"  # `Row() : Base(1) {}`
        self._brackets = receivers.file.language in LANGUAGES
        self._free = FreeOperators(receivers)
        self._overloads = receivers.overloads
        self._doubtful: list[tuple[int, int, EdgeKind, int, Provenance]] = []
        self._signatures: dict[int, frozenset[str]] = {}
        self._constructors: dict[int, int] = {}  # type → what calling it runs, 0 for nothing
        self._nearness = Nearness(receivers.file, receivers.names.tables)
        self._candidates: dict[str, tuple[int, ...]] = {}
        self._unresolved: dict[tuple[int, int, str, str], Unresolved] = {}

    def run(self) -> tuple[Unresolved, ...]:
        """Add an edge for each reference that can be resolved; return the others."""
        resolve, link, overloaded = self._receivers.resolve, self._link, self._overloads.needed
        scala = self._receivers.file.language == "scala"
        names, of_arity = self._receivers.names, self._receivers.family.of_arity
        suffix = self._receivers.family.decorator_suffix
        for reference in self._facts.references:
            kind = reference[0]
            if kind in _ELSEWHERE:
                continue
            if kind is _REF_OPERATOR:
                self._operator(reference._replace(kind=_REF_CALL))
                continue
            given = 0
            if reference[5][-1:] == ">":
                reference, given = without_arity(reference)
            if suffix and kind is _REF_DECORATOR:
                found = self._decorator(reference, suffix)
            else:
                found = resolve(reference)
            if found is None or (target := found[0]) is UNKNOWN:
                if kind in _KEPT:
                    self._leave(reference, found)
            elif isinstance(target, Entry):
                if overloaded and target.kind in CALLABLE_KINDS:
                    meant = self._overloads.meant(reference, target, found[1], given)
                    if meant.entries:
                        self._link_meant(reference, meant)
                    else:
                        self._leave(reference, None)
                else:
                    if scala and (target.static or target.kind is _KIND_TYPE_ALIAS):
                        target = names.beside(target, static=kind not in _OF_TYPES)
                    link(reference, of_arity(names, target, given), found[1])
        for edge in self._doubtful:  # last, so that certain uses come first
            self._edges.add(*edge)
        return tuple(self._unresolved.values())

    def _operator(self, reference: Reference) -> None:
        """The call that a sign stands for, if the type of its operand is sure to define it."""
        found = self._receivers.resolve(reference)
        if self._initializes and (free := self._free.meant(reference)) is not None:
            self._link(reference, *free)
            return
        if found is None or not isinstance(found.target, Entry):
            return
        target, how = found.target, found.how
        if target.name != reference.name or not self._is_plain(reference):
            return
        if target.name == "apply":
            self._link_meant(reference, applied(self._receivers, reference, target, how))
        elif target.kind in CALLABLE_KINDS:
            meant = self._overloads.meant(reference, target, how, 0)
            if meant.entries:
                self._link_meant(reference, meant)
        elif target.kind is _KIND_PROPERTY:  # the indexer of C#
            self._link(reference, target, how)

    def _is_plain(self, reference: Reference) -> bool:
        """Whether an operand is declared as of a type itself, not as a pointer to one or as
        something else that holds one."""
        declared = declaration(self._receivers, reference.scope, reference.receiver)
        if declared is None:
            return self._receivers.file.language not in _POINTING
        head = _HEAD.match(declared[1].removeprefix("const "))
        return "*" not in declared[1] and head is not None and head[1] not in WRAPPING

    def _decorator(self, reference: Reference, suffix: str) -> Found | None:
        """What `[Row]` of C# means: the type `RowAttribute`, or one called just so."""
        names = self._receivers.names
        for name in (reference.name + suffix, reference.name):
            found = self._receivers.resolve(reference._replace(kind=_REF_TYPE, name=name))
            target = found.target if found is not None else None
            if isinstance(target, Entry) and target.kind in TYPE_KINDS:
                above = [base for each in names.line(target) for base in each.bases]
                if name.endswith(suffix) or any(base.endswith(suffix) for base in above):
                    return found
        return None

    def _link_meant(self, reference: Reference, meant: Meant) -> None:
        if meant.how is not _HOW_OVERLOAD:
            for each in meant.entries:
                self._link(reference, each, meant.how)
            return
        relation = _EDGE_CALLS if reference.kind is _REF_CALL else _EDGE_REFERENCES
        source = self._receivers.entries[reference.scope].id
        for each in meant.entries:
            self._doubtful.append((source, each.id, relation, reference.line, meant.how))

    def _link(self, reference: Reference, target: Entry, how: Provenance) -> None:
        kind, name, receiver, line, scope, _ = reference
        source = self._receivers.entries[scope].id
        if kind is _REF_CALL:
            generated = target.bases and target.kind in HOLDERS  # the accessor of a field
            relation = _EDGE_ACCESSES_FIELD if generated else _EDGE_CALLS
        elif kind is _REF_TYPE:
            signed = name in self._signature(scope)
            relation = _EDGE_TYPE_HINT_OF if signed else _EDGE_REFERENCES
        elif kind is _REF_FIELD:
            relation = _EDGE_ACCESSES_FIELD if target.kind in HOLDERS else _EDGE_REFERENCES
        elif kind is _REF_NAME and self._names_call and target.kind in CALLABLE_KINDS:
            relation = _EDGE_CALLS
        else:
            relation = _PLAIN[kind]
        self._edges.add(source, target.id, relation, line, how)
        initialized = kind is _REF_FIELD and not receiver and self._initializes
        if (kind is _REF_CALL or initialized) and target.kind in TYPE_KINDS:
            if target.kind is _KIND_ENUM and name != target.name:
                return  # `Status.valueOf("PAID")` makes none
            self._construct(reference, target, how)

    def _construct(self, reference: Reference, target: Entry, how: Provenance) -> None:
        if not self._overloads.needed:
            # looked up once for each type, as a file calls one four times
            if target.id not in self._constructors:
                found = next(self._constructors_of(target), None)
                self._constructors[target.id] = found.id if found is not None else 0
            constructor = self._constructors[target.id]
            if constructor:
                source = self._receivers.entries[reference.scope].id
                self._edges.add(source, constructor, _EDGE_CALLS, reference.line, how)
            return
        for each in self._constructors_of(target):
            meant = self._overloads.constructors(reference, target, each, how)
            if meant.entries:
                self._link_meant(reference, meant)
                return
        if self._brackets:
            self._link_meant(reference, run_by(self._receivers, reference, target, how))

    def _constructors_of(self, target: Entry) -> Iterator[Entry]:
        """What calling a type may run; looked up one by one, as every lookup is recorded."""
        for name in (*self._receivers.family.constructors, target.name):
            constructor = self._receivers.names.type_member(target, name)
            # a method of Java may be called `init`
            if constructor is not None and constructor.kind is _KIND_CONSTRUCTOR:
                yield constructor

    def _signature(self, scope: int) -> frozenset[str]:
        known = self._signatures.get(scope)
        if known is None:
            symbol = self._facts.symbols[scope]
            texts = [param.type for param in symbol.params]
            returns = symbol.returns if symbol.kind not in TYPE_KINDS else ""
            known = frozenset(_WORD.findall(" ".join([*texts, returns])))
            self._signatures[scope] = known
        return known

    def _leave(self, reference: Reference, found: Found | None) -> None:
        kind, name, receiver, line, scope, _ = reference
        source = self._receivers.entries[scope].id
        key = (source, kind, name, receiver)
        if key in self._unresolved:
            return
        # A called local variable has no definition to look for.
        local = found is not None and not receiver
        candidates = () if local or name in _COMMONPLACE else self._named(name)
        if candidates or kind is _REF_CALL:
            values = (source, kind, name, receiver, line, candidates)
            self._unresolved[key] = _new(Unresolved, values)

    def _named(self, name: str) -> tuple[int, ...]:
        known = self._candidates.get(name)
        if known is None:
            entries = self._receivers.names.tables.named(name)
            known = self._candidates[name] = self._nearness.first(entries, _MOST_CANDIDATES)
        return known
