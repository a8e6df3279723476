"""Resolve the use of a name inside a file: locals first, then the file, then its imports."""

from __future__ import annotations

from collections.abc import Sequence

from sonde.link.beside import extended, extension_of, implied, in_extension, in_object
from sonde.link.blocks import with_blocks
from sonde.link.calls import called, called_value
from sonde.link.chain import steps_of
from sonde.link.expressions import is_callable
from sonde.link.fields import SELF_NAMES, Fields
from sonde.link.lambdas import BLOCK_RECEIVER
from sonde.link.names import HOLDERS, Found, Names, Target
from sonde.link.overloads import Overloads
from sonde.link.sides import of_self
from sonde.link.space import OUTSIDE, UNKNOWN, Space
from sonde.link.spots import Spots
from sonde.link.supers import beyond, inherited, inherited_constant
from sonde.link.tables import Entry, FileEntry, entries_of
from sonde.link.values import made_here, value_of_chain
from sonde.link.variables import Variables
from sonde.model import (
    TYPE_KINDS,
    FileFacts,
    Kind,
    Provenance,
    Reference,
    RefKind,
    Symbol,
)

# Bound once: in Python 3.11 reading a member off its enum costs 15 times as much.
_HOW_DECLARED = Provenance.DECLARED
_HOW_HIERARCHY = Provenance.HIERARCHY
_HOW_IMPORT = Provenance.IMPORT
_HOW_INFERRED = Provenance.INFERRED
_HOW_SELF = Provenance.SELF
_HOW_SYNTAX = Provenance.SYNTAX
_KIND_CONSTRUCTOR = Kind.CONSTRUCTOR
_REF_CALL = RefKind.CALL

# What part of a use's location decides what its text means.
_IN_FILE, _IN_TYPE, _IN_SCOPE = range(3)
_UNASKED = Found(UNKNOWN, _HOW_SYNTAX)  # sentinel for "no answer", compared by identity


