"""Resolve names at the top level of any file, and members of what they lead to."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from sonde.link.arity import given_to, given_to_base
from sonde.link.bound_names import Bound, by_name
from sonde.link.chain import Step, steps_of, type_name
from sonde.link.constants import enum_of
from sonde.link.imports import Family, family_of
from sonde.link.reach import Reach
from sonde.link.recorder import Recorder
from sonde.link.space import OUTSIDE, UNKNOWN, Space
from sonde.link.tables import Entry, FileEntry
from sonde.model import CALLABLE_KINDS, RENAMED, TYPE_KINDS, Import, Kind, Provenance, Symbol

# Bound once: in Python 3.11 reading a member off its enum costs 15 times as much.
_KIND_CONSTRUCTOR = Kind.CONSTRUCTOR
_KIND_MODULE = Kind.MODULE
_KIND_PROPERTY = Kind.PROPERTY
_KIND_TYPE_ALIAS = Kind.TYPE_ALIAS

Target: TypeAlias = Entry | Space

_DEEPEST = 20  # of inheritance, re-exports and alias chains
_MOST_ANCESTORS = 60
_SELF_TYPES = frozenset({"Self", "self", "static", "this", "typing.Self", "$this"})
HOLDERS = frozenset({Kind.FIELD, Kind.VARIABLE, Kind.CONSTANT, Kind.PROPERTY})


class Found(NamedTuple):
    """What a name resolves to, how we know, and whether it is an instance of the target."""

    target: Target
    how: Provenance
    instance: bool = False


def is_on_the_spot(member: Entry | Symbol) -> bool:
    """Whether a method belongs to an anonymous type, and so to no other."""
    return bool(member.bases) and member.kind in CALLABLE_KINDS


def _better_declared(held: Entry | None, entry: Entry) -> Entry:
    """Of two symbols that hold a value the first, unless only the other declares its type."""
    return entry if held is None or (entry.returns and not held.returns) else held


class Names:
    """File-level resolution for one run of linking; every answer is cached for that run."""

    def __init__(self, tables: Recorder) -> None:
        self.tables = tables
        self._tops: dict[tuple[int, str], Target | None] = {}
        self._members: dict[tuple[int, str], Entry | None] = {}
        self._lines: dict[int, tuple[Entry, ...]] = {}
        self._types: dict[tuple[int, str, str], Target | None] = {}
        self.modules: dict[tuple[int, int, str], Target | None] = {}  # (file, level, module text)
        self._imports: dict[int, Bound] = {}
        self.generating: dict[int, bool] = {}  # files whose annotations generate methods
        self._families: dict[str, Family] = {}
        self.reaches: dict[int, Reach] = {}
        self._depth = 0

    def family(self, language: str) -> Family:
        """The rules of a language's family, looked up once."""
        found = self._families.get(language)
        if found is None:
            found = self._families[language] = family_of(language)
        return found

    def family_of(self, entry: Entry) -> Family:
        """The rules of the language that a symbol is written in."""
        return self.family(self.tables.file_of(entry).language)

    def in_file(self, file: int, qualname: str) -> Entry | None:
        """The symbol of this qualified name in this file; definitions before variables, those with
        a body before those that only declare one."""
        held = announced = None
        for entry in self.tables.qualified(qualname):
            if entry.file == file and entry.kind is not _KIND_MODULE:
                if entry.kind in HOLDERS:
                    held = _better_declared(held, entry)
                elif not entry.declared:
                    return entry
                else:
                    announced = announced or entry
        return announced or held

    def top(self, file: FileEntry, name: str) -> Target | None:
        """What a name means at the top level of a file: defined, imported or visible there."""
        key = (file.id, name)
        if key in self._tops:
            return self._tops[key]
        self._tops[key] = None  # a cycle of re-exports ends here
        if self._depth > _DEEPEST:
            return None
        self._depth += 1
        found = self._top(file, name)
        self._depth -= 1
        self._tops[key] = found
        return found

    def _top(self, file: FileEntry, name: str) -> Target | None:
        own = self.in_file(file.id, name)
        if own is not None and own.kind not in HOLDERS:
            return own
        imported = self.imported(file, name)
        # `x = None` before a conditional import: the imported definition says more.
        if own is not None and not isinstance(imported, Entry):
            return own
        if imported is not None:
            return imported
        return self.family(file.language).visible(self, file, name)

    def imported(self, file: FileEntry, name: str) -> Target | None:
        """What an import binds to a name in a file; a target inside the workspace wins."""
        outside: Target | None = None
        for item in self._bound(file)[0].get(name, ()):
            found = self.family(file.language).imported(self, file, item)
            if found is not None and found is not OUTSIDE:
                return found
            outside = outside or found
        return outside

    def wholesale(self, file: FileEntry) -> list[Import]:
        """The wildcard imports of a file."""
        return self._bound(file)[1]

    def _bound(self, file: FileEntry) -> Bound:
        """The imports of a file by the name that each binds, and the wildcard imports."""
        known = self._imports.get(file.id)
        if known is None:
            # A worker of django asks 7,700 times about 1,400 files: grouping their imports anew
            # for each file that asks took a twentieth of linking.
            known = self._imports[file.id] = self.tables.shared(
                ("bound", file.id), lambda tables: by_name(tables.imports(file))
            )
        return known

    def member(self, target: Target, name: str) -> Target | None:
        """What `target.name` means."""
        if isinstance(target, Space):
            if target is OUTSIDE or target is UNKNOWN:
                return target
            return self.family(target.language).inside(self, target, name)
        kind = target.kind
        if kind is _KIND_MODULE:
            file = self.tables.file_of(target)
            if target.id == file.module:
                return self.family(file.language).exported(self, file, name)
            return self.in_file(target.file, f"{target.qualname}.{name}")
        found: Target | None
        if kind in TYPE_KINDS:
            found = self.type_member(target, name)
        else:
            file = self.tables.file_of(target)
            found = self.family(file.language).value_member(self, file, target, name)
        if found is None and (kind in HOLDERS or kind is _KIND_TYPE_ALIAS):
            return self._held_member(target, name)
        return found

    def _held_member(self, holder: Entry, name: str) -> Target | None:
        """A member of what a variable holds or an alias stands for."""
        if self._depth > _DEEPEST:  # two names declared in terms of each other
            return None
        self._depth += 1
        held = self.type_of(holder)
        if held is None or (isinstance(held, Entry) and held.id == holder.id):
            found = None
        else:
            found = self.member(held, name)
        self._depth -= 1
        return found

    def type_member(self, owner: Entry, name: str) -> Entry | None:
        """A member of a type: its own, or the nearest inherited one."""
        key = (owner.id, name)
        if key not in self._members:
            self._members[key] = None
            for each in self.line(owner):
                if (found := self.own_member(each, name)) is not None:
                    self._members[key] = found
                    break
        return self._members[key]

    def own_member(self, owner: Entry, name: str) -> Entry | None:
        """A member that a type declares itself, here or in another file."""
        held, file, family = None, self.tables.file_of(owner), self.family_of(owner)
        announced = None
        for entry in self.tables.qualified(f"{owner.qualname}.{name}"):
            # the file Client.Part.cs has the name of a member of Client
            if entry.kind is _KIND_MODULE or (entry.bases and is_on_the_spot(entry)):
                continue
            if entry.file == owner.file or family.belongs(self, owner, file, entry):
                if family.of_another(self, owner, entry):
                    continue
                if entry.kind in HOLDERS:
                    held = _better_declared(held, entry)
                elif not entry.declared:
                    return entry
                else:
                    announced = announced or entry
        return announced or held or family.extension(self, owner, name)

    def line(self, owner: Entry) -> tuple[Entry, ...]:
        """A type and its ancestors, depth first, left to right, each once."""
        known = self._lines.get(owner.id)
        if known is not None:
            return known
        self._lines[owner.id] = (owner,)  # a cycle of bases ends here
        found: dict[int, Entry] = {}
        self._climb(owner, found, 0)
        line = self._lines[owner.id] = tuple(found.values())
        return line

    def _climb(self, owner: Entry, found: dict[int, Entry], depth: int) -> None:
        if owner.id in found or depth > _DEEPEST or len(found) > _MOST_ANCESTORS:
            return
        found[owner.id] = owner
        for base in self.bases(owner):
            self._climb(base, found, depth + 1)

    def bases(self, owner: Entry) -> list[Entry]:
        """The base types of a type that are in the workspace, in order.

        One part of a type names the bases for all.
        """
        parts = (owner,) if owner.bases else self.parts(owner)
        own = {part.id for part in parts}
        stands_for = self.stands_for(owner) if owner.kind is _KIND_TYPE_ALIAS else None
        found = [stands_for] if stands_for is not None else []
        for part in parts:
            for text in part.bases:
                base = self.base(part, text)
                if base is not None and base.id not in own:
                    found.append(base)
        return found

    def base(self, owner: Entry, text: str) -> Entry | None:
        """The base of a type that a text refers to."""
        found = self.named_type(owner, text, given_to_base(owner, text))
        return found or self.family_of(owner).made_base(self, owner, text)

    def stands_for(self, alias: Entry) -> Entry | None:
        """The type that an alias or variable is another name of, if it is in the workspace."""
        text = alias.returns.removeprefix(RENAMED)
        return self.named_type(alias, text) if text else None

    def parts(self, owner: Entry) -> tuple[Entry, ...]:
        """A type and, in languages that split types over files, its other parts."""
        return self.family_of(owner).parts(self, owner, self.tables.file_of(owner))

    def named_type(self, user: Entry, text: str, given: int = 0) -> Entry | None:
        """The type that a text written at `user` refers to."""
        found = self.meaning(user, text, given)
        for _ in range(_DEEPEST):
            if not isinstance(found, Entry):
                return None
            if found.kind in TYPE_KINDS:
                return self.beside(found, static=False) if found.static else found
            if found.kind not in HOLDERS:
                return None
            found = self.type_of(found)
        return None

    def beside(self, type_: Entry, *, static: bool) -> Entry:
        """Scala: the companion object of a type, or the companion type of an object."""
        for entry in self.tables.qualified(type_.qualname):
            if entry.file == type_.file and entry.kind in TYPE_KINDS and entry.static is static:
                return entry
        return type_

    def meaning(self, user: Entry, text: str, given: int = 0) -> Target | None:
        """What a type text, `given` type arguments that it lost, means at a symbol's location."""
        name = type_name(text)
        if not name:
            return None
        space = user.qualname if user.kind in TYPE_KINDS else user.qualname.rpartition(".")[0]
        given = given_to(text, name) if "<" in text else given
        key = (user.file, space, f"{name}<{given}>" if given else name)
        if key in self._types:
            return self._types[key]
        self._types[key] = None
        if name in _SELF_TYPES:
            found: Target | None = self.owner_of(user)
        else:
            found = self._dotted(user, space, name)
            if isinstance(found, Entry):
                found = self.family_of(found).of_arity(self, found, given)
        self._types[key] = found
        return found

    def _dotted(self, user: Entry, space: str, name: str) -> Target | None:
        file = self.tables.file_of(user)
        first, _, rest = name.partition(".")
        found = self.nested(file, space, first) or self.top(file, first)
        if found is None or (rest and found is OUTSIDE):
            whole = self.family(file.language).absolute(self, file, name)
            return whole or found
        for part in rest.split(".") if rest else ():
            if found is None:
                return None
            found = self.member(found, part)
        return found

    def nested(self, file: FileEntry, space: str, name: str) -> Target | None:
        """A type defined inside one of the enclosing types."""
        family = self.family(file.language)
        if not space or not family.nested_types:
            return None
        while space:
            dotted = f"{space}.{name}"
            found: Target | None = self.in_file(file.id, dotted)
            if found is None and family.open_nesting:
                found = family.absolute(self, file, dotted)
            if isinstance(found, Entry) and found.kind in TYPE_KINDS:
                return found
            space = space.rpartition(".")[0]
        return None

    def owner_of(self, member: Entry) -> Entry | None:
        """The type around a member, or the one it was declared for."""
        if member.kind in TYPE_KINDS:
            return member
        if member.owner:
            return self.named_type(member._replace(owner="", qualname=""), member.owner)
        for _ in range(_DEEPEST):
            if not member.parent:
                break
            member = self.tables.entry(member.parent)
            if member.kind in TYPE_KINDS:
                return member
        return None

    def type_of(self, holder: Entry) -> Target | None:
        """What a field, variable, property or alias holds, by its declaration or value."""
        if holder.returns.endswith("()") and holder.kind is not _KIND_PROPERTY:
            return self.result_of_text(holder, holder.returns)
        returns = holder.returns.removeprefix(RENAMED)
        return self.meaning(holder, returns) if returns else enum_of(self.tables, holder)

    def result_of_text(self, user: Entry, text: str) -> Target | None:
        """What an expression written in the scope of `user` evaluates to."""
        key = (user.file, user.qualname, text)
        if key in self._types:
            return self._types[key]
        self._types[key] = None
        steps = steps_of(text)
        found = self._walk(user, steps) if steps and self._depth < _DEEPEST else None
        self._types[key] = found
        return found

    def _walk(self, user: Entry, steps: tuple[Step, ...]) -> Target | None:
        self._depth += 1
        file = self.tables.file_of(user)
        first = steps[0]
        found: Target | None
        if any(step.element for step in steps):
            found, steps = None, steps[:1]
        elif first.name in ("self", "cls", "this"):
            found = self.owner_of(user)
        else:
            found = self._named(user, file, first.name)
        found = self.result_of(found) if first.called else found
        for step in steps[1:]:
            if found is None:
                break
            member = self.member(found, step.name)
            if member is None and step.called and step.name in self.family(file.language).keeping:
                continue
            found = self.result_of(member) if step.called else member
        self._depth -= 1
        return found

    def _named(self, user: Entry, file: FileEntry, name: str) -> Target | None:
        """What a bare name means at a member, whose type's members are visible without `self`."""
        space = user.qualname.rpartition(".")[0]
        found = self.nested(file, space, name) or self.top(file, name)
        family = self.family(file.language)
        is_seen = found is None and (family.names_call or family.implicit_self)
        owner = self.owner_of(user) if is_seen else None
        return found if owner is None else self.type_member(owner, name)

    def result_of(self, target: Target | None) -> Target | None:
        """What calling a target gives: an instance of a type, or a function's declared result."""
        if target is None or isinstance(target, Space):
            return target
        if target.kind in TYPE_KINDS:
            return target
        if target.kind is _KIND_CONSTRUCTOR:
            return self.owner_of(target)
        if target.renames:
            return self.stands_for(target)
        if target.kind in CALLABLE_KINDS and target.returns:
            if target.returns.endswith("()"):  # Ruby: the call that ends a method
                return self.result_of_text(target, target.returns)
            return self.meaning(target, target.returns)
        return enum_of(self.tables, target)  # Swift: `Shape.circle(2)`