class Receivers:
    """Resolves the references of one file; each distinct lookup is done once."""

    def __init__(self, file: FileEntry, facts: FileFacts, ids: Sequence[int], names: Names) -> None:
        self.file = file
        self.names = names
        self.family = names.family(file.language)
        self._apart = self.family.methods_apart
        self._supers = self.family.supers
        self.entries = entries_of(file.id, facts.symbols, ids)
        self.symbols: Sequence[Symbol] = facts.symbols
        self.first_block = len(facts.symbols)
        if facts.blocks:
            self.symbols = with_blocks(facts, self.entries)
        self.spots = Spots(self)
        self._children: dict[tuple[int, str], int] = {}
        for index, symbol in enumerate(facts.symbols):
            if symbol.bases and self.spots.add(index):
                continue
            if index and not (symbol.owner and _is_apart(symbol, facts.symbols)):
                key = (max(symbol.parent, 0), symbol.name)
                known = self._children.setdefault(key, index)
                if facts.symbols[known].declared and not symbol.declared:
                    self._children[key] = index  # the body that overloads are declared for
        self.variables = Variables(self, facts.bindings)
        self._locals = {name for parent, name in self._children if parent}
        self._locals.update(name for scope, name in self.variables.bound if scope)
        params = [param for symbol in facts.symbols for param in symbol.params]
        self._locals.update(param.name.lstrip("*&$.") for param in params)
        self._extents: dict[str, tuple[str, int]] = {}
        self._receivers: dict[int, Found | None] = {}  # of blocks
        self._type_scopes: dict[int, int] = {}
        self._fields = Fields(self)
        self._nesting: dict[int, tuple[int, ...]] = {}
        self._params: dict[int, dict[str, str]] = {}
        self._owners: dict[int, Entry | None] = {}
        self._finds: dict[tuple[int, str], Found | None] = {}
        self._values: dict[tuple[int, str], Found | None] = {}
        self.declared: dict[tuple[int, str], tuple[Entry, str] | None] = {}
        self._answers: dict[tuple[int, str, str, bool], Found | None] = {}
        self.overloads = Overloads(self)

    def resolve(self, reference: Reference) -> Found | None:
        """The definition a reference refers to; OUTSIDE and UNKNOWN are answers too."""
        kind, name, receiver, _, scope, _ = reference
        text = receiver or name
        known = self._extents.get(text)
        if known is None:
            known = self._extents[text] = self._extent(text)
        first, extent = known
        while scope >= self.first_block and not self._matters(scope, first):
            scope = self.symbols[scope].parent
        if scope < self.first_block:
            if extent == _IN_FILE:
                scope = 0
            elif extent == _IN_TYPE:
                scope = self.type_around(scope)
        key = (scope, receiver, name, kind is _REF_CALL)
        found = self._answers.get(key, _UNASKED)
        if found is _UNASKED:
            found = self.meaning(*key)
            if self._apart and found is not None and (key[3] or not receiver):
                found = called(self, found, *key)
            self._answers[key] = found
        return found

    def _extent(self, text: str) -> tuple[str, int]:
        """The first name of a text, and the part of a file in which it means the same."""
        first = text
        if not text.isidentifier() and (steps := steps_of(text)):
            first = steps[0].name
        if first in SELF_NAMES or first[:1] == "@":
            return first, _IN_TYPE
        if first == self.family.maker:  # alone it depends on the method, not on the type only
            return first, _IN_SCOPE
        if first in self._locals or (first[:1] == "$" and first.lstrip("$") in self._locals):
            return first, _IN_SCOPE
        by_type = self.family.implicit_self or first in self._supers or first == "type"
        return first, _IN_TYPE if by_type else _IN_FILE

    def _matters(self, block: int, name: str) -> bool:
        """Whether a name may mean something else in a block than around it."""
        own = name != BLOCK_RECEIVER and (block, name) in self.variables.bound
        return own or self.receiver_of(block) is not None

    def receiver_of(self, block: int) -> Found | None:
        """What the function that is called with a block gives to it as `this`, if anything."""
        if block not in self._receivers:
            self._receivers[block] = None  # it may be called with itself
            held = self.variables.held(block, BLOCK_RECEIVER)
            if held is not None and isinstance(held.target, Entry):
                self._receivers[block] = held
        return self._receivers[block]

    def type_around(self, scope: int) -> int:
        """The innermost symbol around a scope that is a type, or a member that names its type."""
        known = self._type_scopes.get(scope)
        if known is None:
            known = 0
            for index in self.around(scope):
                entry = self.entries[index]
                if entry.kind in TYPE_KINDS or entry.owner or entry.bases:
                    known = index
                    break
            self._type_scopes[scope] = known
        return known

    def meaning(self, scope: int, receiver: str, name: str, called: bool) -> Found | None:
        """What a name after a receiver means in a scope."""
        if receiver and receiver == self.family.root:
            root = self.family.outermost(self.names, self.file, name)
            return Found(root, _HOW_IMPORT) if root is not None else None
        # only its declaration tells a PHP variable from the keyword `parent`
        named = receiver.removesuffix("()")
        if named in self._supers and self.local(scope, named) is None:
            if self.spots.exist and (spot := self.spots.around(scope)):
                return self.spots.inherited(spot, name)
            owner = self.owner(scope)
            return inherited(self.names, owner, name) if owner is not None else None
        if not receiver:
            if name in SELF_NAMES and (owner := self.owner(scope)) is not None:
                return Found(owner, _HOW_SELF)
            found = self.find(scope, name)
            if called and found is not None and found.instance:
                return called_value(self, scope, name, found)
            if found is None and (made := made_here(self, scope, name)) is not None:
                return made._replace(instance=False)
            if found is None and self.family.implicit_self:
                return in_extension(self, scope, name) or implied(self, scope, name)
            return found
        if self.spots.exist and receiver in SELF_NAMES and (spot := self.spots.around(scope)):
            return self.spots.member(spot, name)
        if receiver == "this" and self.family.literal_owners:
            found = in_object(self, scope, name)
            if found is not None:
                return found
        value = self.value(scope, receiver)
        if receiver in SELF_NAMES and (value is None or value.target is UNKNOWN):
            return in_extension(self, scope, name)
        if value is None:
            whole = self.family.qualified(self.names, self.file, receiver, name)
            return Found(whole, _HOW_IMPORT) if whole is not None else None
        found = self.member(value, name)
        if called and self.family.extends and (found is None or isinstance(found.target, Space)):
            return extended(self, scope, receiver, value, name) or found
        return found

    def member(self, value: Found, name: str) -> Found | None:
        """What `value.name` means, and how we know."""
        target = value.target
        if target is OUTSIDE:
            return Found(target, value.how) if value.instance else value
        found = self.names.member(target, name)
        how = value.how
        if found is None:
            if name.isdigit():
                return self._numbered(target, int(name))
            if (
                isinstance(target, Entry)
                and not value.instance
                and self.family.makes(self.names, target, name)
            ):
                return Found(target, how, True)
            held = self._fields.value(target)
            if held is not None:
                return self.member(held, name)
            return beyond(self.names, target, name)
        if isinstance(found, Entry) and isinstance(target, Entry):
            if target.kind in TYPE_KINDS and found.qualname != f"{target.qualname}.{name}":
                how = _HOW_HIERARCHY if found.name == name else _HOW_INFERRED
            elif target.kind in HOLDERS:
                inferred = target.returns.endswith("()")
                how = _HOW_INFERRED if inferred else _HOW_DECLARED
        return Found(found, how)

    def _numbered(self, target: Target, at: int) -> Found | None:
        """A field without a name: `self.0` of `struct Rows(Vec<Row>)`, of a variant `All(Rows)`."""
        if not isinstance(target, Entry):
            return None
        params = self.names.tables.params(target)
        if target.kind in HOLDERS and not params:
            held = self.names.type_of(target)
            if not isinstance(held, Entry) or held.kind not in TYPE_KINDS:
                return None
            target, params = held, self.names.tables.params(held)
        elif target.kind not in HOLDERS and target.kind not in TYPE_KINDS:
            return None
        meant = self.names.meaning(target, params[at].type) if at < len(params) else None
        return Found(meant, _HOW_DECLARED, True) if meant is not None else None

    def child(self, parent: int, name: str) -> int | None:
        """The symbol of that name directly inside a symbol of the file."""
        return self._children.get((parent, name))

    def around(self, scope: int) -> tuple[int, ...]:
        """A scope and its enclosing symbols, without the module."""
        known = self._nesting.get(scope)
        if known is None:
            found: list[int] = []
            while scope > 0 and scope not in found:
                found.append(scope)
                scope = self.symbols[scope].parent
            known = tuple(found)
            if known:
                self._nesting[known[0]] = known
        return known

    def outside(self, scope: int) -> int:
        """The scope in which the values of a scope's variables are meant: around a block."""
        return self.symbols[scope].parent if scope >= self.first_block else scope

    def owner(self, scope: int) -> Entry | None:
        """The type around a scope."""
        if scope not in self._owners:
            index = self.type_around(scope)
            found: Entry | None
            if self.spots.exist and (spot := self.spots.around(scope)):
                found = next(iter(self.spots.bases(spot)), None)
            else:
                found = self.names.owner_of(self.entries[index]) if index else None
            if found is None and index and self.family.literal_owners:
                found = self.owner(max(self.symbols[index].parent, 0))
            self._owners[scope] = found
        return self._owners[scope]

    def find(self, scope: int, name: str) -> Found | None:
        """What a bare name means in a scope."""
        key = (scope, name)
        if key in self._finds:
            return self._finds[key]
        self._finds[key] = None  # `x = x.next()` ends here
        found = self.local(scope, name) or self.file_level(scope, name)
        if found is None:  # in a function without a name: `describe(…, () => { let row: Row; …`
            found = self.variables.held(0, name)
        self._finds[key] = found
        return found

    def local(self, scope: int, name: str) -> Found | None:
        """What a bare name means in the functions and types around a scope."""
        method: Found | None = None  # of an anonymous type: does not hide variables around it
        for index in self.around(scope):
            if self.symbols[index].kind in TYPE_KINDS:
                if method is not None:
                    break
                found = self._in_type(index, name, direct=index == scope)
                found = found and of_self(self, scope, index, found)
            else:
                found = self.in_callable(index, name)
                if found is None and index >= self.first_block:
                    found = self._of_receiver(index, name)
                if found is None and method is None and self.symbols[index].bases:
                    method = self.spots.member(index, name)
                    if method is not None and not is_callable(method):
                        return method
            if found is not None:
                return found
        if method is not None:
            return method
        if scope <= 0 or not self.family.implicit_self:
            return None
        if self.spots.exist and self.spots.around(scope):
            return None
        if (owner := self.owner(scope)) is not None:
            member = self.names.type_member(owner, name)
            if member is not None:
                return of_self(self, scope, 0, Found(self._named(member), _HOW_SELF))
        return None

    def _named(self, member: Entry) -> Entry:
        """A member that is meant by its bare name: a constructor's name is its type's."""
        if member.kind is _KIND_CONSTRUCTOR:
            owner = self.names.owner_of(member)
            if owner is not None and owner.name == member.name:
                return owner
        return member

    def _of_receiver(self, block: int, name: str) -> Found | None:
        """A member of the receiver that the function called with a block gives to it."""
        held = self.receiver_of(block)
        if held is None:
            return None
        member = self.names.member(held.target, name)
        if member is None and isinstance(held.target, Entry):
            member = extension_of(self, held.target, name)
        return Found(member, _HOW_INFERRED) if isinstance(member, Entry) else None

    def _in_type(self, index: int, name: str, direct: bool) -> Found | None:
        if not direct and not self.family.implicit_self:
            return None
        child = self._children.get((index, name))
        if child is not None:
            return Found(self._named(self.entries[child]), _HOW_SYNTAX)
        if self.family.implicit_self:
            member = self.names.type_member(self.entries[index], name)
            if member is not None:
                return Found(self._named(member), _HOW_HIERARCHY)
            if self.symbols[index].params:  # Scala: `class Shop(client: Client)`
                return self.in_callable(index, name)
        return None

    def in_callable(self, index: int, name: str) -> Found | None:
        """What a name means among a function's variables, parameters and inner functions."""
        child = self._children.get((index, name))
        if child is not None:
            return Found(self.entries[child], _HOW_SYNTAX)
        bound = self.variables.held(index, name)
        if bound is not None:
            return bound
        params = self._params.get(index)
        if params is None:
            params = self._params[index] = {
                param.name.lstrip("*&$."): param.type for param in self.symbols[index].params
            }
        declared = params.get(name.lstrip("$"))
        if declared is None:
            return None
        meant = self.names.meaning(self.entries[index], declared) if declared else None
        return Found(meant or UNKNOWN, _HOW_DECLARED, True)

    def file_level(self, scope: int, name: str) -> Found | None:
        """What a bare name means outside all types and functions of the file."""
        child = self._children.get((0, name))
        if child is not None and self.entries[child].kind not in HOLDERS:
            meant = self.family.of_arity(self.names, self.entries[child], 0)
            return Found(meant, _HOW_SYNTAX)
        found = None
        if self.family.open_nesting and (owner := self.owner(scope)) is not None:
            found = self.names.nested(self.file, owner.qualname, name)
            if found is None and name[:1].isupper():  # Ruby: a constant of what is mixed in
                found = inherited_constant(self.names, self.file, owner, name)
        found = found or self.names.top(self.file, name)
        if found is None:
            return None
        if isinstance(found, Entry):
            found = self.family.of_arity(self.names, found, 0)
        own = isinstance(found, Entry) and found.file == self.file.id
        return Found(found, _HOW_SYNTAX if own else _HOW_IMPORT)

    def value(self, scope: int, text: str) -> Found | None:
        """What an expression before a dot evaluates to."""
        key = (scope, text)
        if key in self._values:
            return self._values[key]
        self._values[key] = None
        steps = steps_of(text)
        found = self._values[key] = value_of_chain(self, scope, steps) if steps else None
        return found


def _is_apart(member: Symbol, symbols: Sequence[Symbol]) -> bool:
    """Whether a member is written outside its type, and so is not visible in what surrounds it."""
    inside = member.parent > 0 and symbols[member.parent].kind in TYPE_KINDS
    return member.kind not in TYPE_KINDS and not inside
